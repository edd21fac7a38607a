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
from strategies.running.runtime.shared_incumbent import SharedIncumbent

Place = tuple[Any, ...]
"""A place in the graph: branch numbers from the root, and the pass (a test, or a value search)."""


class Link(NamedTuple):
    """An ancestor of a live task: its cell, its kind, and the branch on the path down."""

    cell: Place | None
    kind: Kind
    branch: int | None
    ties: bool = True
    """Whether a branch left of the leader must only be "at least as good"."""

    def at(self, branch: int, tied: bool) -> Link:
        """Return the link on the path to a branch; a `tied` one must only be "at least as good"."""
        return self._replace(branch=branch, ties=self.ties or tied)


class LiveWindows:
    """The best result so far at each node of the graph.

    They are created by a task, so that each execution of a graph has new ones.  A copy in another
    process is weaker but valid: its windows stay as wide as when the copy was made, but for the
    incumbent of a tree.
    """

    def __init__(
        self, best: Iterable[tuple[Place, tuple[float, int]]] = (),
        incumbent: SharedIncumbent | None = None,
    ) -> None:  # fmt: skip
        self.best = dict(best)
        self._incumbent = incumbent or SharedIncumbent()
        self.running: dict[int, tuple[tuple[Link, ...], Interval, Stop]] = {}
        self.lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return LiveWindows, (tuple(self.best.items()), self._incumbent)

    @property
    def incumbent(self) -> SharedIncumbent | None:
        """Return the best leaf of a tree, which live tasks read while they run."""
        return self._incumbent

    @contextmanager
    def watch(self, chain: tuple[Link, ...], stop: Stop, window: Interval = OPEN) -> Iterator[None]:
        """Set `stop` if `window`, narrowed by `chain`, closes while the block runs."""
        with self.lock:
            self.running[id(stop)] = chain, window, stop
        try:
            yield
        finally:
            with self.lock:
                del self.running[id(stop)]

    def post(
        self, cell: Place, kind: Kind, index: int, interval: Interval,
        above: tuple[Link, ...] = (),
    ) -> None:  # fmt: skip
        """Post the result of branch `index`; the best is kept, and the leftmost of equals.

        Where one player makes all moves, it is a bound on the ancestors `above`, too.
        Requires: the folds of these nodes will also get the interval.
        """
        if kind == "chance":
            return
        gain = interval[0] if kind == "max" else -interval[1]
        if gain == -float("inf"):
            return
        with self.lock:
            if not self._improved(cell, gain, index):
                return
            for link in reversed(above):
                if link.kind == "chance":
                    break
                if link.cell is not None and link.cell != cell and link.branch is not None:
                    self._improved(link.cell, gain, link.branch)
            for chain, window, stop in self.running.values():
                if self.narrow(chain, window) == SHUT:
                    stop.set()

    def _improved(self, cell: Place, gain: float, index: int) -> bool:
        """Keep a result if it is the best of its node, or the leftmost of equals."""
        old = self.best.get(cell)
        if old is not None and (gain < old[0] or (gain == old[0] and index >= old[1])):
            return False
        self.best[cell] = gain, index
        return True

    def narrow(self, chain: Iterable[Link], window: Interval) -> Interval:
        """Narrow `window` by the current results at the nodes of `chain`, from the root down.

        A branch left of the leader must only be "at least as good", so that the chosen move is the
        leftmost optimal one under any schedule.
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
