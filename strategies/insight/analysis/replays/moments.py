"""The moments of a run: what happened, when, and in which task."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from strategies.insight.analysis.trace_steps import Cut, Path, Place, Step

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
