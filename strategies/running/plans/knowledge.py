"""The knowledge of a deepening search: the move ordering, and the sizes of subtrees.

The plan of an iteration uses it to decide which branch to search first, and which nodes are large
enough to be divided into tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

from strategies.algebra.by_node import Type
from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, UNKNOWN, Interval, intersect
from strategies.algorithms.positions import kind_of
from strategies.native.calls.alphabeta import (
    SIZE,
    UNLIMITED,
    Answer,
    answer_in,
    entries_of,
    keep_answer,
)
from strategies.native.calls.run_kernel import Child
from strategies.native.engine import Engine
from strategies.native.hooks import defines, hash_of, promise_of
from strategies.native.memory.transposition_table import EXACT, LOWER, UPPER, Table, move_in
from strategies.running.execution.iteration import BranchBounds, Iteration, Path
from strategies.running.plans.grain import Grain
from strategies.running.plans.plan import Node

ALONE: Final = 4
"""How much smaller an opened node of the principal variation may be, because others wait for it."""
MORE: Final = 4
"""The estimated size of a branch whose task is too large, as a multiple of the nodes so far."""
GROWTH: Final = 3.0
"""The estimated growth from one iteration to the next, until it is known."""

NONE: Final[Mapping[Path, Node]] = {}


class Knowledge:
    """The knowledge about the branches of a position, from the iterations so far."""

    @property
    def needs_ends(self) -> bool:
        """Return whether plans must know which branches end the game."""
        return True

    def __init__(
        self, engine: Engine, table: Table, workers: int, nearer: bool, on_cluster: bool = False,
        grows: bool = False,
    ) -> None:  # fmt: skip
        """Start without knowledge.

        `on_cluster` means that the workers are those of a cluster, with other tables; `grows`, that
        tasks which turn out too large are divided, if there are many workers.
        """
        self.grain = Grain(engine, workers, on_cluster, grows)
        self.on_cluster = on_cluster
        self.entries = entries_of(engine, nearer)
        self.engine, self.table, self.nearer = engine, table, nearer
        self.depth = 0
        self.window, self.only = OPEN, tuple[int, ...]()
        self.test: Interval | None = None
        self.closed = False
        self.orders: dict[Path, tuple[int, ...]] = {}
        self.sizes = Sizes()
        self.found: dict[Path, BranchBounds] = {}
        """The results of this iteration, by branch."""
        self.totals: list[int] = []
        self.total = 0
        """The nodes of this iteration."""
        self.expected: dict[Path, float] = {}
        self.types: dict[Path, str] = {}
        self.states: dict[Path, tuple[Any, int]] = {}
        """The positions of this iteration's branches and their plies left, if the table is kept."""
        self.wrong = set[Path]()
        """The branches that have taken far more nodes than expected."""
        self.whole = 0
        """The nodes of an iteration below which it is one task."""
        self.coarse = 1
        """The factor by which the size of opened nodes was raised, because plans were too large."""

    def begin(self, depth: int) -> None:
        """Start a new iteration."""
        if self.depth:
            self.totals.append(self.total)
        self.total = 0
        self.states = {}
        self.depth = depth
        self.found = {}
        self.sizes.begin()

    def resume(self, state: Any) -> None:
        """Use the size of a position that an earlier run has kept in the table."""
        if (size := self.kept(state)) is not None:
            self.totals = [size[0]]
            self.sizes.known["pv"][()] = size[0]

    def end(self) -> None:
        """Finish the iteration: store the sizes in a kept table, for a later run."""
        for path, (state, depth) in self.states.items():
            nodes, now = self.nodes(path) or (0, False)
            if now:
                size = Answer(depth, nodes)
                keep_answer(self.table, self.engine, state, self.nearer, size, SIZE)

    def planned(
        self,
        window: Interval,
        test: Interval | None,
        only: Sequence[int] = (),
        closed: bool = False,
        root: Type = "pv",
    ) -> None:
        """Prepare for a plan that searches the root in a window.

        `only` names the branches to search, if not all; `closed` means a plan of one task; `test`
        is the null window of most of its tasks, if known; `root` is the type of the root: pv, or in
        a null window its likely type.
        """
        self.window, self.only, self.closed, self.test = window, tuple(only), closed, test
        self.root: Type = root if not only else "all"
        self.types = {(): self.root}
        self.wrong = set[Path]()
        total = self.coming
        if root != "pv":
            nodes, now = self.nodes(()) or (0, True)
            total = nodes * (1.0 if now else self.growth)
        if only:  # another question, which may take more nodes than the last one
            branches = self.orders.get((), only)  # there is no order if no graph opened the root
            total = (self.nodes(()) or (0, True))[0] * len(only) / len(branches)
        self.expected = {(): total}
        self.least = self.grain.share(total, unsure=bool(only))

    @property
    def growth(self) -> float:
        """Return the growth in nodes from the last iteration to the next."""
        if len(self.totals) < 2 or not self.totals[-2]:
            return GROWTH
        return min(GROWTH, max(1.5, self.totals[-1] / self.totals[-2]))

    @property
    def coming(self) -> float:
        """Return the expected nodes of the iteration that starts now."""
        return self.totals[-1] * self.growth if self.totals else 0.0

    def shares(self, least: int | None) -> bool:
        """Return whether the iteration that starts now is large enough to be divided, into nodes of
        `least` nodes, if given."""
        return self.coming >= (self.grain.floor if least is None else least)

    @property
    def large(self) -> bool:
        """Return whether the planned search is large enough to be divided."""
        return self.expected[()] >= self.grain.floor

    def opens(self, path: Path, least: int | None) -> bool:
        """Return whether a node is large enough to be opened, and not yet known."""
        if not path and (self.only or (self.root != "pv" and not self.closed)):
            return True
        if not path and self.expected[path] < self.whole:
            return False
        low, high = self.interval(path)
        if self.closed or high <= self.window[0] or low >= self.window[1]:
            return False
        return path in self.wrong or self.expected[path] >= self.size(path, least)

    def size(self, path: Path, least: float | None) -> float:
        """Return the least size of a node to open: `least`, if given."""
        if least is None:
            least = self.least / (ALONE if self.types[path] == "pv" else 1)
        return least if self.coarse == 1 else self.coarse * max(least, 1)

    def coarsen(self) -> None:
        """Open only larger nodes from now on, because a plan was too large."""
        self.coarse *= 8

    def most(self, path: Path, least: int | None, visited: int) -> int:
        """Return the nodes after which a task is divided, after `visited` nodes of the plan."""
        if self.closed or not self.grain.grows:
            return UNLIMITED
        return round(self.coarse * self.grain.most(least, visited))

    def outgrown(self, path: Path, spent: int) -> None:
        """Record that a branch has taken `spent` nodes without a result."""
        self.expected[path] = max(self.expected[path], MORE * spent)
        self.wrong.add(path)

    def order(
        self, path: Path, state: Any, kind: Kind, below: Sequence[Child]
    ) -> tuple[Sequence[int], int]:
        """Return the branches of a node, with the number of those that this iteration knows.

        The known ones come first, then the others, best guess first.
        """
        found = self.orders.get(path)
        if found is None:
            found = self.orders[path] = self.guess(state, below)
        if not path and self.only:
            found = self.only
        # If only some branches of the root are searched, for the leftmost, they keep their order.
        known = self.known(path, kind, found) if path or not self.only else []
        found = (*known, *(i for i in found if i not in known))
        mine, expected, many = self.types[path], self.expected[path], len(found)
        sizes = {i: self.nodes((*path, i)) or self.kept(below[i].state) for i in found}
        seen = [size[0] for size in sizes.values() if size and size[1]]
        for turn, i in enumerate(found):
            child = (*path, i)
            kinds = {"pv": "cut" if turn else "pv", "cut": "all", "all": "cut"}
            self.types[child] = kinds[mine]
            share = {"pv": 1 / many if turn else 0.5, "cut": 1 / many if turn else 1.0}
            guess = expected * share.get(mine, 1 / many)
            nodes, now = sizes[i] or (None, False)
            if seen and not now and mine != "pv":
                guess = min(guess, sum(seen) / len(seen))
            size = guess if nodes is None else nodes * (1.0 if now else self.growth)
            # When the value falls, branches that were small are large now.  But at a node where one
            # branch is enough, the sum of shares exceeds the node, and plans would grow endlessly.
            trusted = mine == "cut" and not self.only and path not in self.wrong
            self.expected[child] = size if trusted else max(guess, size)
            if mine == "cut" and turn and self.grain.grows and path not in self.wrong:
                self.expected[child] = 0.0  # mostly the eldest is enough; else the task is divided
        return found, len(known)

    def kept(self, state: Any) -> tuple[int, bool] | None:
        """Return the nodes that an earlier run visited below a position, in the form of `nodes`."""
        size = answer_in(self.table, self.engine, state, self.nearer, SIZE)
        return None if size is None else (int(size.value), False)

    def guess(self, state: Any, below: Sequence[Child]) -> tuple[int, ...]:
        """Return the order of branches without results: the table's move, then by promise."""
        game, remembered = self.engine.game, self.remembered(state)
        scores: list[float] = [0.0] * len(below)
        if defines(game, "promise"):
            scores = [promise_of(game, b.state) if b.rank is None else b.rank for b in below]
        return tuple(sorted(range(len(below)), key=lambda i: (i != remembered, -scores[i])))

    def remembered(self, state: Any) -> int:
        """Return the table's branch for a position; -1 if there is none."""
        return move_in(self.table.look_up(self.entries, hash_of(self.engine.game, state))[0])

    def learn(
        self, root: Node | None, state: Any, iteration: Iteration, nodes: int,
        more: Mapping[Path, Node] = NONE, was: Type | None = None,
    ) -> None:  # fmt: skip
        """Learn from the tasks of a plan, which visited `nodes`; without a root, it was one task.

        `more` are the opened nodes of branches whose tasks were divided; `was` is the type that the
        root proved to have, if it differs from the likely type.
        """
        self.root = was or self.root
        self.total += nodes
        if root is None:
            self.count((), nodes, state, self.depth)
        else:
            self._learn(root, state, iteration, more)

    def _learn(
        self, node: Node, state: Any, iteration: Iteration, more: Mapping[Path, Node]
    ) -> int:
        """Learn from the results at a node; return the number of nodes visited there."""
        path, visited = node.path, 1
        for b, opened in zip(node.branches, node.nodes, strict=True):
            child = (*path, b.index)
            below = opened or more.get(child)
            if below is not None:
                visited += self._learn(below, b.state, iteration, more)
            if child in iteration.seen:  # by one task, perhaps before it was divided
                interval, line, nodes = iteration.seen[child]
                self.bound(child, interval, line)
                if self.on_cluster and line and not b.over:  # this table lacks it
                    kind = kind_of(self.engine.game, b.state)
                    self.keep(b.state, kind, node.depth - 1, line[0], interval)
                if nodes or interval != UNKNOWN:
                    self.count(child, nodes, b.state, node.depth - 1)
                visited += nodes
        self.count(path, visited, state, node.depth)
        if len(node.branches) < len(self.orders[path]):
            return visited
        lows, highs = zip(*(self.interval((*path, b.index)) for b in node.branches), strict=True)
        best = max if node.kind == "max" else min
        before = self.interval(path)
        gains, limits, least = [*lows], [*highs], before[0]
        if node.kind == "min":
            gains, limits, least = [-x for x in highs], [-x for x in lows], -before[1]
        # The nearest branch leads if none is known to reach what the node is known to reach.
        worth = gains if max(gains) > -inf and max(gains) >= least else limits
        lead = node.branches[worth.index(max(worth))].index
        if max(gains) > -inf:
            self.orders[path] = (lead, *(i for i in self.orders[path] if i != lead))
        child = (*path, lead)
        line = (lead, *self.found[child].line) if child in self.found else ()
        value = self.bound(path, (best(lows), best(highs)), line)
        if path:  # the root's leader may not yet be the leftmost
            self.keep(state, node.kind, node.depth, lead, value)
        return visited

    def count(self, path: Path, nodes: int, state: Any, depth: int) -> None:
        """Record the nodes that one graph of this iteration visited below a branch.

        `state` is its position, with `depth` plies left.
        """
        if self.table.kept:
            self.states[path] = state, depth
        self.sizes.add(self.root, path, nodes)

    def nodes(self, path: Path) -> tuple[int, bool] | None:
        """Return the nodes last visited below a branch, preferably with the current type of the
        root, and whether that was in this iteration; None if it was not searched."""
        return self.sizes.of(self.root, path)

    def known(self, path: Path, kind: Kind, order: Sequence[int]) -> list[int]:
        """Return the branches whose results already answer what a task is likely to search for."""
        found = {i: self.interval((*path, i)) for i in order}
        exact = [i for i in order if found[i][0] == found[i][1]]
        low, high = self.test or (-inf, inf)
        if self.types[path] == "pv":
            if order[0] not in exact:  # the eldest, against which the others are tested
                return []
            lead = found[order[0]][0]
            low, high = (lead, inf) if kind == "max" else (-inf, lead)
        elif self.test is None:  # any bound is likely to be enough
            exact = [i for i in order if found[i] != UNKNOWN]
        known = [i for i in order if i in exact or found[i][1] <= low or found[i][0] >= high]
        return [] if len(known) == len(order) else known

    def interval(self, path: Path) -> Interval:
        """Return the current bounds on the value of a branch."""
        return self.found.get(path, BranchBounds()).interval

    def bound(self, path: Path, interval: Interval, line: Path) -> Interval:
        """Add a graph's bounds on a branch; return this iteration's bounds on it."""
        before = self.found.get(path, BranchBounds())
        known = intersect(before.interval, interval)
        better = line and (known != before.interval or not before.line)
        self.found[path] = BranchBounds(known, line if better else before.line)
        return known

    def keep(self, state: Any, of: Kind, depth: int, lead: int, found: Interval) -> None:
        """Store the bounds on a node in the table, as the kernel does after its searches."""
        low, high = found if of == "max" else (-found[1], -found[0])
        if low == -inf and high == inf:
            return
        kind = EXACT if low == high else LOWER if low > -inf else UPPER
        word, value = hash_of(self.engine.game, state), high if kind == UPPER else low
        self.table.store(self.entries, word, depth, kind, lead, value)


