"""Plays a turn of a game: a move, then what chance draws."""

from __future__ import annotations

from typing import Any

from games.game import CHANCE, Game
from games.u64 import U64
from strategies.native.hooks import GOLDEN, branches_of, child_of, mix, outcome_of, unit_of
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, kernel


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
