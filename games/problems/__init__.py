"""Problems for local search: their signature, the queens, graph colouring, and their laws.

Begin reading with `games.problems.problem`, the signature, then `games.problems.queens`.  The
package knows no search and no game of players.
"""

from games.problems.assignment import Assignment
from games.problems.coloring import Coloring
from games.problems.laws import broken_laws
from games.problems.named import NAMES, find_problem
from games.problems.problem import Problem
from games.problems.queens import Queens

__all__ = ["NAMES", "Assignment", "Coloring", "Problem", "Queens", "broken_laws", "find_problem"]
