"""Problems for local search: their interface, n queens, graph colouring, and laws of problems.

This package may import `graphs`. It is independent of games and of searches. Start with
`games.problems.problem` (the interface), then `games.problems.queens`.
"""

from games.problems.coloring import Coloring
from games.problems.laws import broken_laws
from games.problems.problem import Assignment, Problem
from games.problems.queens import NAMES, Queens, find_problem

__all__ = ["NAMES", "Assignment", "Coloring", "Problem", "Queens", "broken_laws", "find_problem"]
