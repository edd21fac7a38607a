"""Problems for local search: their signature, the queens, graph colouring, and their laws."""

from games.problems.assignment import Assignment
from games.problems.coloring import Coloring
from games.problems.laws import broken_laws
from games.problems.named import NAMES, find_problem
from games.problems.problem import Problem
from games.problems.queens import Queens

__all__ = [
    "NAMES",
    "Assignment",
    "Coloring",
    "Problem",
    "Queens",
    "broken_laws",
    "find_problem",
]
