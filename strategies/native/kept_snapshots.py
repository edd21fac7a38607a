"""Keeps the copies of games that can change, for the next search of a game that has not."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple
from weakref import ref

from games.attributes import held_by
from games.digests import digest_of
from games.game import Game
from games.snapshots import can_change, snapshot
from strategies.support.fork_locks import fork_lock

KEPT: Final = 16
"""The most games of which copies are kept: a copy may refer to its game, which then lives on."""


class Known(NamedTuple):
    """A game that lives, its copy, and the digest of what the game held then."""

    game: ref[Game[Any, Any]]
    copy: Game[Any, Any]
    digest: bytes


_known: dict[int, Known] = {}
_keeping = fork_lock()


def kept_snapshot(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return a game as it is now, as `snapshot` does.

    Ensures: the same copy as for the last call, while the game has not changed, so that what it
    computes once is not computed for each search; copies of the last `KEPT` games that live are
    kept.
    """
    if not can_change(game):
        return game
    number, digest = id(game), digest_of(held_by(game))
    known = _known.get(number)
    if known is not None and known.game() is game and known.digest == digest:
        return known.copy
    made = snapshot(game)
    if digest is not None:
        with _keeping, suppress(TypeError):  # a class without weak references
            _known.pop(number, None)
            while len(_known) >= KEPT:
                del _known[next(iter(_known))]
            _known[number] = Known(ref(game, partial(_forgotten, _known, number)), made, digest)
    return made


def _forgotten(known: dict[int, Known], number: int, _: object) -> None:
    """Drop the copy of a game that is gone, also while the process ends."""
    known.pop(number, None)
