"""Calls the max^n kernel, with the bounds by which it prunes."""

from __future__ import annotations

from typing import Any

from strategies.native.calls.alphabeta import Found
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.kernels.control import LEAVES, NODES, STOP
from strategies.native.kernels.maxn import maxn
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import Counts

SLACK = 1e-9
"""The relative error allowed in the sum of values, because estimates are rounded."""


def search_maxn(engine: Engine, state: Any, depth: int, stop: Stop | None = None) -> Found:
    """Search `state` to `depth` plies by max^n: each player maximizes his own value.

    Requires: the game's estimates and results are tuples, one value for each player.
    Ensures: a tuple; the line is that of the leftmost best branches.  Branches are pruned by the
    game's `value_range` and `value_sum`, if it has them; the values are those of the full tree.
    Raises: as `Engine.search`, but a stopped search returns a result that is not `finished`.

    >>> from games.pig.rules import PigForMany
    >>> from strategies.native.kept_engines import engine_for
    >>> game = PigForMany(target=20)
    >>> state = game.parse_state("0 7 19, Player2 has brought 2")
    >>> search_maxn(engine_for(game, "interpreted"), state, 1).value
    (0, 0, 1)
    """
    control = control_for(depth)
    engine.settle(maxn)
    game = engine.game
    low, top = game.value_range or (-INFINITY, INFINITY)
    total = INFINITY
    if game.value_sum is not None and low > -INFINITY:
        total = game.value_sum - (game.players - 2) * low
        total += SLACK * max(abs(game.value_sum), abs(low), abs(top))
    bars = -1, INFINITY, float(top), float(total)
    value, line = run_kernel(engine, maxn, state, depth, *bars, control=control, stop=stop)
    values: Any = tuple(map(plain, value))
    return Found(values, control[NODES], control[LEAVES], line, Counts(), not control[STOP])
