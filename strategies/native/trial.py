"""Trials: the first search of a game is begun interpreted, in case it is over at once.

Compiling rules takes seconds, and loading the compiler half of one.  A search that is over before
that is answered without; one that is not begins anew, as machine code.  Both engines give the same
answer and counts.  Whoever searches a game a second time will search it more often: there is one
trial for a class of games in a process, and none where code of its rules is kept on disk.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakSet

from strategies.native.kept_code import identity, is_kept

LONGEST: Final = 0.5
"""Seconds of the processor that a trial may take: some tenth of what compiling takes."""

_tried: WeakSet[type] = WeakSet()


def worth_a_trial(game: Any, kernel: Any, state: Any) -> bool:
    """Says whether a search is to be begun interpreted: once for a class of games.

    Requires: nobody has asked yet if the rules compile.
    """
    cls = type(game)
    if cls in _tried:
        return False
    _tried.add(cls)
    return not is_kept(kernel, identity(cls), identity(type(state)))
