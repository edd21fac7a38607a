"""Pacman against several ghosts, some of which move at random, in mazes from text files.

It may import the interface of games, `games.features` and `games.text_places`. Start with
`games.pacman.rules`; `games.pacman.maze` reads and checks mazes, and positions in them.
"""

from games.pacman.maze import Maze, Scene, maze_names
from games.pacman.rules import Pacman

__all__ = ["Maze", "Pacman", "Scene", "maze_names"]
