"""Makes the branches of a position for who plans a search: in Python, rules are slow."""

from __future__ import annotations

from typing import Any

from games.game import Game
from strategies.native.hooks import moves_of, rank_of
from strategies.native.kernels.control import IN_PLAY, kernel


@kernel
def child(game: Game[Any, Any], state: Any, index: int) -> tuple[Any, int, int]:
    """Makes branch `index` of a position in play where a player moves: the position that it leads
    to, whether the play is over there, and how the game's promise ranks it among its siblings."""
    for move in moves_of(game, state):
        if index == 0:
            state = game.make_move(state, move)
            break
        index -= 1
    return state, 0 if game.status(state) == IN_PLAY else 1, rank_of(game, state)
