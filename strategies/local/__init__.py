"""Local search: from state to neighbouring state, down to the value 0."""

from strategies.local.acceptable import acceptable
from strategies.local.algorithms import (
    Climber,
    first_improvement,
    min_conflicts,
    parse_climber,
    steepest_descent,
)
from strategies.local.attempts import Attempt
from strategies.local.climbing import Climb, climb

__all__ = [
    "Attempt",
    "Climb",
    "Climber",
    "acceptable",
    "climb",
    "first_improvement",
    "min_conflicts",
    "parse_climber",
    "steepest_descent",
]
