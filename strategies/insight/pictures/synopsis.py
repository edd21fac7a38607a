"""A synopsis of a task graph, however many tasks there are: a row for each kind at each ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from graphs.limits import SYNOPSIS_PLIES
from strategies.algebra.wording import plural
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.labels import MEANING, Wording, legend
from strategies.insight.pictures.marks import SMALL, Mark, drawn, marks_of
from strategies.insight.pictures.picture import Picture, element, picture_of, words
from strategies.running.plans.plan import Names
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import Record
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import SPARKS, seconds
from strategies.support.printing import Printed, Table

TOP, ROW, LEFT, BAR = 122.0, 21.0, 14.0, 150.0
"""In pixels: the space above the rows, the height of a row, the left edge, the longest bar."""
KIND, TASKS, FATES, TOTAL, LONGEST = 120.0, 290.0, 460.0, 740.0, 990.0
"""In pixels: the left edges of kinds and outcomes, the right edges of counts and times."""
ACROSS = 1010.0
SHEET = """.jam .amount{fill:var(--stepped);opacity:.55}
"""


def draw_synopsis(found: Synopsis, title: str, heads: Sequence[str], across: float) -> Picture:
    """Draw a synopsis below the lines of a heading, whose width is `across`.

    Ensures: as many rows as kinds of tasks at plies, whatever the number of tasks; the bars of a
    column are as long as their numbers.
    """
    timed = found.rows[0].total is not None
    across = max(across, ACROSS if timed else TASKS + BAR + 30)
    most = max(row.tasks for row in found.rows)
    slowest = max((row.total or 0.0 for row in found.rows), default=0.0)
    parts = [*heads, *_head(timed)]
    for number, row in enumerate(found.rows):
        y = TOP + ROW * number
        new = number == 0 or row.ply != found.rows[number - 1].ply
        if new:
            parts.append(element("path", class_="rule", d=f"M{LEFT} {y:.0f}H{across - LEFT:.0f}"))
            parts.append(words(row.depth, LEFT, y + 15, "label"))
        parts += _drawn_row(row, y + ROW / 2, most, slowest, timed)
    bottom = TOP + ROW * len(found.rows)
    outcomes = {(row.kind, "done") for row in found.rows}
    outcomes |= {("spark", fate) for row in found.rows for fate, _ in row.became}
    key, end = legend(outcomes, (), across, bottom + 26, edge_words={})
    return picture_of(title, [*parts, *key], across, end, SHEET)


def _head(timed: bool) -> list[str]:
    """Draw the names of the columns."""
    y = TOP - 8
    names = [words("ply", LEFT, y, "key"), words("kind", KIND, y, "key"),
             words("tasks", TASKS, y, "key", "end")]  # fmt: skip
    if timed:
        names += [words("sparks", FATES, y, "key"), words("total time", TOTAL, y, "key", "end"),
                  words("longest", LONGEST, y, "key", "end")]  # fmt: skip
    return names


def _drawn_row(row: Row, y: float, most: int, slowest: float, timed: bool) -> list[str]:
    sign = drawn(row.kind, "done", () if row.kind in SMALL else ("",), KIND + 10, y, "")
    out = [
        sign.replace('"mark ', '"sign '),
        words(row.kind, KIND + 32, y + 4, "label"),
        words(f"{row.tasks:,}", TASKS, y + 4, "label", "end"),
        _bar(TASKS + 10, y, row.tasks / most),
    ]
    if timed:
        total, share = row.total or 0.0, (row.total or 0.0) / (slowest or 1.0)
        out += [
            words(row.fates, FATES, y + 4, "label"),
            words(seconds(total), TOTAL, y + 4, "label", "end"),
            _bar(TOTAL + 10, y, share),
            words(seconds(row.longest or 0.0), LONGEST, y + 4, "label", "end"),
        ]
    return out


def _bar(x: float, y: float, share: float) -> str:
    """Draw a bar for a share of the greatest number of its column."""
    return element("rect", class_="amount", x=x, y=y - 5, width=max(BAR * share, 0.5), height=10.0)


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
        return f"{self.ply} and deeper" if self.ply > SYNOPSIS_PLIES else str(self.ply)

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
        groups.setdefault((min(ply, SYNOPSIS_PLIES + 1), mark.kind), []).append(record)
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