OTHERS: Final[Mapping[Type, tuple[Type, ...]]] = {
    "pv": ("all", "cut"), "cut": ("all", "pv"), "all": ("cut", "pv"),
}  # fmt: skip
"""The other types of the root whose sizes serve for a type without one, in order."""


class Sizes:
    """The nodes last visited below each branch, by the type of the root in that search, because
    proving an upper and a lower bound takes different nodes."""

    def __init__(self) -> None:
        self.known: dict[Type, dict[Path, int]] = {"pv": {}, "all": {}, "cut": {}}
        self.counted: set[tuple[Type, Path]] = set()
        """The branches whose nodes are of this iteration, by the type of the root."""

    def begin(self) -> None:
        """Start a new iteration."""
        self.counted = set()

    def add(self, root: Type, path: Path, nodes: int) -> None:
        """Record the nodes that one graph of this iteration visited below a branch."""
        known = self.known[root]
        if (root, path) in self.counted:
            nodes += known[path]
        elif root != "pv":  # a later search finds many results of an earlier one in the table
            nodes = max(nodes, known.get(path, 0))
        known[path] = nodes
        self.counted.add((root, path))

    def of(self, root: Type, path: Path) -> tuple[int, bool] | None:
        """Return the nodes last visited below a branch, preferably with this type of the root, and
        whether that was in this iteration; None if it was not searched."""
        for was in (root, *OTHERS[root]):
            if path in self.known[was]:
                return self.known[was][path], (was, path) in self.counted
        return None
