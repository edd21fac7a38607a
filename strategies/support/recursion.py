"""Room for walks that call themselves once a ply, deeper than Python's usual limit allows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from strategies.support.fork_locks import fork_lock

SHALLOW: Final = 60
"""The plies for which the usual limit of 1,000 calls has room."""
CALLS: Final = 10
"""The most calls inside each other that a walk makes for a ply."""

_lock = fork_lock()
_walks: dict[int, int] = {}
"""The calls that the walks under way need, by the identity of each."""
_usual: list[int] = []
"""The limit before the first of them."""


@contextmanager
def room_for(plies: int) -> Iterator[None]:
    """Raise Python's limit of calls inside each other while a walk of so many plies is under way,
    unless it has room for them.

    Ensures: when the last walk has ended, in any thread, the limit is as it was before the first.

    >>> before = sys.getrecursionlimit()
    >>> with room_for(400):
    ...     sys.getrecursionlimit() >= before + 4000
    True
    >>> sys.getrecursionlimit() == before
    True
    """
    if plies <= SHALLOW:
        yield
        return
    walk = object()
    with _lock:
        if not _walks:
            _usual[:] = [sys.getrecursionlimit()]
        _walks[id(walk)] = CALLS * plies
        sys.setrecursionlimit(_usual[0] + max(_walks.values()))
    try:
        yield
    finally:
        with _lock:
            del _walks[id(walk)]
            if not _walks:
                sys.setrecursionlimit(_usual[0])
