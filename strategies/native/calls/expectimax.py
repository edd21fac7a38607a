"""Calls the kernels of expectimax with their options: a cut-off, rounded means, a table, bounds."""

from __future__ import annotations

from typing import Any, Final

from strategies.native.calls.alphabeta import Found
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.kernels import expectimax, star
from strategies.native.kernels.control import NEARER, STOP
from strategies.native.kernels.star import roomy, slack
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import BUCKET, Counts, Table

NO_TABLE: Final = cells(BUCKET)


def search_expectimax(
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
    """Search `state` to `depth` plies by expectimax; every branch is visited, except those cut off.

    `reach` is the probability that play from the root of the search reaches `state`; chance nodes
    whose probability is below `cutoff` are valued by their estimate.  With `rounded`, each term of
    a mean is rounded to a whole number.

    Requires: as `Table.claim`.
    Ensures: without `rounded` and `cutoff`, the value and line[0] of `Engine.search`; without a
    table its nodes too.  A table changes neither value nor move.  Lines may end where it answers.
    Raises: as `Engine.search`, but a stopped search returns a result that is not `finished`.

    >>> from games import Twenty48
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(Twenty48(), "interpreted")
    >>> state = engine.game.parse_state("2 2 . .  4 8 . .  2 4 . .  . . . .")
    >>> full, cut = (search_expectimax(engine, state, 3, cutoff=c) for c in (0, 0.02))
    >>> full.value == engine.search(state, 3).value, cut.nodes <= full.nodes
    (True, True)
    """
    numbers = float(reach), float(cutoff)
    meaning = rounded, cutoff
    return run(
        engine, expectimax.expectimax, state, depth, numbers, rounded, table, meaning, nearer, stop
    )


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
    """Run a kernel whose control has the layout of `expectimax`, with one option of its own.

    `meaning` is what the table's entries depend on, apart from game, kernel and `nearer`.

    Raises: as `search_expectimax`.
    """
    control = control_for(depth, expectimax.LINES)
    engine.settle(kernel)
    control[NEARER], control[expectimax.OPTION] = nearer, option
    if table is not None:
        control[expectimax.TABLED] = 1
        table.enter(control, (engine, kernel, nearer, *meaning))
    memory = NO_TABLE if table is None else table.cells
    value, line = run_kernel(
        engine, kernel, state, depth, *numbers,
        control=control, memory=memory, stop=stop, rows=expectimax.LINES,
    )  # fmt: skip
    counts = Counts() if table is None else table.counts(control)
    visited = control[expectimax.NODES], control[expectimax.LEAVES]
    return Found(plain(value), *visited, line, counts, not control[STOP])


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
