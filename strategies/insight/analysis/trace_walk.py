"""A walk over what a search does, in the order of a strategy, that tells each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from games import Game, Status
from strategies.algebra.strategy import Kind, Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.positions import expand, kind_of
from strategies.algorithms.visit import visit
from strategies.insight.analysis.trace_means import Outcome, mean, pruned_mean
from strategies.insight.analysis.trace_nodes import Bar, Branch, OwnNode, TraceNode
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Candidate,
    Cut,
    Entered,
    Estimated,
    Inlined,
    Led,
    Path,
    Place,
    Returned,
    Step,
    Windows,
    place_at,
)
from strategies.native.hooks import payoffs


@frozen(eq=False)
class TraceWalk:
    """A walk over the positions of a search that calls `tell` with each step.

    `tell` may raise to end the walk.  With `skips`, a branch whose window is closed when its turn
    comes is left out, as in a task; without, only branches in order are, as in the handout.
    """

    game: Game[Any, Any]
    algorithm: Algorithm
    tell: Callable[[Step], object]
    skips: bool = False

    def node(
        self, path: Path, state: Any, strategy: Strategy, depth: int, ab: Windows,
        reach: float = 1.0,
    ) -> Candidate:  # fmt: skip
        """Search a position; return its candidate."""
        place, over = self.place(path, state), self.game.status(state) != Status.IN_PLAY
        self.tell(Entered(place, None if self.algorithm.tuples else ab))
        if over or depth == 0 or self.algorithm.cuts(self.game, state, reach):
            result, cut = Candidate(self.leaf(state, depth, over)), False
            self.tell(Estimated(place, self.game.show(state), result.value))
        else:
            result, cut = self.interior(place, state, strategy, depth, ab, reach)
        self.tell(Returned(place, result, cut))
        return result

    def leaf(self, state: Any, depth: int, over: bool) -> Any:
        """Return the value of a leaf; for several players, a tuple."""
        if self.algorithm.tuples:
            found: Any = self.game.utility(state) if over else self.game.estimate(state)
            return payoffs(found)
        return self.algorithm.leaf_value(self.game, state, depth)

    def place(self, path: Path, state: Any) -> Place:
        """Return a position as lines name it."""
        player = self.game.player(state) if self.algorithm.tuples else None
        return place_at(path, kind_of(self.game, state), self.game.label(state), player)

    def interior(
        self, place: Place, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float
    ) -> tuple[Candidate, bool]:
        """Search the branches of a position; return its candidate, and whether some were cut."""
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        ahead = [i for i, s in enumerate(spread(layer.groups, layer.sparks)) if s]
        if ahead:
            self.tell(Inlined(place, tuple(ahead), sum(layer.sparks)))
        path = place.path
        if kind == "chance":
            outcomes = [
                Outcome((*path, i), p, child, layer.inner[i], depth - 1, reach * p)
                for i, (_, p, child) in enumerate(below)
            ]
            if self.algorithm.pruning:
                return pruned_mean(self, place, outcomes, ab)
            return mean(self, place, outcomes), False

        def at(i: int, ab: Windows) -> Branch:
            return i, self.node((*path, i), below[i][2], layer.inner[i], depth - 1, ab, reach)

        return self.folded(place, kind, state, layer.groups, ab, len(below), at, strategy == seq)

    def folded(
        self, place: Place, kind: Kind, state: Any, groups: Any, ab: Windows, many: int,
        at: Callable[[int, Windows], Branch], kernel: bool,
    ) -> tuple[Candidate, bool]:  # fmt: skip
        """Fold the branches of a node, which `at` searches, in the order of its groups.

        `kernel` says that a kernel searches it, which for several players has prunings of its own.
        """
        node: Any
        if self.algorithm.tuples:
            given: Any = ab
            bar = given if isinstance(given, Bar) else Bar.of(self.game)
            node = OwnNode(place.path, self.game.player(state), bar if kernel else None)
        else:
            soft, narrows = self.algorithm.pruning is not None, self.algorithm.narrows
            node = TraceNode.enter(place.path, ab, kind == "max", narrows, soft)
        cuts: list[bool] = []
        teller = _Leads(self, place, node)

        def search(i: int, node: Any, tested: Branch | None) -> Branch:
            if self.skips and node.closed:
                self.tell(Cut(place, (i,), node.best, node.met))
                return i, Candidate(float("-inf") if node.maximises else float("inf"))
            return teller.found(at(i, node.window()))

        def test(i: int, node: Any) -> Branch:
            if self.skips and node.closed:
                return search(i, node, None)
            return teller.found(at(i, node.null()))

        def closed(node: Any) -> bool:
            cuts.append(node.closed)
            if cuts[-1] and teller.last + 1 < many:
                left = tuple(range(teller.last + 1, many))
                self.tell(Cut(place, left, node.best, node.met))
            return cuts[-1]

        last = visit(groups, node, search, test, closed)
        return last.best, any(cuts)


class _Leads:
    """Tells when a branch becomes the best of its node."""

    def __init__(self, walk: TraceWalk, place: Place, node: Any) -> None:
        self.walk, self.place, self.node, self.last = walk, place, node, -1

    def found(self, branch: Branch) -> Branch:
        after = self.node.with_child(branch)
        if after != self.node:
            self.walk.tell(Led(self.place, after.best))
        self.node, self.last = after, branch[0]
        return branch


def spread(groups: Any, each: Any) -> list[Any]:
    """Return, for each branch of a node, what `each` says of its group."""
    return [x for g, x in zip(groups, each, strict=True) for _ in range(g.start, g.stop)]


def whole(walk: TraceWalk, state: Any, strategy: Strategy) -> Candidate:
    """Walk a whole search from its root; return its candidate."""
    return walk.node((), state, strategy, walk.algorithm.depth, OPEN)
