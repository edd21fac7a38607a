"""Live windows: the best results so far, shared by the live tasks of one execution of a graph."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, SHUT, Interval
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import below

Place = tuple[Any, ...]
"""A place in the graph: branch numbers from the root, and the pass (a test, or a value search)."""


class Link(NamedTuple):
    """One node above a live task: its cell, its kind, and the branch on the path down."""

    cell: Place | None
    kind: Kind
    branch: int | None
    ties: bool = True
    """Whether a branch left of the leader is asked for "at least as good"."""

    def at(self, branch: int, tied: bool) -> Link:
        """The link on the path to a branch; one that is `tied` is asked for "at least as good"."""
        return self._replace(branch=branch, ties=self.ties or tied)


class LiveWindows:
    """The best result so far at each node of the graph.

    Made by a task, hence new for each execution of a graph.  A copy in another process is only
    weaker: there, live windows are as wide as the copy was when it was made.
    """

    def __init__(self, best: Iterable[tuple[Place, tuple[float, int]]] = ()) -> None:
        self.best = dict(best)
        self.running: dict[int, tuple[tuple[Link, ...], Interval, Stop]] = {}
        self.lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return LiveWindows, (tuple(self.best.items()),)

    @contextmanager
    def watch(self, chain: tuple[Link, ...], stop: Stop, window: Interval = OPEN) -> Iterator[None]:
        """Set `stop` when `window`, narrowed at the end of `chain`, closes in the block."""
        with self.lock:
            self.running[id(stop)] = chain, window, stop
        try:
            yield
        finally:
            with self.lock:
                del self.running[id(stop)]

    def post(self, cell: Place, kind: Kind, index: int, interval: Interval) -> None:
        """Post the result of branch `index`; the best stays, of equals the leftmost.

        Requires: the interval will also reach the fold of the node.
        """
        if kind == "chance":
            return
        gain = interval[0] if kind == "max" else -interval[1]
        if gain == -float("inf"):
            return
        with self.lock:
            old = self.best.get(cell)
            if old is not None and (gain < old[0] or (gain == old[0] and index >= old[1])):
                return
            self.best[cell] = gain, index
            for chain, window, stop in self.running.values():
                if self.narrow(chain, window) == SHUT:
                    stop.set()

    def narrow(self, chain: Iterable[Link], window: Interval) -> Interval:
        """Narrow `window` by what is known now at the nodes of `chain`, from the root down.

        A branch left of the leader is asked for "at least as good": so the chosen move is the
        leftmost optimal one, whatever the schedule.
        """
        a, b = OPEN
        for cell, kind, index, ties in chain:
            if kind == "chance":
                a, b = OPEN
            elif cell is not None and cell in self.best:
                value, leader = self.best[cell]
                if ties and index is not None and index <= leader:
                    value = below(value)
                a, b = (max(a, value), b) if kind == "max" else (a, min(b, -value))
            if a >= b:
                return SHUT
        a, b = max(a, window[0]), min(b, window[1])
        return (a, b) if a < b else SHUT
