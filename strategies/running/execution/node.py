"""Search one position inside a task, under a strategy that creates no tasks there."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games.failed import RuleFailed
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN, UNKNOWN, Fold, Interval, Searched
from strategies.algorithms.positions import expand, is_terminal
from strategies.algorithms.visit import in_order
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.native.calls.window_policy import run
from strategies.native.calls.windows import bounds_of
from strategies.native.engine import Engine
from strategies.native.kernels.window_policy import NoPolicy
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.dispatch import policy_for, search_position
from strategies.running.execution.iteration import Iteration, TooLarge
from strategies.running.execution.window_policy import without_windows
from strategies.running.records.record import Tally
from strategies.support.recursion import room_for


@frozen(eq=False)
class NodeSearch:
    """The search of nodes in a task: the engine, the algorithm, the stop flag and the counts."""

    engine: Engine
    algorithm: Algorithm
    stop: Stop
    tally: Tally
    iteration: Iteration | None = None
    """The iteration of a deepening search: its table, and one search to one depth at a time."""
    limit: int = UNLIMITED
    """The most nodes of one search of an iteration."""
    incumbent: Any = None
    """The best leaf that live tasks share."""
    path: tuple[int, ...] = ()
    """Where the search of a tree goes on."""

    def evaluate(
        self, state: Any, inner: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """Search one position, reached with probability `reach`; return its interval and its line.

        Raises: `Stopped`; `TooLarge`; `RuleFailed`, with the moves from `state`.
        """
        game, algorithm = self.engine.game, self.algorithm
        if (
            inner == seq
            or self.iteration is not None
            or inner.least is not None
            or depth == 0
            or is_terminal(game, state)
            or algorithm.cuts(game, state, reach)
        ):
            return self.search(state, depth, window, reach)
        policy = policy_for(algorithm, self.engine, inner)
        try:
            if policy is None:
                raise NoPolicy
            found, line = run(
                self.engine, state, depth, window, policy,
                narrow=self.algorithm.narrows, nearer=self.algorithm.nearer_wins, stop=self.stop,
            )  # fmt: skip
        except NoPolicy:
            with room_for(depth):
                fold = self.follow(state, inner, depth, window, reach)
            return (fold.lo, fold.hi), fold.line
        self.tally.add(found.nodes, found.leaves, found.inlined, found.pruned)
        return (found.lo, found.hi), line

    def search(
        self, state: Any, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """Search by one kernel: under ``seq``, all branches are searched in order."""
        if self.iteration is None:
            found = search_position(
                self.algorithm, self.engine, state, depth, window, self.stop, reach=reach,
                incumbent=self.incumbent, limit=self.limit, path=self.path,
            )  # fmt: skip
        else:
            found = self.iteration.search(
                self.engine, self.algorithm, state, depth, window, self.stop, self.limit,
                self.tally.joins,
            )  # fmt: skip
        self.tally.count(found)
        if not found.finished:
            if (found.path or found.nodes > self.limit) and not self.stop.is_set:
                raise TooLarge(window, found)
            raise Stopped("the search was stopped")
        if self.algorithm.tuples:
            return (found.value, found.value), found.line
        if not self.algorithm.narrows:
            return bounds_of(found.value, OPEN), found.line
        searched = max(window[0], found.raised), window[1]
        return bounds_of(found.value, searched), found.line

    def follow(
        self, state: Any, strategy: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> Fold:
        """Search a node under a strategy inside this task, with the same windows and nodes."""
        if self.stop.is_set:
            raise Stopped("the search was stopped")
        game = self.engine.game
        kind, below = expand(game, state)
        layer = unfolded(strategy, kind, len(below))
        if not self.algorithm.narrows and any(g.window is Window.ZERO for g in layer.groups):
            raise without_windows(strategy, self.algorithm)
        self.tally.add(nodes=1, inlined=sum(layer.sparks))
        entered = Fold.enter(
            kind,
            window,
            self.algorithm.rule(game),
            game.player(state),
            own=self.algorithm.own_value(game, state),
        )

        def branch(i: int, window: Interval) -> Searched:
            _, chance, child = below[i]
            if window[0] >= window[1]:
                self.tally.add(pruned=1)
                return Searched(i, chance, UNKNOWN)
            try:
                found = self.evaluate(child, layer.inner[i], depth - 1, window, reach * chance)
            except RuleFailed as error:
                raise error.below(i) from error
            return Searched(i, chance, *found)

        return in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)
