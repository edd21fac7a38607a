"""One iteration of a deepening search: what its tasks share, and what they report of branches."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from attrs import define, evolve, field

from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Interval, intersect
from strategies.native.calls.alphabeta import UNLIMITED, Found, search_alphabeta
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.tables import table_for
from strategies.running.records.record import Record

Path = tuple[int, ...]
"""Branch numbers from the root, in the order of the rules."""


class Known(NamedTuple):
    """What an iteration knows of a branch: between which numbers its value lies, and the best line
    of moves."""

    interval: Interval = UNKNOWN
    line: Path = ()


class Seen(NamedTuple):
    """What the tasks of a graph found of one branch."""

    interval: Interval
    line: Path
    nodes: int


class TooLarge(Exception):
    """A task that took more nodes than it should: what it was asked, and its record."""

    def __init__(self, window: Interval) -> None:
        super().__init__("the task has become too large")
        self.window = window
        self.record: Record | None = None


class Growth(Protocol):
    """What makes more tasks of one that turns out too large; each task is told by its job."""

    def limit(self, job: Any) -> int:
        """How many nodes a task may take before it is to become more."""

    def grow(self, job: Any, window: Interval, spent: int, begun: Any) -> Grown | None:
        """The graph of a task that has spent so many nodes for one branch; None for none."""


class Grown(NamedTuple):
    """The graph that a task has become, and the key of its last task, which folds the branch."""

    graph: Mapping[Any, Any]
    last: Any


@define(eq=False)
class Iteration:
    """The table of the whole search, and what was found of the branches of this iteration."""

    depth: int
    table: Table | None
    """None on a worker of a cluster, which keeps one for the run."""
    leftmost: bool = False
    """Whether of equal branches of the root the leftmost is wanted, which costs more."""
    known: Mapping[Path, Known] = field(factory=dict)
    """What earlier graphs of the iteration found of branches."""
    seen: dict[Path, Seen] = field(factory=dict)
    size: int = 0
    """Bytes of the table that a worker keeps."""
    growth: Growth | None = None
    """What makes more tasks of one that turns out too large."""
    visited: int = field(default=0, init=False)
    """The nodes of all tasks so far."""
    _lock: Any = field(factory=threading.Lock, repr=False)

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = UNLIMITED,
    ) -> Found:  # fmt: skip
        """Searches one position to one depth, with what the table knows, in so many nodes."""
        table = self.table_here(engine, algorithm)
        return search_alphabeta(
            engine, table, state, depth, *window, scouts=True, orders=True,
            nearer=algorithm.nearer_wins, stop=stop,
            leftmost=self.leftmost and depth == self.depth, nodes=nodes,
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what tasks elsewhere are to know: neither the table, nor what was seen."""
        size = self.size if self.table is None else 1 << self.table.bits
        return _arrived, (type(self), self.depth, self.leftmost, dict(self.known), size)

    def table_here(self, engine: Engine, algorithm: Algorithm) -> Table:
        """The table of the search, or of this worker for it."""
        return self.table or table_for(engine, evolve(algorithm, table=self.size))

    def learned(self) -> Any:
        """What tasks learned here: the iteration elsewhere `learn`s it."""
        return self.seen

    def learn(self, learned: Any) -> None:
        """Takes up what the tasks of a worker learned."""
        for path, (interval, line, nodes) in learned.items():
            self.saw(path, interval, line, nodes)

    def answer(self, path: Path, window: Interval) -> Known | None:
        """What is known of a branch, if that is all that a window asks for."""
        known = self.known.get(path)
        if known is None:
            return None
        low, high = known.interval
        return known if low == high or high <= window[0] or low >= window[1] else None

    def saw(self, path: Path, interval: Interval, line: Path, nodes: int) -> None:
        """Notes what a task found of a branch, and in how many nodes; of a branch that is searched
        twice, both."""
        with self._lock:
            self.visited += nodes
            before = self.seen.get(path)
            if before is not None:
                interval = intersect(before.interval, interval)
                line, nodes = line or before.line, before.nodes + nodes
            self.seen[path] = Seen(interval, line, nodes)


def _arrived(
    kind: type[Iteration], depth: int, leftmost: bool, known: dict[Path, Known], size: int
) -> Iteration:
    return kind(depth, None, leftmost, known, size=size)
