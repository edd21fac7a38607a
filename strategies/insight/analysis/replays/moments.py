"""The moments of a run: what happened, when, and in which task; what each adds to the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from attrs import evolve, frozen

from strategies.insight.analysis.trace_steps import Cut, Entered, Estimated, Path, Place, Step
from strategies.running.records.record import Record

Fate = Literal[
    "asked", "created", "started", "converted", "aborted", "fizzled", "known", "dud", "opened",
    "done",
]  # fmt: skip
"""What happens to a spark.  Of a search that has not run, it is only asked for; steps in order are
only started and done."""


@frozen
class Turned:
    """A spark, or a task that is none, is created, starts on a worker, or ends."""

    fate: Fate
    spark: bool
    place: Place
    """The node whose branches it searches."""
    branches: tuple[int, ...]
    worker: int | None = None
    why: Cut | None = None
    """The bounds that met, if a search was stopped for them."""

    @property
    def kind(self) -> str:
        return self.fate


@frozen
class Inside:
    """A task visited positions that are not shown one by one."""

    kind = "inside"
    place: Place
    branches: tuple[int, ...]
    nodes: int
    leaves: int


What = Step | Turned | Inside
Counts = dict[str, float]


@frozen
class Moment:
    """One moment of a run."""

    time: float
    task: int
    """The number of the task in the graph, in move order."""
    what: What
    adds: tuple[tuple[str, float], ...] = ()
    """What it adds to the counts, by name; for `span`, the chain of tasks up to here."""

    def add_to(self, counts: Counts) -> None:
        for name, n in self.adds:
            old = counts.get(name, 0)
            counts[name] = max(old, n) if name == "span" else old + n


@frozen
class Task:
    """One task on its lane."""

    number: int
    """Its number in the graph, as in `Moment`."""
    worker: int
    start: float
    end: float
    role: str
    became: str
    branches: tuple[Path, ...]
    """The branches that it searched: paths from the root."""
    nodes: int
    before: float
    """The time of the longest chain of tasks that it waited for."""


@frozen(eq=False)
class Replay:
    """A run as moments in order of time.

    Ensures: moments in an order in which each task comes after those that it waits for; summed up,
    their counts are those of the run.
    """

    title: str
    ticks: bool
    """Whether times count positions; else they are seconds."""
    moments: tuple[Moment, ...]
    tasks: tuple[Task, ...]
    workers: int
    closing: tuple[str, ...]
    """The last lines of the trace: the value, the leaves, the move."""
    whole: bool
    """Whether every position that the run visited is among the moments."""

    @property
    def end(self) -> float:
        """Return the time of the last moment."""
        return max((m.time for m in self.moments), default=0.0)

    def counts(self) -> Counts:
        """Return the counts after all moments."""
        found: Counts = {}
        for m in self.moments:
            m.add_to(found)
        return found

    @property
    def lines(self) -> list[str]:
        """Return the lines of the moments that a trace would have, and its last lines."""
        told = (getattr(m.what, "line", None) for m in self.moments)
        return [line for line in told if line is not None] + list(self.closing)


Adds = tuple[tuple[str, float], ...]


class Ledger:
    """The counts of a run while its replay is made.

    Ensures: once every task has ended, the sum of all is what the records say.
    """

    def __init__(self, tasks: Sequence[Record], chains: Sequence[float]) -> None:
        self.tasks, self.chains = tasks, chains
        self.seen: Counter[tuple[int, str]] = Counter()
        self.folds: dict[str, float] = {}
        self.span = 0.0

    def adds(self, n: int, what: What) -> Adds:
        """Return what a moment of a task adds."""
        r = self.tasks[n]
        found: dict[str, float] = {}
        if isinstance(what, Entered):
            found["nodes"] = self.count(n, "nodes", 1, r.nodes)
        elif isinstance(what, Estimated):
            found["leaves"] = self.count(n, "leaves", 1, r.leaves)
        elif isinstance(what, Inside):
            found["nodes"] = self.count(n, "nodes", what.nodes, r.nodes)
            found["leaves"] = self.count(n, "leaves", what.leaves, r.leaves)
        elif isinstance(what, Turned):
            found = self.turned(n, what, r)
        found.update(self.folds)
        self.folds.clear()
        return self._pairs(found)

    def count(self, n: int, name: str, many: int, most: int) -> int:
        """Return how many of these still fit into what the record of the task has."""
        many = min(many, most - self.seen[n, name])
        self.seen[n, name] += many
        return many

    def turned(self, n: int, what: Turned, r: Record) -> dict[str, float]:
        before: dict[str, dict[str, float]] = {
            "opened": {"opened": 1}, "dud": {"attempts": 1, "dud": 1},
            "created": {"attempts": 1, "created": 1}, "started": {},
        }  # fmt: skip
        if what.fate in before:
            return before[what.fate]
        self.end(n)
        return {
            "pruned": r.pruned, "inlined": r.inlined, "aborted": r.aborted,
            "nodes": self.count(n, "nodes", r.nodes, r.nodes),
            "leaves": self.count(n, "leaves", r.leaves, r.leaves),
            **({str(r.outcome): 1} if r.role == "spark" else {}),
        }  # fmt: skip

    def end(self, n: int) -> None:
        """Note that a task has ended; the next moment adds its work and its span."""
        self.folds["work"] = self.folds.get("work", 0.0) + self.tasks[n].seconds
        self.span = max(self.span, self.chains[n])
        self.folds["span"] = self.span

    def settled(self, moments: Sequence[Moment]) -> tuple[Moment, ...]:
        """Return the moments; the last one adds what is left."""
        found = list(moments)
        if found and self.folds:
            last = found[-1]
            found[-1] = evolve(last, adds=(*last.adds, *self._pairs(self.folds)))
        return tuple(found)

    @staticmethod
    def _pairs(found: dict[str, float]) -> Adds:
        return tuple((name, n) for name, n in found.items() if n)


def chains(after: Sequence[Sequence[int]], tasks: Sequence[Record]) -> list[float]:
    """Return, for each task, the time of the longest chain of tasks that ends with it.

    Requires: a task waits only for tasks before it.
    """
    found: list[float] = []
    for before, r in zip(after, tasks, strict=True):
        found.append(r.seconds + max((found[d] for d in before), default=0.0))
    return found
