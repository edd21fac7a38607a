"""Trials: the first search of a game is begun interpreted, because it may end at once.

Compiling rules takes seconds, and loading the compiler half a second.  A search that ends before
that never pays for it; one that does not is begun again as machine code.  Both engines return the
same answer and counts.  A game that is searched twice will probably be searched more often: there
is one trial for each class of games in a process, and none if code of its rules is on disk.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from strategies.native.kept_code import identity, is_kept

_tried: WeakSet[type] = WeakSet()


def worth_a_trial(game: Any, kernel: Any, state: Any) -> bool:
    """Return whether a search should be begun interpreted; true once for each class of games.

    Requires: nothing has found out yet whether the rules compile.
    """
    cls = type(game)
    if cls in _tried:
        return False
    _tried.add(cls)
    return not is_kept(kernel, identity(cls), identity(type(state)))
