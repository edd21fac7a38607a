"""What a deepening search has learned: the order of branches, and the size of what is below each.

The plan of an iteration asks it which branch to search first, and which nodes are large enough to
be shared among tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final

from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, UNKNOWN, Interval, intersect
from strategies.native.calls.alphabeta import entries_of
from strategies.native.engine import Engine
from strategies.native.hooks import has_promise, hash_of, promise_of
from strategies.native.memory.cells import cells
from strategies.native.memory.transposition_table import (
    COUNTERS,
    EXACT,
    LOWER,
    UPPER,
    Table,
    keep,
    move_in,
    probe,
)
from strategies.running.execution.iteration import Iteration, Path
from strategies.running.plans.plan import Node

SMALLEST: Final = 400_000
"""This, divided by the number of workers, is the size of a node that is not opened: its branches
would be tasks of some milliseconds, of which starting them takes a part that counts.  On many
workers, waiting for a long one counts more."""
LEAST: Final = 40_000
"""On however many workers."""
INTERPRETED: Final = 200
"""The same on the interpreted engine."""
TASKS: Final = 16
"""A node is opened where it is more than a worker's share of the iteration, divided by this."""
ALONE: Final = 4
"""How many times smaller a node of the principal variation may be: others wait for it."""
UNSURE: Final = 4
"""How many times larger a node must be where the leftmost move is asked for, as mostly no search
takes as long as the one for the value did."""
GROWTH: Final = 3.0
"""How many times the nodes of an iteration the next one is taken to visit, until that is known."""


