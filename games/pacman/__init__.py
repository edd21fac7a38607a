"""Pacman: one against several ghosts, some of them random.  Mazes are text files; see `Maze`.

Begin reading with `games.pacman.rules`; `games.pacman.maze` reads and checks the mazes.  The
package may use the signature, features and text places.
"""

from games.pacman.maze import Maze, maze_names
from games.pacman.rules import Pacman, Scene

__all__ = ["Maze", "Pacman", "Scene", "maze_names"]
