"""Keeps the copies of games that can change, for the next search of a game that has not."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.attributes import computed_once
from games.game import Game
from games.snapshots import snapshot
from strategies.native.reach import contents, same
from strategies.support.fork_locks import fork_lock

KEPT = 16
"""The most games of which copies are kept."""


class Known(NamedTuple):
    """A game, its copy, and what the game held then."""

    game: Game[Any, Any]
    copy: Game[Any, Any]
    held: tuple[Any, ...]


_known: dict[int, Known] = {}
_keeping = fork_lock()


def kept_snapshot(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return a game as it is now, as `snapshot` does.

    Ensures: the same copy as for the last call, while the game has not changed, so that what it
    computes once is not computed for each search.
    """
    known = _known.get(id(game))
    if known is not None and known.game is game and same(_held(game), known.held):
        return known.copy
    made = snapshot(game)
    if made is not game:
        with _keeping:
            while len(_known) >= KEPT:
                del _known[next(iter(_known))]
            _known[id(game)] = Known(game, made, _held(game))
    return made


def _held(game: Game[Any, Any]) -> tuple[Any, ...]:
    return contents(game) + contents(computed_once(game))