class Knowledge:
    """What is known of the branches of a position, from the iterations so far."""

    def __init__(self, engine: Engine, table: Table, workers: int, nearer: bool) -> None:
        self.entries = entries_of(engine, nearer)
        self.engine, self.table, self.workers = engine, table, workers
        self.depth = 0
        self.window, self.only = OPEN, tuple[int, ...]()
        self.closed = False
        self.orders: dict[Path, tuple[int, ...]] = {}
        self.nodes: dict[Path, int] = {}
        """Nodes that the last iteration visited below each branch."""
        self.bounds: dict[Path, Interval] = {}
        """What this iteration found of each branch."""
        self.counted: set[Path] = set()
        """The branches whose nodes are of this iteration."""
        self.totals: list[int] = []
        self.expected: dict[Path, float] = {}
        self.types: dict[Path, str] = {}

    def begin(self, depth: int) -> None:
        """A new iteration begins."""
        if self.depth:
            self.totals.append(self.nodes.get((), 0))
        self.depth = depth
        self.bounds, self.counted = {}, set()

    def planned(self, window: Interval, only: Sequence[int] = (), closed: bool = False) -> None:
        """A plan is made for the search of the root in a window: of `only` some of its branches, if
        any are named; `closed`, as one task."""
        self.window, self.only, self.closed = window, tuple(only), closed
        self.types = {(): "pv" if not only else "all"}
        total = self.totals[-1] * self.growth if self.totals else 0.0
        if only:  # another question, whose answer may take more than that to the last one
            total = self.nodes.get((), 0) * len(only) / len(self.orders[()])
        self.expected = {(): total}
        self.least = max(total / (TASKS * self.workers), self.floor)
        if only:
            self.least *= UNSURE

    @property
    def floor(self) -> float:
        """The least size of a node that is opened."""
        if not self.engine.native:
            return INTERPRETED
        return max(LEAST, SMALLEST / self.workers)

    @property
    def growth(self) -> float:
        """How many times the nodes of the last iteration the next one visits."""
        if len(self.totals) < 2 or not self.totals[-2]:
            return GROWTH
        return min(10.0, max(1.5, self.totals[-1] / self.totals[-2]))

    @property
    def large(self) -> bool:
        """Whether the search that is planned is large enough to be shared."""
        return self.expected[()] >= self.floor

    def opens(self, path: Path, least: int | None) -> bool:
        """Whether a node is large enough to be opened, and not yet known."""
        if not path and self.only:
            return True
        low, high = self.bounds.get(path, UNKNOWN)
        if self.closed or high <= self.window[0] or low >= self.window[1]:
            return False
        usual = self.least / (ALONE if self.types[path] == "pv" else 1)
        return self.expected[path] >= (usual if least is None else least)

    def order(
        self, path: Path, state: Any, kind: Kind, below: Sequence[tuple[Any, float, Any]]
    ) -> Sequence[int]:
        """The branches of a node, best guess first."""
        found = self.orders.get(path)
        if found is None:
            found = self.orders[path] = self.guess(state, below)
        if not path and self.only:
            found = self.only
        mine, expected, many = self.types[path], self.expected[path], len(found)
        for turn, i in enumerate(found):
            child = (*path, i)
            kinds = {"pv": "cut" if turn else "pv", "cut": "all", "all": "cut"}
            self.types[child] = kinds[mine]
            share = {"pv": 1 / many if turn else 0.5, "cut": 1 / many if turn else 1.0}
            guess = expected * share.get(mine, 1 / many)
            nodes = self.nodes.get(child)
            growth = 1.0 if child in self.counted else self.growth
            known = guess if nodes is None else nodes * growth
            self.expected[child] = max(guess, known) if self.only else known
        return found

    def guess(self, state: Any, below: Sequence[tuple[Any, float, Any]]) -> tuple[int, ...]:
        """The order of branches of which nothing was learned: what the table has, then promise."""
        game, remembered = self.engine.game, self.remembered(state)
        scores = [0.0] * len(below)
        if has_promise(game):
            scores = [float(promise_of(game, child)) for _, _, child in below]
        return tuple(sorted(range(len(below)), key=lambda i: (i != remembered, -scores[i])))

    def remembered(self, state: Any) -> int:
        """The branch that the table has for a position; -1 for none."""
        control = cells(COUNTERS)
        self.table.enter(control, self.entries)
        return move_in(probe(self.table.cells, control, hash_of(self.engine.game, state))[0])

    def learn(self, root: Node, state: Any, iteration: Iteration) -> None:
        """Takes up what the tasks of a plan found."""
        self._learn(root, state, iteration)

    def _learn(self, node: Node, state: Any, iteration: Iteration) -> tuple[Interval, int]:
        """What is known of a node, and how many nodes were visited there."""
        path, visited = node.path, 1
        lows, highs = [], []
        for b, below in zip(node.branches, node.nodes, strict=True):
            child = (*path, b.index)
            if below is not None:
                interval, nodes = self._learn(below, b.state, iteration)
            else:
                interval, nodes = iteration.seen.get(child, (UNKNOWN, 0))
                interval = self.bound(child, interval)
                if nodes or interval != UNKNOWN:
                    self.count(child, nodes)
            visited += nodes
            lows.append(interval[0])
            highs.append(interval[1])
        self.count(path, visited)
        if len(node.branches) < len(self.orders[path]):
            return UNKNOWN, visited
        best = max if node.kind == "max" else min
        found = self.bound(path, (best(lows), best(highs)))
        gains = lows if node.kind == "max" else [-x for x in highs]
        lead = node.branches[gains.index(max(gains))].index
        if max(gains) > -inf:
            self.orders[path] = (lead, *(i for i in self.orders[path] if i != lead))
        self.keep(state, node, lead, found)
        return found, visited

    def count(self, path: Path, nodes: int) -> None:
        """So many nodes were visited below a branch, in one graph of this iteration."""
        first = path not in self.counted
        self.nodes[path] = nodes if first else self.nodes[path] + nodes
        self.counted.add(path)

    def bound(self, path: Path, interval: Interval) -> Interval:
        """What this iteration knows of a branch by now."""
        known = self.bounds[path] = intersect(self.bounds.get(path, UNKNOWN), interval)
        return known

    def keep(self, state: Any, node: Node, lead: int, found: Interval) -> None:
        """Puts what is known of an opened node into the table, as the kernel does of the others."""
        low, high = found if node.kind == "max" else (-found[1], -found[0])
        if low == -inf and high == inf:
            return
        kind = EXACT if low == high else LOWER if low > -inf else UPPER
        control = cells(COUNTERS)
        self.table.enter(control, self.entries)
        word = hash_of(self.engine.game, state)
        value = high if kind == UPPER else low
        keep(self.table.cells, control, word, node.depth, kind, lead, value)
