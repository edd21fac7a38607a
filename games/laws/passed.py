"""The positions that plays have passed, so that a law is not asked twice in one of them."""

from __future__ import annotations

import pickle
from typing import Any

from games.laws import rules
from games.laws.trace import Trace


class Passed:
    """The positions of all plays so far, as they were when play came to them.

    Two positions are the same if they are equal and pickled alike, so that what takes no part in
    ``==`` counts too.  A position that cannot be pickled is never the same as another.

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
        """Where a play comes to a position that no play came to before.

        The play is played again, and a position is remembered as it was before any rule was asked
        about it.  One that is changed by going on is not remembered: it is spoilt by the time that
        a law is asked, and so was not put to the test.  Of a play that cannot be played again, all
        plies are new.
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
        except Exception:  # states that cannot be compared are all new
            return False


def written(state: Any) -> bytes:
    """The state as bytes, none if it cannot be pickled."""
    try:
        return pickle.dumps(state)
    except Exception:
        return b""
