"""Steps from position to position: a branch for a plan, a turn of a game, a line of branches."""

from __future__ import annotations

from typing import Any

from games.game import CHANCE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import branches_of, child_of, moves_of, outcome_of, rank_of, unit_of
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, Control, kernel, row_of


@kernel
def child(game: Game[Any, Any], state: Any, index: int) -> tuple[Any, int, int]:
    """Create branch `index` of a position in play where a player moves; return its position,
    whether the game is over there, and the rank of its promise among its siblings."""
    for move in moves_of(game, state):
        if index == 0:
            state = game.make_move(state, move)
            break
        index -= 1
    return state, 0 if game.status(state) == IN_PLAY else 1, rank_of(game, state)


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


@kernel
def turn(
    game: Game[Any, Any], state: Any, index: int, seed: int, drawn: int, most: int
) -> tuple[Any, int, int, int]:
    """Play branch `index` (none if below 0) and the outcomes that follow it; return the position,
    whether it is in play, the player to move, and the number of outcomes drawn, including the
    earlier ones.  At `most` outcomes, chance may still be to move.

    Outcome n is drawn by a number that depends only on `seed` and n.
    """
    if index >= 0:
        here = state
        for move in branches_of(game, here):
            if index == 0:
                state = child_of(game, here, move)
                break
            index -= 1
    playing = game.status(state) == IN_PLAY
    if HAS_CHANCE:
        while playing and drawn < most and game.player(state) == CHANCE:
            number = mix(mix(U64(seed)) + GOLDEN * U64(drawn + 1))
            state, _ = outcome_of(game, state, unit_of(number))
            drawn += 1
            playing = game.status(state) == IN_PLAY
    return state, 1 if playing else 0, game.player(state), drawn
