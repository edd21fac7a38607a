"""Calls a kernel and reads what it counted; makes the branches of a position by machine code."""

from __future__ import annotations

from typing import Any, NamedTuple

from strategies.native.engine import Engine
from strategies.native.failures import UNKNOWN, failure, raise_failure
from strategies.native.kernels.control import ROWS, STOP, STUCK, WIDEST, Place, row_of
from strategies.native.kernels.steps import child
from strategies.native.memory.cells import Stop


def run_kernel(
    engine: Engine, kernel: Any, state: Any, depth: int, *numbers: Any,
    control: Any, memory: Any = None, stop: Stop | None = None, rows: int = ROWS,
    again: tuple[Any, ...] | None = None, place: Place = row_of,
    traces: bool = True,
) -> tuple[Any, tuple[int, ...]]:  # fmt: skip
    """Run a search kernel from one position; return its result and the principal variation.

    The kernel receives the position, the depth, `numbers`, its `control` cells, and, as `memory`,
    the cells of a table or a policy if it takes them.  What is cut off of a long line is searched
    again, with the numbers `again`, or the same.
    Requires: the triangle of lines begins at the cell `rows` of `control`.  With `cell_of` as the
    `place` of a ply, one cell for each ply begins there, and there is no line.
    Ensures: setting `stop` ends the kernel; ``control[STOP]`` then says so.
    Raises: `RuleFailed` where a rule fails, or a position in play has no moves.
    """
    shared = () if memory is None else (memory,)
    new = control[:rows] if depth > WIDEST else ()
    try:
        with (stop or Stop()).watching(control) as row:
            found = engine.run(kernel, state, depth, *numbers, row, *shared)
            at = kernel, state, depth, *(again or numbers), row, *shared
            lined = place is row_of
            how = {"control": control, "new": new, "rows": rows, "traces": traces}
            line = engine.line_of(*at, **how) if lined else ()
    except Exception as error:
        raise_failure(failure(engine.game, state, depth, control, error, rows, place), error)
    if control[STOP] == STUCK:
        raise failure(engine.game, state, depth, control, UNKNOWN, rows, place)
    return found, line


class Child(NamedTuple):
    """A branch of a position."""

    move: Any
    """The move; for an outcome, its number."""
    chance: float
    """The probability of an outcome, else 1."""
    state: Any
    over: bool | None = None
    """Whether the game is over there; None if unknown."""
    rank: int | None = None
    """The rank of the game's promise among the siblings; None if unknown."""


def children(engine: Engine, state: Any) -> list[Child]:
    """Create the branches of a position in play where a player moves, by the kernel `child`.

    >>> from games import TicTacToe
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(TicTacToe(), "interpreted")
    >>> [(b.move, b.over) for b in children(engine, engine.game.parse_state("1 4 2 5"))]
    [(2, True), (5, False), (6, False), (7, False), (8, False)]
    """
    found = []
    for index, move in enumerate(engine.game.moves(state)):
        after, over, rank = engine.call(child, state, index)
        found.append(Child(move, 1, after, bool(over), int(rank)))
    return found
