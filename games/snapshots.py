"""Copies of games that can change, so that what was begun with one goes on with the same rules."""

from __future__ import annotations

from contextlib import suppress
from copy import copy, deepcopy
from typing import Any

from games.attributes import held_by
from games.game import Game


def snapshot(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return a game as it is now: itself if its class is frozen, or else a copy.

    Ensures: the copy equals the game until this is changed; of a frozen game that holds another
    one, a transform for example, the one inside is copied.  What cannot be copied is shared.
    Cost: that of a deep copy of what the game holds.

    >>> from games import TicTacToe
    >>> game = TicTacToe()
    >>> snapshot(game) is game
    True
    """
    held = held_by(game)
    if is_frozen(type(game)):
        inner = {name: value for name, value in held.items() if isinstance(value, Game)}
        kept = {name: snapshot(value) for name, value in inner.items()}
        if all(kept[name] is value for name, value in inner.items()):
            return game
        made = copy(game)
    else:
        made = copy(game)
        kept, memo = {}, {id(game): made}
        for name, value in held.items():
            with suppress(Exception):  # a lock or a file, for example
                kept[name] = deepcopy(value, memo)
    for name, value in kept.items():
        object.__setattr__(made, name, value)
    return made


def is_frozen(cls: Any) -> bool:
    """Return whether the attributes of the instances of a class can be neither set nor deleted."""
    return cls.__delattr__ is not object.__delattr__
