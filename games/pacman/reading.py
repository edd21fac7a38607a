"""Read positions of Pacman from their labels, and say what does not fit the maze."""

from __future__ import annotations

from games.pacman.maze import CAPSULE, Maze
from games.pacman.scene import LABEL, Scene, scene_of
from games.text_places import label_in, place_of
from graphs.arguments import excerpt
from graphs.errors import MalformedError

Fault = tuple[str, str] | None
"""The part of a label that is wrong, and the reason; None if nothing is."""


def read_scene(text: str, maze: Maze, start: Scene, rounds: int, scared_time: int) -> Scene:
    """Read the position of a maze that a label describes, as `scene_of` says.

    Requires: `start` is the first position in the maze; a game of so many rounds.
    Raises: ValueError, with line and column, for a text that is not a label, or that is not a
    position of this maze.
    """
    found = label_in(text, LABEL, excerpt(start.label))
    state = scene_of(found, 1 + len(start.more_food))
    fault = (
        _of_places(state, start, maze)
        or _of_turns(state, start, rounds)
        or _of_capsules(state, start, maze)
        or _of_scared(state, start, scared_time)
    )
    if fault is not None:
        part, why = fault
        raise MalformedError(f"{place_of(text, max(found.start(part), found.start()))}: {why}")
    return state


def _of_places(state: Scene, start: Scene, maze: Maze) -> Fault:
    """Return what is wrong with where Pacman, the ghosts and the food are."""
    free = maze.reached()
    for part, cells in (("pacman", (state.pacman,)), ("ghosts", state.ghosts)):
        for cell in cells:
            if cell not in free:
                return part, f"cell {cell} is not a free cell of the maze"
    if len(state.ghosts) != len(start.ghosts):
        return "ghosts", f"{len(state.ghosts)} ghosts where the maze has {len(start.ghosts)}"
    words = [(state.food, start.food), *zip(state.more_food, start.more_food, strict=False)]
    more = len(state.more_food) > len(start.more_food)
    if more or any(left & ~every for left, every in words) or state.is_food(state.pacman):
        return "food", "there is food where the maze has none, or where Pacman is"
    return None


def _of_turns(state: Scene, start: Scene, rounds: int) -> Fault:
    if state.turn > len(start.ghosts):
        return "turn", f"the turn must be 0 to {len(start.ghosts)}"
    if state.rounds > rounds:
        return "rounds", f"the round must be 0 to {rounds}"
    return None


def _of_capsules(state: Scene, start: Scene, maze: Maze) -> Fault:
    """Return what is wrong with the capsules, the scared ghosts and those eaten."""
    if len(state.scared) != len(start.scared):
        many = f"the maze has {len(start.scared)} ghosts that capsules scare"
        return "scared", f"{many}, not {len(state.scared)}"
    cells = maze.cells(CAPSULE)
    here = 1 << cells.index(state.pacman) if state.pacman in cells else 0
    if state.capsules & (~start.capsules | here):
        return "capsules", "there is a capsule that the maze does not have, or where Pacman is"
    gone = len(cells) - state.capsules.bit_count()
    if state.eaten > gone * len(start.ghosts):
        return "eaten", f"at most {gone * len(start.ghosts)} ghosts are eaten by {gone} capsules"
    return None


def _of_scared(state: Scene, start: Scene, scared_time: int) -> Fault:
    """Return what is wrong with how long a ghost is scared."""
    most = 0 if state.capsules == start.capsules else scared_time
    for ghost, left, home in zip(state.ghosts, state.scared, start.ghosts, strict=False):
        if left > most:
            return "scared", f"a ghost is scared for at most {most} moves here, not {left}"
        if left > 0 and ghost == state.pacman:
            return "scared", "a scared ghost is where Pacman is, who would have eaten it"
        if left < 0 and (ghost != home or state.eaten == 0):
            return "scared", "-1 is for a ghost that was eaten and is where it started"
    return None
