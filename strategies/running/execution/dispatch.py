"""Dispatch: search a position by an algorithm's kernel, as a plain search if it has no options.

A strategy that is the same at every node becomes a policy of windows, which a kernel follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import nan
from numbers import Integral
from typing import Any, Final

from attrs import evolve

from games import Game
from graphs.errors import ArgumentError
from graphs.limits import POLICIES_TRIED
from strategies.algebra.groups import Window
from strategies.algebra.strategy import (
    Kind,
    Strategy,
    StrategyError,
    among,
    is_value,
    named,
    remembered,
    seq,
    unfolded,
)
from strategies.algorithms.algorithm import Algorithm, PositionSearch
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import Found, Searcher, search_alphabeta
from strategies.native.calls.windows import Policy
from strategies.native.engine import Engine, Searched
from strategies.native.failures import check_numbers
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import fixed_depth
from strategies.native.kernels.window_policy import ALL, HELD, HOLD, KINDS, ON, NoPolicy, follow
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.iteration import table_for
from strategies.values.containers_of import parts


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


def warmed(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str,
    inners: tuple[Strategy, ...], tabled: bool,
) -> Engine:  # fmt: skip
    """Return the engine of a game, with the code that the tasks of a search call."""
    engine = engine_for(game, choice)
    warm(algorithm, engine, state, inners, tabled)
    return engine


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


MANY = (2, 3, 5, 8, 16, 32)
"""The numbers of branches for which a strategy is tried."""


def may_test(strategy: Strategy, plies: int) -> bool:
    """Return whether a strategy may test branches with null windows above ply `plies`.

    The strategy is tried for a few numbers of branches.  Errors are ignored, because the game may
    never have these numbers.

    >>> from strategies import par_list, scout
    >>> may_test(scout.to_ply(1), 2), may_test(par_list(scout), 1), may_test(par_list(scout), 2)
    (True, False, True)
    """
    if not any(_tried(s)[0] for s in _members(strategy)):
        return False
    level, seen = [strategy], [strategy]
    for _ in range(plies):
        below: list[Strategy] = []
        for s in level:
            found, inner = _tried(s)
            if found:
                return True
            below += (x for x in inner if not among(x, (*seen, *below)))
        level = below
        seen += below
        if not level or len(seen) > POLICIES_TRIED:
            break
    return False


def _tried(strategy: Strategy) -> tuple[bool, list[Strategy]]:
    """Return whether a strategy tests at its own ply, and the strategies of its branches."""
    inner: list[Strategy] = []
    for kind, n in product(KINDS[:2], MANY):
        try:
            layer = unfolded(strategy, kind, n)
        except StrategyError:
            continue
        if any(g.window is Window.ZERO for g in layer.groups):
            return True, []
        for s in layer.inner:
            if not among(s, (seq, *inner)):
                inner.append(s)
    return False, inner


def _members(held: Any) -> Iterator[Strategy]:
    """Yield a strategy and all strategies that it consists of."""
    if isinstance(held, Strategy):
        yield held
    for part in parts(held) or ():
        yield from _members(part)


def without_windows(strategy: Strategy, algorithm: Algorithm) -> StrategyError:
    """Return the error for a strategy with null-window tests under an algorithm without windows."""
    other = "paranoid" if algorithm.many else "alphabeta"
    other = "a strategy such as par_list" if algorithm.splits else other
    return StrategyError(
        f"{named(strategy)} tests with windows, but {algorithm.name} has none; use {other}"
    )


@remembered(64)
def policy_of(strategy: Strategy) -> Policy | None:
    """Return the window policy of a strategy; None if there is none.

    There is none if windows differ from node to node, if branches are tested with null windows, or
    if they see results that are neither the latest nor kept (`par_buffer`).
    """
    if not is_value(strategy):
        return None

    def rows(kind: Any, n: int) -> tuple[list[int], int]:
        try:
            found = codes(strategy, kind, n)
        except StrategyError as error:  # raised only if a search reaches such a node
            raise NoPolicy(str(error)) from None
        if found is None:
            raise NoPolicy(f"{strategy} has no policy for {n} branches")
        return found

    try:
        return Policy(rows)
    except NoPolicy:
        return None


def codes(strategy: Strategy, kind: Kind, n: int) -> tuple[list[int], int] | None:
    """Return codes for the results that each of n branches sees, and the number of sparks.

    None if they cannot be encoded.

    >>> from strategies import jamboree
    >>> codes(jamboree(0.5).everywhere.grain(0), "max", 4)
    ([2, 0, 2, 1], 2)
    """
    layer = unfolded(strategy, kind, n)
    if any(inner != strategy for inner in layer.inner):
        return None
    out: list[int] = []
    held = 0
    for g in layer.groups:
        if g.window is Window.ZERO:
            return None
        if g.window is Window.LIVE:
            out.append(ALL)
        elif g.after == g.start:
            out.append(HOLD)
            held = g.start
        elif g.after == held:
            out.append(HELD)
        else:
            return None
        out += [ON] * (g.stop - g.start - 1)
    return out, sum(layer.sparks)
