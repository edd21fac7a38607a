"""What a deepening search has learned: the order of branches, and the size of what is below each.

The plan of an iteration asks it which branch to search first, and which nodes are large enough to
be shared among tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

from strategies.algebra.by_node import Type
from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, UNKNOWN, Interval, intersect
from strategies.algorithms.positions import kind_of
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.native.calls.answers import entries_of
from strategies.native.calls.children import Child
from strategies.native.calls.kept_sizes import Size, keep_size, size_in
from strategies.native.engine import Engine
from strategies.native.hooks import has_promise, hash_of, promise_of
from strategies.native.memory.transposition_table import EXACT, LOWER, UPPER, Table, move_in
from strategies.running.execution.iteration import Iteration, Known, Path
from strategies.running.plans.grain import Grain
from strategies.running.plans.plan import Node
from strategies.running.plans.sizes import Sizes

ALONE: Final = 4
"""How many times smaller a node of the principal variation may be: others wait for it."""
MORE: Final = 4
"""How many times the nodes that a task has spent which is too large its branch is taken to need."""
GROWTH: Final = 3.0
"""How many times the nodes of an iteration the next one is taken to visit, until that is known."""

NONE: Final[Mapping[Path, Node]] = {}


class Knowledge:
    """What is known of the branches of a position, from the iterations so far."""

    @property
    def needs_ends(self) -> bool:
        """Whether branches with which the play is over are to be told from others."""
        return True

    def __init__(
        self, engine: Engine, table: Table, workers: int, nearer: bool, elsewhere: bool = False,
        grows: bool = False,
    ) -> None:  # fmt: skip
        """`elsewhere` says that the workers are those of a cluster, whose tables are not this;
        `grows`, that a task which turns out too large becomes more, where workers are many."""
        self.grain = Grain(engine, workers, elsewhere, grows)
        self.elsewhere = elsewhere
        self.entries = entries_of(engine, nearer)
        self.engine, self.table = engine, table
        self.depth = 0
        self.window, self.only = OPEN, tuple[int, ...]()
        self.test: Interval | None = None
        self.closed = False
        self.orders: dict[Path, tuple[int, ...]] = {}
        self.sizes = Sizes()
        self.found: dict[Path, Known] = {}
        """What this iteration found of each branch."""
        self.totals: list[int] = []
        self.total = 0
        """The nodes of this iteration."""
        self.expected: dict[Path, float] = {}
        self.types: dict[Path, str] = {}
        self.states: dict[Path, tuple[Any, int]] = {}
        """Those of branches of this iteration, and their plies left, where the table is kept."""
        self.wrong = set[Path]()
        """The branches that have taken far more nodes than was expected."""
        self.coarse = 1
        """How many times larger than it should be a node is that is opened, as a plan with all of
        them was too large."""

    def begin(self, depth: int) -> None:
        """A new iteration begins."""
        if self.depth:
            self.totals.append(self.total)
        self.total = 0
        self.states = {}
        self.depth = depth
        self.found = {}
        self.sizes.begin()

    def resume(self, state: Any) -> None:
        """An earlier run has kept what it learned of a position: its size."""
        size = size_in(self.table, self.entries, self.engine, state)
        if size is not None:
            self.totals = [size.nodes]
            self.sizes.known["pv"][()] = size.nodes

    def end(self) -> None:
        """The iteration is finished: a table that is kept gets the sizes for a later run."""
        for path, (state, depth) in self.states.items():
            nodes, now = self.nodes(path) or (0, False)
            if now:
                keep_size(self.table, self.entries, self.engine, state, Size(depth, nodes))

    def planned(
        self,
        window: Interval,
        test: Interval | None,
        only: Sequence[int] = (),
        closed: bool = False,
        root: Type = "pv",
    ) -> None:
        """A plan is made for the search of the root in a window: of `only` some of its branches, if
        any are named; `closed`, as one task.  Most of its tasks are asked to `test`, a null window,
        if that is known.  The `root` is a PV node, or in a null window what it is likely to be."""
        self.window, self.only, self.closed, self.test = window, tuple(only), closed, test
        self.root: Type = root if not only else "all"
        self.types = {(): self.root}
        self.wrong = set[Path]()
        total = self.coming
        if root != "pv":
            nodes, now = self.nodes(()) or (0, True)
            total = nodes * (1.0 if now else self.growth)
        if only:  # another question, whose answer may take more than that to the last one
            branches = self.orders.get((), only)  # none is known where no graph opened the root
            total = (self.nodes(()) or (0, True))[0] * len(only) / len(branches)
        self.expected = {(): total}
        self.least = self.grain.share(total, unsure=bool(only))

    @property
    def growth(self) -> float:
        """How many times the nodes of the last iteration the next one visits."""
        if len(self.totals) < 2 or not self.totals[-2]:
            return GROWTH
        return min(GROWTH, max(1.5, self.totals[-1] / self.totals[-2]))

    @property
    def coming(self) -> float:
        """How many nodes the iteration that begins is expected to visit."""
        return self.totals[-1] * self.growth if self.totals else 0.0

    def shares(self, least: int | None) -> bool:
        """Whether the iteration that begins is large enough to be shared, by nodes of `least`
        nodes, if that is said."""
        return self.coming >= (self.grain.floor if least is None else least)

    @property
    def large(self) -> bool:
        """Whether the search that is planned is large enough to be shared."""
        return self.expected[()] >= self.grain.floor

    def opens(self, path: Path, least: int | None) -> bool:
        """Whether a node is large enough to be opened, and not yet known."""
        if not path and (self.only or (self.root != "pv" and not self.closed)):
            return True
        low, high = self.interval(path)
        if self.closed or high <= self.window[0] or low >= self.window[1]:
            return False
        return path in self.wrong or self.expected[path] >= self.size(path, least)

    def size(self, path: Path, least: float | None) -> float:
        """The size of a node that is opened, `least` nodes if that is said."""
        if least is None:
            least = self.least / (ALONE if self.types[path] == "pv" else 1)
        return least if self.coarse == 1 else self.coarse * max(least, 1)

    def coarsen(self) -> None:
        """Opens larger nodes only, from now on: a plan was too large."""
        self.coarse *= 8

    def most(self, path: Path, least: int | None, visited: int) -> int:
        """How many nodes a task may take before it is to become more tasks, where the plan's tasks
        have visited so many."""
        if self.closed or not self.grain.grows:
            return UNLIMITED
        return round(self.coarse * self.grain.most(least, visited))

    def outgrown(self, path: Path, spent: int) -> None:
        """A branch has taken so many nodes, and is not known yet."""
        self.expected[path] = max(self.expected[path], MORE * spent)
        self.wrong.add(path)

    def order(
        self, path: Path, state: Any, kind: Kind, below: Sequence[Child]
    ) -> tuple[Sequence[int], int]:
        """The branches of a node: those that this iteration knows, whose number is told, then the
        others, best guess first."""
        found = self.orders.get(path)
        if found is None:
            found = self.orders[path] = self.guess(state, below)
        if not path and self.only:
            found = self.only
        # Of some branches of the root the leftmost is asked for: they keep their order.
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
            # Where the value falls, what was small before is not: but at a node where one branch is
            # enough, all shares together are more than the node, and plans would know no end.
            trusted = mine == "cut" and not self.only and path not in self.wrong
            self.expected[child] = size if trusted else max(guess, size)
            if mine == "cut" and turn and self.grain.grows and path not in self.wrong:
                self.expected[child] = 0.0  # mostly the eldest is enough; else it becomes more
        return found, len(known)

    def kept(self, state: Any) -> tuple[int, bool] | None:
        """How many nodes an earlier run visited below a position, as `nodes` says it."""
        size = size_in(self.table, self.entries, self.engine, state)
        return None if size is None else (size.nodes, False)

    def guess(self, state: Any, below: Sequence[Child]) -> tuple[int, ...]:
        """The order of branches of which nothing was learned: what the table has, then promise."""
        game, remembered = self.engine.game, self.remembered(state)
        scores: list[float] = [0.0] * len(below)
        if has_promise(game):
            scores = [promise_of(game, b.state) if b.rank is None else b.rank for b in below]
        return tuple(sorted(range(len(below)), key=lambda i: (i != remembered, -scores[i])))

    def remembered(self, state: Any) -> int:
        """The branch that the table has for a position; -1 for none."""
        return move_in(self.table.look_up(self.entries, hash_of(self.engine.game, state))[0])

    def learn(
        self, root: Node | None, state: Any, iteration: Iteration, nodes: int,
        more: Mapping[Path, Node] = NONE, was: Type | None = None,
    ) -> None:  # fmt: skip
        """Takes up what the tasks of a plan found in so many nodes; without a root, it was one.
        `more` are the nodes of branches that have become more than a task; `was` is what the root
        proved to be, if not what it was likely to be."""
        self.root = was or self.root
        self.total += nodes
        if root is None:
            self.count((), nodes, state, self.depth)
        else:
            self._learn(root, state, iteration, more)

    def _learn(
        self, node: Node, state: Any, iteration: Iteration, more: Mapping[Path, Node]
    ) -> int:
        """Takes up what was found of a node; how many nodes were visited there."""
        path, visited = node.path, 1
        for b, opened in zip(node.branches, node.nodes, strict=True):
            child = (*path, b.index)
            below = opened or more.get(child)
            if below is not None:
                visited += self._learn(below, b.state, iteration, more)
            if child in iteration.seen:  # by one task, maybe before it has become more
                interval, line, nodes = iteration.seen[child]
                self.bound(child, interval, line)
                if self.elsewhere and line and not b.over:  # its table is not this
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
        gains = lows if node.kind == "max" else [-x for x in highs]
        lead = node.branches[gains.index(max(gains))].index
        if max(gains) > -inf:
            self.orders[path] = (lead, *(i for i in self.orders[path] if i != lead))
        child = (*path, lead)
        line = (lead, *self.found[child].line) if child in self.found else ()
        found = self.bound(path, (best(lows), best(highs)), line)
        if path:  # the lead of the root is not yet the leftmost
            self.keep(state, node.kind, node.depth, lead, found)
        return visited

    def count(self, path: Path, nodes: int, state: Any, depth: int) -> None:
        """So many nodes were visited below a branch, in one graph of this iteration: at a position
        with so many plies left."""
        if self.table.kept:
            self.states[path] = state, depth
        self.sizes.add(self.root, path, nodes)

    def nodes(self, path: Path) -> tuple[int, bool] | None:
        """How many nodes were last visited below a branch, at best when the root was what it is
        now, and whether in this iteration; None if it was not searched."""
        return self.sizes.of(self.root, path)

    def known(self, path: Path, kind: Kind, order: Sequence[int]) -> list[int]:
        """The branches of which this iteration knows all that a task is likely to ask for."""
        found = {i: self.interval((*path, i)) for i in order}
        exact = [i for i in order if found[i][0] == found[i][1]]
        low, high = self.test or (-inf, inf)
        if self.types[path] == "pv":
            if order[0] not in exact:  # it is the eldest: the others are tested against it
                return []
            lead = found[order[0]][0]
            low, high = (lead, inf) if kind == "max" else (-inf, lead)
        elif self.test is None:  # any bound is likely to do
            exact = [i for i in order if found[i] != UNKNOWN]
        known = [i for i in order if i in exact or found[i][1] <= low or found[i][0] >= high]
        return [] if len(known) == len(order) else known

    def interval(self, path: Path) -> Interval:
        """Between which numbers the value of a branch is known to lie by now."""
        return self.found.get(path, Known()).interval

    def bound(self, path: Path, interval: Interval, line: Path) -> Interval:
        """Takes up what a graph found of a branch; what this iteration knows of it by now."""
        before = self.found.get(path, Known())
        known = intersect(before.interval, interval)
        self.found[path] = Known(known, line if line and interval != UNKNOWN else before.line)
        return known

    def keep(self, state: Any, of: Kind, depth: int, lead: int, found: Interval) -> None:
        """Puts what is known of a node into the table, as the kernel does where it searches."""
        low, high = found if of == "max" else (-found[1], -found[0])
        if low == -inf and high == inf:
            return
        kind = EXACT if low == high else LOWER if low > -inf else UPPER
        word, value = hash_of(self.engine.game, state), high if kind == UPPER else low
        self.table.store(self.entries, word, depth, kind, lead, value)
