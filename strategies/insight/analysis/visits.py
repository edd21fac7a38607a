"""Find the positions that a run visited: walk its tasks again, position by position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from games import Game
from strategies.algebra.strategy import Kind, Strategy, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Fold, Interval, Searched
from strategies.algorithms.positions import expand, is_terminal, kind_of
from strategies.algorithms.visit import in_order
from strategies.running.execution.branches import BranchJob
from strategies.running.records.record import Record, branch_numbers

Path = tuple[int, ...]
"""Branch numbers from the root."""


class Enough(Exception):
    """The walk has visited as many positions as the run did."""


@frozen
class Walker:
    """A walk over the positions of a search, in its order, that calls `visit` with each path."""

    game: Game[Any, Any]
    algorithm: Algorithm
    visit: Callable[[Path], None]

    def walk(
        self, state: Any, strategy: Strategy, depth: int, window: Interval, path: Path
    ) -> Interval:
        """Search a position under a strategy in one task; return the bounds on its value."""
        self.visit(path)
        over = is_terminal(self.game, state)
        if over or depth == 0:
            value = self.algorithm.leaf_value(self.game, state, depth)
            return value, value
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        rule, player = self.algorithm.rule(self.game), self.game.player(state)
        entered = Fold.enter(kind, window, rule, player)

        def branch(i: int, window: Interval) -> Searched:
            _, chance, child = below[i]
            if window[0] >= window[1]:
                return Searched(i, chance, UNKNOWN)
            found = self.walk(child, layer.inner[i], depth - 1, window, (*path, i))
            return Searched(i, chance, found)

        fold = in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)
        return fold.lo, fold.hi


def visited(job: BranchJob, kind: Kind, r: Record, walker: Walker) -> None:
    """Visit what a recorded task visited: the opened nodes that it entered first, and its branches.

    Raises: Enough, from `walker.visit`, at the point where the task was stopped half-way.
    """
    path = branch_numbers(job.path)
    for above in reversed(range(job.entered)):
        walker.visit(path[: len(path) - above])
    fold = Fold.enter(kind, r.window, walker.algorithm.rule(walker.game))
    for b in job.branches:
        window = fold.child_window(b.chance)
        interval = UNKNOWN
        if window[0] < window[1]:
            at = path if b.whole else (*path, b.index)
            interval = walker.walk(b.state, b.inner, job.depth, window, at)
        fold = fold.with_child(Searched(b.index, b.chance, interval))


def kind_at(job: BranchJob, state: Any) -> Kind:
    """Return who moves at the node of a task, starting from the position at the root."""
    for branch in branch_numbers(job.path):
        _, below = expand(job.game, state)
        state = below[branch][2]
    return kind_of(job.game, state)
