"""Pacman against several ghosts, some of which move at random, in mazes from text files.

It may import the interface of games, `games.features` and `games.text_places`. Start with
`games.pacman.rules`; `games.pacman.maze` reads and checks mazes, `games.pacman.scene` positions.
"""

from games.pacman.maze import Maze, maze_names
from games.pacman.rules import Pacman
from games.pacman.scene import Scene

__all__ = ["Maze", "Pacman", "Scene", "maze_names"]
