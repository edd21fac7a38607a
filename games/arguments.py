"""The check of the argument `game`."""

from __future__ import annotations

from typing import Any

from games.game import Game
from graphs.arguments import shown
from graphs.errors import ArgumentError


def check_game(game: Any, instead: str = "") -> Game[Any, Any]:
    """Check that an argument is a game, and return it.

    `instead` is the hint for a `Position`.

    Raises: ArgumentError.

    >>> check_game("tictactoe")
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: a game is needed, not 'tictactoe'; write find_game('tictactoe')
    """
    if isinstance(game, Game):
        return game
    hint = ""
    if isinstance(game, type) and issubclass(game, Game):
        hint = f"; write {game.__name__}()"
    elif isinstance(getattr(game, "game", None), Game):
        hint = instead or ": write p.game"
    elif isinstance(game, str) and game:
        hint = f"; write find_game({shown(game)})"
    raise ArgumentError(f"a game is needed, not {shown(game)}{hint}")
