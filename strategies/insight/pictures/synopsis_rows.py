"""A synopsis of a task graph: its tasks by ply and by kind, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.labels import MEANING, Wording
from strategies.insight.pictures.marks import Mark, marks_of
from strategies.notation.wording import plural
from strategies.running.plans.move_names import Names
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import Record
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import SPARKS, seconds
from strategies.support.printing import Printed, Table

DEEPEST = 15
"""The last ply with rows of its own; the rows of deeper plies are added up."""
SEARCHES = ("spark", "step", "dud", "resolve")
"""The kinds of tasks that belong to the branch that they search; the others belong to a node."""


@frozen
class Row:
    """The tasks of one kind at one ply."""

    ply: int
    kind: str
    tasks: int
    became: tuple[tuple[str, int], ...] = ()
    """The outcomes of sparks, with their counts."""
    total: float | None = None
    """The seconds of all these tasks; None before a run."""
    longest: float | None = None
    """The seconds of the longest one."""

    @property
    def depth(self) -> str:
        return f"{self.ply} and deeper" if self.ply > DEEPEST else str(self.ply)

    @property
    def fates(self) -> str:
        """Return the outcomes of sparks with their signs and counts."""
        return "  ".join(f"{SIGNS[fate]} {n:,}" for fate, n in self.became)


@frozen
class Synopsis(Printed):
    """The tasks of a graph by ply and by kind, and the length of its longest chain.

    Ensures: the counts add up to the tasks of the graph, and the times to the work of the run.
    """

    rows: tuple[Row, ...]
    chain: int
    """The number of tasks in the longest chain of tasks that wait for each other."""

    @property
    def tasks(self) -> int:
        """Return the number of tasks."""
        return sum(row.tasks for row in self.rows)

    @property
    def line(self) -> str:
        """Return what the graph amounts to: the longest chain, the mean parallelism, the work."""
        work = sum(row.total or 0.0 for row in self.rows)
        wide = f"{self.tasks / self.chain:.3g} tasks can run at the same time on average"
        spent = f"; {seconds(work)} in all" if work else ""
        return f"{plural(self.chain, 'row')}: {wide}{spent}"

    def parts(self) -> Iterator[object]:
        yield f"{plural(self.tasks, 'task')}; {self.line}"
        timed = self.rows[0].total is not None
        head = ["ply", "kind", "tasks", *(["sparks", "total", "longest"] if timed else [])]
        cells = [
            [row.depth, row.kind, f"{row.tasks:,}"]
            + ([row.fates, seconds(row.total or 0), seconds(row.longest or 0)] if timed else [])
            for row in self.rows
        ]
        yield Table([head, *cells], left=(0, 1, 3))


def synopsis(search: SearchGraph, result: SearchRun | None = None) -> Synopsis:
    """Return the tasks of a search by ply and by kind; with a result, their outcomes and times.

    Requires: `result`, if given, is of one graph, that of this search.
    Cost: linear in the tasks.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> print(synopsis(search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5).everywhere)))
    12 tasks; 9 rows: 1.33 tasks can run at the same time on average
    ply  kind    tasks
    0    merge       2
    0    result      1
    2    step        3
    2    dud         6
    """
    marks = marks_of(search)
    wording = Wording(Names(search.plan), result)
    return synopsis_of(marks, [wording.record(mark) for mark in marks])


def synopsis_of(marks: Sequence[Mark], records: Sequence[Record | None]) -> Synopsis:
    """Return the synopsis of marks, each with the record of its task, if there is one."""
    chains: list[int] = []
    groups: dict[tuple[int, str], list[Record | None]] = {}
    for mark, record in zip(marks, records, strict=True):
        chains.append(1 + max((chains[d] for d in mark.after), default=0))
        ply = len(mark.place if mark.kind in SEARCHES else mark.path)
        groups.setdefault((min(ply, DEEPEST + 1), mark.kind), []).append(record)
    timed = any(record is not None for record in records)
    order = list(MEANING)
    keys = sorted(groups, key=lambda key: (key[0], order.index(key[1])))
    return Synopsis(tuple(_row(*key, groups[key], timed) for key in keys), max(chains))


def _row(ply: int, kind: str, records: Iterable[Record | None], timed: bool) -> Row:
    every = list(records)
    known = [record for record in every if record is not None]
    found: Counter[str] = Counter(r.became for r in known if r.role == "spark")
    became = tuple((fate, found[fate]) for fate in SPARKS if found[fate])
    if not timed:
        return Row(ply, kind, len(every))
    times = [record.seconds for record in known]
    return Row(ply, kind, len(every), became, sum(times), max(times, default=0.0))
