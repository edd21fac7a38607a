"""One iteration of a deepening search: what its tasks share, and what they report of branches."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from attrs import field, frozen

from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Interval, intersect
from strategies.native.calls.alphabeta import Found, search_alphabeta
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table

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


@frozen(eq=False)
class Iteration:
    """The table of the whole search, and what was found of the branches of this iteration."""

    depth: int
    table: Table
    leftmost: bool = False
    """Whether of equal branches of the root the leftmost is wanted, which costs more."""
    known: Mapping[Path, Known] = field(factory=dict)
    """What earlier graphs of the iteration found of branches."""
    seen: dict[Path, Seen] = field(factory=dict)
    _lock: Any = field(factory=threading.Lock, repr=False)

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None,
    ) -> Found:  # fmt: skip
        """Searches one position to one depth, with what the table knows."""
        return search_alphabeta(
            engine, self.table, state, depth, *window, scouts=True, orders=True,
            nearer=algorithm.nearer_wins, stop=stop,
            leftmost=self.leftmost and depth == self.depth,
        )  # fmt: skip

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
            before = self.seen.get(path)
            if before is not None:
                interval = intersect(before.interval, interval)
                line, nodes = line or before.line, before.nodes + nodes
            self.seen[path] = Seen(interval, line, nodes)
