"""Dispatch: search a position by an algorithm's kernel, as a plain search if it has no options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import nan
from numbers import Integral
from typing import Any, Final

from attrs import evolve

from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm, PositionSearch
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import Found, Searcher, search_alphabeta
from strategies.native.calls.window_policy import Policy
from strategies.native.engine import Engine, Searched
from strategies.native.failures import check_numbers
from strategies.native.kernels import fixed_depth
from strategies.native.kernels.window_policy import follow
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.iteration import table_for
from strategies.running.execution.window_policy import policy_of


def warm(
    algorithm: Algorithm, engine: Engine, state: Any, inners: Iterable[Strategy] = (),
    tabled: bool = False,
) -> None:  # fmt: skip
    """Compile or load the code that the tasks of a search call, so that their times exclude it.

    `inners` are the strategies that they follow inside; `tabled` means that they have a table even
    though the algorithm has none.
    """
    engine.prepare(state, kernel_of(algorithm, tabled))
    if any(policy_for(algorithm, engine, inner) for inner in inners):
        engine.prepare(state, follow)
        engine.in_ints(state)  # may compile, too


def policy_for(algorithm: Algorithm, engine: Engine, inner: Strategy) -> Policy | None:
    """Return the window policy of a strategy for machine code; None if only Python follows it."""
    if not engine.native or algorithm.cutoff or algorithm.rounded:
        return None
    return policy_of(inner) if algorithm.follows else None


def kernel_of(algorithm: Algorithm, tabled: bool) -> Any:
    """Return the kernel of an algorithm; `tabled` means that it has a table."""
    if algorithm.plain and not (tabled and algorithm.windows):
        return fixed_depth.search
    return algorithm.kernel


def _plain(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
    stop: Stop | None,
) -> Found:  # fmt: skip
    """Search to a fixed depth, without a table or other options."""
    narrow, nearer = algorithm.narrows, algorithm.nearer_wins
    try:
        search: Callable[..., Searched] = Engine.search
        if getattr(type(engine.game), "net_batches", False):  # only then is NumPy needed
            from strategies.native.calls.batches import fits, search_in_batches

            search = search_in_batches if fits(engine, depth, window[1], narrow) else search
        found = search(engine, state, depth, *window, narrow=narrow, nearer=nearer, stop=stop)
    except Stopped as stopped:
        return Found(nan, stopped.nodes, stopped.leaves, (), Counts(), finished=False)
    return Found(found.value, found.nodes, found.leaves, found.line, Counts())


NUMBERS: Final = frozenset({int, float, tuple})
"""The types of values that kernels return: a number, or one for each player."""


def search_position(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
    stop: Stop | None = None, table: Table | None = None, reach: float = 1.0,
    by: Searcher = search_alphabeta, stride: int = 1, **more: Any,
) -> Found:  # fmt: skip
    """Search one position, reached with probability `reach`, by an algorithm.

    Every search of one position goes through here: those of tasks, of games, and of iterative
    deepening.  Without `table`, the tasks of a run share one if the algorithm has a table.
    Raises: `RuleFailed`.
    """
    try:
        if algorithm.plain and table is None:
            found = _plain(algorithm, engine, state, depth, window, stop)
        else:
            if table is None and algorithm.table:
                table = table_for(engine, algorithm)
            about = PositionSearch(
                engine, state, depth, window, stop, table, reach, by, stride, **more
            )
            found = algorithm.search(about)
    except (AttributeError, TypeError):
        check_numbers(engine.game, state, depth)  # the rules may have returned other types
        raise
    exact = algorithm.tuples or type(found.value) in NUMBERS
    return found if exact else _with_number(engine, state, depth, found)


def _with_number(engine: Engine, state: Any, depth: int, found: Found) -> Found:
    """Convert the value to a plain number; it may be a number type of a library.

    Raises: `RuleFailed` if it is not a number.
    """
    if isinstance(found.value, Integral):
        return evolve(found, value=int(found.value))
    if isinstance(found.value, (int, float, tuple)):
        return found
    check_numbers(engine.game, state, depth)
    raise ArgumentError(f"the value of the search must be an int or a float, not {found.value!r}")
