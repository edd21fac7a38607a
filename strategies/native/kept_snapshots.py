"""Keeps the copies of games that can change, for the next search of a game that has not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple
from weakref import ref

from games.attributes import held_by
from games.digests import digest_of
from games.game import Game
from games.snapshots import snapshot
from strategies.support.fork_locks import fork_lock


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
    computes once is not computed for each search; the copy is kept as long as the game.
    """
    known, digest = _known.get(id(game)), None
    if known is not None and known.game() is game:
        digest = digest_of(held_by(game))
        if digest == known.digest:
            return known.copy
    made = snapshot(game)
    if made is not game and digest is None:
        digest = digest_of(held_by(game))
    if digest is not None:
        number = id(game)
        with _keeping, suppress(TypeError):  # a class without weak references
            _known[number] = Known(ref(game, lambda _: _known.pop(number, None)), made, digest)
    return made
