"""The positions of earlier plays, so that a law is not tested twice in the same position."""

from __future__ import annotations

import pickle
from typing import Any

from games.laws import rules
from games.laws.trace import Trace


class Passed:
    """The positions of all plays so far, as they were when play reached them.

    Two positions are the same if they are equal and have the same pickle, so that fields excluded
    from ``==`` count too.  A position that cannot be pickled is never the same as another.

    >>> from games import HANDOUT_SMALL
    >>> from games.laws import replay
    >>> passed = Passed()
    >>> passed.new_plies(replay(HANDOUT_SMALL, [2, 1]))
    (0, 1, 2)
    >>> passed.new_plies(replay(HANDOUT_SMALL, [2, 0]))
    (2,)
    """

    def __init__(self) -> None:
        self._seen: dict[bytes, Any] = {}

    def new_plies(self, trace: Trace) -> tuple[int, ...]:
        """Return the plies after which a play reaches a position that no play reached before.

        The play is replayed, and each position is stored as it was before any rule was called for
        it.  A position that later moves change is not stored, because it is already changed when a
        law is tested.  If a play cannot be replayed, all its plies are new.
        """
        new = []
        try:
            state = rules.ask(trace.game, "start")
            for ply, choice in enumerate((*trace.choices, None)):
                arrived = written(state)
                if not self._holds(arrived, state):
                    new.append(ply)
                child = None
                if ply < trace.plies:
                    child = rules.choose(trace.game, state, choice)
                if arrived and arrived == written(state):
                    self._seen.setdefault(arrived, state)
                state = child
        except Exception:
            return tuple(range(len(trace.states)))
        return tuple(new)

    def _holds(self, key: bytes, state: Any) -> bool:
        try:
            return key in self._seen and bool(self._seen[key] == state)
        except Exception:  # states that cannot be compared are always new
            return False


def written(state: Any) -> bytes:
    """Return the pickle of a state; empty if it cannot be pickled."""
    try:
        return pickle.dumps(state)
    except Exception:
        return b""
