"""Calls the Star1 and Star2 kernel, with the bounds of all values widened for rounding."""

from __future__ import annotations

from typing import Any

from strategies.native.calls.alphabeta import Found
from strategies.native.calls.expectimax import run
from strategies.native.engine import Engine
from strategies.native.kernels import star
from strategies.native.kernels.star_bounds import roomy, slack
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import Table


def search_star(
    engine: Engine, state: Any, depth: int, bounds: tuple[float, float],
    alpha: float = -INFINITY, beta: float = INFINITY, *, probes: bool = False,
    table: Table | None = None, nearer: bool = True, stop: Stop | None = None,
) -> Found:  # fmt: skip
    """Search `state` to `depth` plies by expectimax with pruning at chance nodes.

    With `probes` it is Star2, else Star1; a table keeps the results, those of probes too.

    Requires: all estimates and results lie in `bounds`, including the bonus of near wins; as
    `Table.claim`.
    Ensures: inside the window, the value and line[0] of `Engine.search` without pruning, to the
    last bit; at or beyond an end, a bound on that side.  Lines may end where a table answers.
    Raises: as `Engine.search`, but a stopped search returns a result that is not `finished`.

    >>> from games.pig.rules import Pig
    >>> from strategies.native.kept_engines import engine_for
    >>> engine, state = engine_for(Pig(4), "interpreted"), Pig(4).start()
    >>> full, pruned = engine.search(state, 6), search_star(engine, state, 6, (-1, 1))
    >>> full.value == pruned.value, pruned.nodes < full.nodes
    (True, True)
    """
    low, high = roomy(*map(float, bounds))
    numbers = float(alpha), float(beta), low, high, slack(low, high)
    meaning = low, high
    return run(engine, star.star, state, depth, numbers, probes, table, meaning, nearer, stop)
