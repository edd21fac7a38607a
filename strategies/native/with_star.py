"""Star1 and Star2: how the kernel of `star` is called, and what comes of it."""

from __future__ import annotations

from typing import Any

from . import star
from .bounds import roomy, slack
from .cells import Stop, cells
from .engine import DEEPEST, Engine, best_line, plain
from .failures import failure
from .floats import INFINITY
from .kernels import NEARER, ROWS, STOP
from .table import Counts, Table
from .with_means import NO_TABLE
from .with_table import Found


def search_star(
    engine: Engine, state: Any, depth: int, bounds: tuple[float, float],
    alpha: float = -INFINITY, beta: float = INFINITY, *, probes: bool = False,
    table: Table | None = None, nearer: bool = True, stop: Stop | None = None,
) -> Found:  # fmt: skip
    """The value of `state` at `depth` plies by expectimax, pruned at chance nodes too.

    With `probes` it is Star2, else Star1; a table keeps what is found, by probes too.
    Requires: all estimates and results lie in `bounds`, the worth of near wins included; a table
    that has served this game only, with the same `nearer`.
    Ensures: inside the window, the value and line[0] of `Engine.search` without pruning, to the
    last bit; at or beyond an end, a bound on that side.  Lines may end where a table answers.
    Raises: as `Engine.search`, but a stopped search is returned, not `finished`.

    >>> from games.pig import Pig
    >>> from strategies.native import engine_for
    >>> engine, state = engine_for(Pig(4), "interpreted"), Pig(4).start()
    >>> full, pruned = engine.search(state, 6), search_star(engine, state, 6, (-1, 1))
    >>> full.value == pruned.value, pruned.nodes < full.nodes
    (True, True)
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth is {depth}: a search has 0 to {DEEPEST} plies")
    engine.warm()
    control = cells(star.star_size(depth))
    control[NEARER], control[star.PROBES] = nearer, probes
    if table is not None:
        control[star.TABLED] = 1
        table.enter(control)
    memory = NO_TABLE if table is None else table.cells
    low, high = roomy(*map(float, bounds))
    numbers = float(alpha), float(beta), low, high, slack(low, high)
    try:
        with (stop or Stop()).watching(control):
            value = engine.call(star.star, state, depth, *numbers, control, memory)
    except Exception as error:
        found = failure(engine.game, state, depth, lines(control), error)
        if found is error:
            raise
        raise found from error
    line = best_line(lines(control), depth)
    counts = Counts() if table is None else table.counts(control)
    visited = control[star.NODES], control[star.LEAVES]
    return Found(plain(value), *visited, line, counts, not control[STOP])


def lines(control: Any) -> Any:
    """The cells of a control from where a plain search has its own."""
    return control[star.LINES - ROWS :]
