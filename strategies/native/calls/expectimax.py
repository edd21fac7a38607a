"""Expectimax with its options: how the kernel of `means` is called, and what comes of it."""

from __future__ import annotations

from typing import Any, Final

from strategies.native.calls.alphabeta import Found
from strategies.native.engine import DEEPEST, Engine, best_line, plain
from strategies.native.failures import failure, stuck
from strategies.native.kernels import expectimax as means
from strategies.native.kernels.control import NEARER, ROWS, STOP, STUCK
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.transposition_table import BUCKET, Counts, Table

NO_TABLE: Final = cells(BUCKET)


def search_means(
    engine: Engine,
    state: Any,
    depth: int,
    *,
    cutoff: float = 0.0,
    reach: float = 1.0,
    rounded: bool = False,
    table: Table | None = None,
    nearer: bool = True,
    stop: Stop | None = None,
) -> Found:
    """The value of `state` at `depth` plies by expectimax, every branch visited, with options.

    `reach` is the probability with which the root of the search came to `state`; chance nodes whose
    probability is below `cutoff` are valued by their estimate.  With `rounded`, each term of a mean
    is rounded to a whole number.
    Requires: as `Table.claim`.
    Ensures: without `rounded` and `cutoff`, the value and line[0] of `Engine.search`; without a
    table its nodes too.  A table changes neither value nor move.  Lines may end where it answers.
    Raises: as `Engine.search`, but a stopped search is returned, not `finished`.

    >>> from games import Twenty48
    >>> from strategies.native.engine import engine_for
    >>> engine = engine_for(Twenty48(), "interpreted")
    >>> state = engine.game.parse_state("2 2 . .  4 8 . .  2 4 . .  . . . .")
    >>> full, cut = (search_means(engine, state, 3, cutoff=c) for c in (0, 0.02))
    >>> full.value == engine.search(state, 3).value, cut.nodes <= full.nodes
    (True, True)
    """
    numbers = float(reach), float(cutoff)
    meaning = rounded, cutoff
    return run(engine, means.expected, state, depth, numbers, rounded, table, meaning, nearer, stop)


def run(
    engine: Engine,
    kernel: Any,
    state: Any,
    depth: int,
    numbers: tuple[float, ...],
    option: bool,
    table: Table | None,
    meaning: tuple[Any, ...],
    nearer: bool,
    stop: Stop | None,
) -> Found:
    """What a kernel finds whose control is laid out as that of `means`, with one option of its own.

    `meaning` is what its table's entries depend on, beside game, kernel and `nearer`.

    Raises: as `search_means`.
    """
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth is {depth}: a search has 0 to {DEEPEST} plies")
    engine.settle(kernel)
    control = cells(means.means_size(depth))
    control[NEARER], control[means.OPTION] = nearer, option
    if table is not None:
        control[means.TABLED] = 1
        table.enter(control, (engine, kernel, nearer, *meaning))
    memory = NO_TABLE if table is None else table.cells
    try:
        with (stop or Stop()).watching(control):
            value = engine.call(kernel, state, depth, *numbers, control, memory)
    except Exception as error:
        found = failure(engine.game, state, depth, lines(control), error)
        if found is error:
            raise
        raise found from error
    if control[STOP] == STUCK:
        raise stuck(engine.game, state, depth, lines(control))
    line = best_line(lines(control), depth)
    counts = Counts() if table is None else table.counts(control)
    visited = control[means.NODES], control[means.LEAVES]
    return Found(plain(value), *visited, line, counts, not control[STOP])


def lines(control: Any) -> Any:
    """The cells of a control from where a plain search has its own."""
    return control[means.LINES - ROWS :]
