"""max^n: how the kernel of `several` is called, and what comes of it."""

from __future__ import annotations

from typing import Any

from strategies.native.calls.alphabeta import Found
from strategies.native.engine import DEEPEST, Engine, best_line, plain
from strategies.native.failures import failure, stuck
from strategies.native.kernels.control import LEAVES, NODES, STOP, STUCK, control_size
from strategies.native.kernels.maxn import several
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import Counts

SLACK = 1e-9
"""How far values may be off their sum, as a part of it: estimates are rounded."""


def search_several(engine: Engine, state: Any, depth: int, stop: Stop | None = None) -> Found:
    """The values of `state` at `depth` plies, each player taking what is best for himself.

    Requires: the game's estimates and results are tuples, one value for each player.
    Ensures: a tuple; the line is that of the leftmost best branches.  Branches are pruned by the
    game's `value_range` and `value_sum`, if it has them; the values are those of the full tree.
    Raises: as `Engine.search`, but a stopped search is returned, not `finished`.

    >>> from games.pig import PigForMany
    >>> from strategies.native.engine import engine_for
    >>> game = PigForMany(target=20)
    >>> state = game.parse_state("0 7 19, Player2 has brought 2")
    >>> search_several(engine_for(game, "interpreted"), state, 1).value
    (0, 0, 1)
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth is {depth}: a search has 0 to {DEEPEST} plies")
    engine.settle(several)
    game = engine.game
    low, top = game.value_range or (-INFINITY, INFINITY)
    total = INFINITY
    if game.value_sum is not None and low > -INFINITY:
        total = game.value_sum - (game.players - 2) * low
        total += SLACK * max(abs(game.value_sum), abs(low), abs(top))
    control = cells(control_size(depth))
    bars = -1, INFINITY, float(top), float(total)
    try:
        with (stop or Stop()).watching(control):
            value = engine.call(several, state, depth, *bars, control)
    except Exception as error:
        found = failure(game, state, depth, control, error)
        if found is error:
            raise
        raise found from error
    if control[STOP] == STUCK:
        raise stuck(game, state, depth, control)
    values: Any = tuple(map(plain, value))
    line = best_line(control, depth)
    return Found(values, control[NODES], control[LEAVES], line, Counts(), not control[STOP])
