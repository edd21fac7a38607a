"""Local search: step from a state to a neighbouring state until its cost is 0.

It may import `games.problems` and the layers below `searches`. Start with `climb` (many attempts at
a problem), then `attempts` (one attempt) and `kernels`.
"""

from __future__ import annotations

from strategies.searches.local_search.algorithms import (
    Climber,
    acceptable,
    first_improvement,
    min_conflicts,
    parse_climber,
    simulated_annealing,
    steepest_descent,
)
from strategies.searches.local_search.attempts import Attempt, walk
from strategies.searches.local_search.climb import Climb, climb

__all__ = [
    "Attempt",
    "Climb",
    "Climber",
    "acceptable",
    "climb",
    "first_improvement",
    "min_conflicts",
    "parse_climber",
    "simulated_annealing",
    "steepest_descent",
    "walk",
]
