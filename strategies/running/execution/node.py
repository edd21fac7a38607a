"""The search of one position inside a task, under a strategy that makes no tasks there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from attrs import frozen

from strategies.algebra.groups import Group, Window, sparks
from strategies.algebra.strategy import Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Fold, Interval, Rule, Searched, known, meet
from strategies.algorithms.positions import is_over, look, told
from strategies.native.calls.window_policy import run
from strategies.native.engine import Engine
from strategies.native.errors import RuleFailed
from strategies.native.kernels.window_policy import NoPolicy
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts
from strategies.running.execution.dispatch import policy_for, search_by
from strategies.running.execution.window_policy import without_windows
from strategies.running.records.record import Tally


@frozen(eq=False)
class Inside:
    """Who searches: the engine, what for, who may stop it, and where the counts go."""

    engine: Engine
    algorithm: Algorithm
    stop: Stop
    tally: Tally

    def evaluate(
        self, state: Any, inner: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """What is found of one position, which is met with probability `reach`, and its line.

        Raises: `Stopped`; `RuleFailed`, told from `state`.
        """
        game, algorithm = self.engine.game, self.algorithm
        if inner == seq or depth == 0 or is_over(game, state) or algorithm.cuts(game, state, reach):
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
            fold = self.follow(state, inner, depth, window, reach)
            return (fold.lo, fold.hi), fold.line
        self.tally.add(found.nodes, found.leaves, found.inlined, found.pruned)
        return (found.lo, found.hi), line

    @property
    def rule(self) -> Rule:
        """How branches are combined."""
        return self.algorithm.rule(self.engine.game)

    def search(
        self, state: Any, depth: int, window: Interval, reach: float = 1.0
    ) -> tuple[Interval, tuple[int, ...]]:
        """One kernel's search: under ``seq`` all branches are in order."""
        narrow = self.algorithm.narrows
        if not self.algorithm.plain:
            kept = search_by(
                self.algorithm, self.engine, state, depth, window, self.stop, reach=reach
            )
            self.tally.add(kept.nodes, kept.leaves)
            self.tally.table = self.tally.table.plus(kept.table)
            self.tally.known += _answered(kept.leaves, kept.table)
            if not kept.finished:
                raise Stopped("the search was stopped")
            if self.rule.many:
                return (kept.value, kept.value), kept.line
            return known(kept.value, window if narrow else (-inf, inf)), kept.line
        try:
            found = self.engine.search(
                state, depth, *window,
                narrow=narrow, nearer=self.algorithm.nearer_wins, stop=self.stop,
            )  # fmt: skip
        except Stopped as stopped:
            self.tally.add(stopped.nodes, stopped.leaves)
            raise
        self.tally.add(found.nodes, found.leaves)
        return known(found.value, window if narrow else (-inf, inf)), found.line

    def follow(
        self, state: Any, strategy: Strategy, depth: int, window: Interval, reach: float = 1.0
    ) -> Fold:
        """A node searched as a strategy says, but in this task: same windows, same nodes."""
        if self.stop.is_set:
            raise Stopped("the search was stopped")
        kind, below = look(self.engine.game, state)
        layer = unfolded(strategy, kind, len(below))
        if not self.algorithm.narrows and any(g.window is Window.ZERO for g in layer.groups):
            raise without_windows(strategy, self.algorithm)
        self.tally.add(nodes=1, inlined=sum(sparks(layer.groups)))
        entered = Fold.enter(kind, window, self.rule, self.engine.game.player(state))

        def branch(i: int, window: Interval) -> Searched:
            move, chance, child = below[i]
            if window[0] >= window[1]:
                self.tally.add(pruned=1)
                return Searched(i, chance, UNKNOWN)
            try:
                found = self.evaluate(child, layer.inner[i], depth - 1, window, reach * chance)
            except RuleFailed as error:
                raise error.after(told(move, kind == "chance")) from error
            return Searched(i, chance, *found)

        return in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)


def _answered(leaves: int, table: Counts) -> bool:
    """Whether a search found all that it looked at in its table: it kept no more than its root."""
    return leaves == 0 and 0 < table.probes == table.hits and table.stores <= 1


def in_order(
    groups: Sequence[Group], entered: Fold, chances: Sequence[float],
    branch: Callable[[int, Interval], Searched],
) -> Fold:  # fmt: skip
    """A node whose groups run one after the other: the fold over what `branch` finds of each branch
    in the window that its group gives it."""
    prefix = [entered]
    for g in groups:
        local = prefix[entry(g)]
        for i in range(g.start, g.stop):
            if g.window is Window.ZERO:
                found = branch(i, local.zero())
                if not settled(prefix[i], found.interval):
                    again = branch(i, prefix[i].inner())
                    found = again._replace(interval=meet(found.interval, again.interval))
            else:
                found = branch(i, local.inner(chances[i]))
                local = local.take(found)
            prefix.append(prefix[i].take(found))
    return prefix[-1]


def entry(group: Group) -> int:
    """How many branches a group sees when it runs in order: all earlier ones if it looks live."""
    return group.start if group.window is Window.LIVE else group.after


def settled(fold: Fold, interval: Interval) -> bool:
    """Whether a test already says all that the node needs."""
    a, b = fold.inner()
    if a >= b:
        return True
    if fold.kind == "max":
        return interval[1] <= a or interval[0] >= b
    return interval[0] >= b or interval[1] <= a
