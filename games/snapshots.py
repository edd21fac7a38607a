"""Copies of games that can change, so that what was begun with one goes on with the same rules."""

from __future__ import annotations

from contextlib import suppress
from copy import copy, deepcopy
from typing import Any

from games.attributes import held_by
from games.digests import digest_of
from games.game import Game


def snapshot(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return a game as it is now: itself if its class is frozen, or else a copy.

    A frozen class is taken at its word: what it holds does not change.

    Ensures: the copy holds the same as the game until this is changed; of a frozen game that holds
    another one, a transform for example, the one inside is copied.  What cannot be copied is
    shared, and so is the class.
    Cost: that of a deep copy of what the game holds.

    >>> from games import TicTacToe
    >>> game = TicTacToe()
    >>> snapshot(game) is game
    True
    """
    if not can_change(game):
        return game
    try:
        made = copy(game)
    except Exception:  # a class of the user's may raise anything
        return game
    if made is game:
        return game
    frozen, memo = is_frozen(type(game)), {id(game): made}
    for name, value in held_by(game).items():
        if not frozen or isinstance(value, Game):
            with suppress(Exception):  # a lock or a file, for example
                kept = snapshot(value) if frozen else deepcopy(value, memo)
                object.__setattr__(made, name, kept)
    return made


def can_change(game: Game[Any, Any]) -> bool:
    """Return whether the attributes of a game, or of one inside it, can be set."""
    if not is_frozen(type(game)):
        return True
    return any(can_change(value) for value in held_by(game).values() if isinstance(value, Game))


def is_frozen(cls: Any) -> bool:
    """Return whether the attributes of the instances of a class can be neither set nor deleted."""
    return cls.__setattr__ is not object.__setattr__ and cls.__delattr__ is not object.__delattr__


def is_same(game: Game[Any, Any], other: Game[Any, Any]) -> bool:
    """Return whether two games are equal, or hold the same, as a game and its snapshot do."""
    if game is other:
        return True
    with suppress(Exception):  # arrays have no truth value
        if game == other:
            return True
    if type(game) is not type(other):
        return False
    digest = digest_of(held_by(game))
    return digest is not None and digest == digest_of(held_by(other))
