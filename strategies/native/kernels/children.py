"""Creates the branches of a position for planning a search, because rules are slow in Python."""

from __future__ import annotations

from typing import Any

from games.game import Game
from strategies.native.hooks import moves_of, rank_of
from strategies.native.kernels.control import IN_PLAY, kernel


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
