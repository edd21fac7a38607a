"""Pacman: one against several ghosts, some of them random.  Mazes are text files; see `Maze`."""

from games.pacman.maze import Maze, maze_names
from games.pacman.rules import Pacman, Scene

__all__ = ["Maze", "Pacman", "Scene", "maze_names"]
