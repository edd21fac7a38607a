"""Plan the searches below the outcomes of a chance root, whose values have the root's as mean."""

from __future__ import annotations

from attrs import evolve

from games import Status
from strategies.algebra.strategy import seq
from strategies.algorithms.positions import at_chance, children
from strategies.algorithms.with_chance import Expectimax
from strategies.running.plans.opening import plan
from strategies.running.plans.plan import Plan
from strategies.running.records.request import SearchRequest


def outcome_plans(request: SearchRequest) -> list[tuple[float, Plan]]:
    """Return the probability of each outcome at the root, and the plan of the search below it.

    Ensures: none if no chance moves there, or the search has depth 0.
    """
    game, state, algorithm = request.game, request.state, request.algorithm
    if algorithm.depth == 0 or not at_chance(game, state):
        return []
    found = []
    for _, chance, child in children(game, state, "chance"):
        below = algorithm.at_depth(algorithm.depth - 1)
        if isinstance(algorithm, Expectimax) and algorithm.cutoff:  # a probability from the root
            stays = game.status(child) != Status.IN_PLAY or not algorithm.cuts(game, child, chance)
            depth, cutoff = below.depth if stays else 0, algorithm.cutoff / chance
            below = evolve(algorithm, depth=depth, cutoff=cutoff)
        found.append((chance, plan(game, below, seq, child, engine=request.ran_on)))
    return found
