"""Plan the searches below each branch of a root, one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

from attrs import evolve

from games import Status
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.algorithms.with_chance import Expectimax
from strategies.running.plans.opening import plan
from strategies.running.plans.plan import Plan
from strategies.running.records.request import SearchRequest


class BranchPlan(NamedTuple):
    """A branch of a root: its move, or the number of an outcome; its probability; its search."""

    move: Any
    chance: float
    plan: Plan


def branch_plans(
    request: SearchRequest, depth: int, using: Strategy, window: Interval = OPEN
) -> list[BranchPlan]:
    """Return the plan of the search below each branch of a root that is searched to `depth`.

    Ensures: none if the position has no branches, or the depth is 0.
    """
    game, state, algorithm = request.game, request.state, request.algorithm
    if depth == 0 or is_terminal(game, state):
        return []
    kind = kind_of(game, state)
    found = []
    for move, chance, child in children(game, state, kind):
        below = algorithm.at_depth(depth - 1)
        if isinstance(algorithm, Expectimax) and algorithm.cutoff:  # a probability from the root
            stays = game.status(child) != Status.IN_PLAY or not algorithm.cuts(game, child, chance)
            left, cutoff = below.depth if stays else 0, algorithm.cutoff / chance
            below = evolve(algorithm, depth=left, cutoff=cutoff)
        planned = plan(game, below, using, child, window=window, engine=request.ran_on)
        found.append(BranchPlan(move, chance, planned))
    return found
