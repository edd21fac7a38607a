"""Reads positions from texts: the notation of a game, and turns, moves and outcomes, after it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from games.game import Game, IllegalMove
from games.text_places import place_of, placed_turns
from graphs.errors import MalformedError
from graphs.limits import MOST_SEMICOLONS


def read_position(game: Game[Any, Any], text: str) -> Any:
    """Read a position from a text that the game reads, or from turns, or from both with ; between.

    A turn is a move, by its text, or an outcome of chance, by its number from 0 or the label of the
    position after it.  Turns are played from the position before the last semicolon, or the start.
    An empty text is the start.

    Raises: ValueError, with line and column, for another text; `IllegalMove` for a turn that the
    rules do not allow.

    >>> from games import Pig
    >>> for text in "40 52", "roll 5", "40 52; roll 5 hold":
    ...     print(Pig().show(read_position(Pig(), text)))
    40 52, Maxie has brought 0
    0 0, Maxie has brought 6
    46 52, Minnie has brought 0
    """
    if not text.strip():
        return game.start()
    try:
        return game.parse_state(text)
    except (ValueError, NotImplementedError) as error:  # the latter if the game reads no text
        refused = error
    if text.count(";") > MOST_SEMICOLONS:
        raise refused
    before, semicolon, _ = text.rpartition(";")
    if semicolon:
        if before.rstrip().endswith(";"):
            where = place_of(text, len(before))
            raise MalformedError(f"{where}: there is nothing between two semicolons")
        return game.read_turns(text, read_position(game, before), len(before) + 1)
    try:
        return game.read_turns(text)
    except ValueError as error:
        raise (error if _begins(game, text) else refused) from None


def _begins(game: Game[Any, Any], text: str) -> bool:
    """Return whether the first word is a turn from the start, so that the text is one of turns."""
    for blanks in "", ",":
        with suppress(IllegalMove):
            game.played(placed_turns(text, blanks)[:1])
            return True
    return False
