"""Follows a line of branches whose first part a search has left in its triangle."""

from __future__ import annotations

from typing import Any

from games.game import Game
from strategies.native.hooks import branches_of, child_of
from strategies.native.kernels.control import IN_PLAY, Control, kernel, row_of


@kernel
def follow_line(
    game: Game[Any, Any], state: Any, depth: int, first: int, at: int, count: int, control: Control
) -> tuple[Any, int]:
    """Follow the `count` branches in the cells from `at` on; return the position that they lead to.

    Also return whether the rows below are still those of the line, in a triangle that begins at the
    cell `first`: 1 if the search has visited no other branch after the line's, at any node of it,
    or only leaves, which end the line of their own row and leave all others alone; else 0.
    """
    kept = 1
    for ply in range(count):
        index = control[at + ply]
        last = control[row_of(first, depth - ply)]
        number = 0
        below = state
        for branch in branches_of(game, state):
            if number == index:
                below = child_of(game, state, branch)
                if last == index or kept == 0:
                    break
            elif (
                last != index
                and kept == 1
                and game.status(child_of(game, state, branch)) == IN_PLAY
            ):
                kept = 0
            number += 1  # noqa: SIM113 - `enumerate` is slower in compiled code
        state = below
    return state, kept
