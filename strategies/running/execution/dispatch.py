"""Dispatch: finds for an algorithm the kernel that searches a position, and the call that runs it.

`METHODS` is the one place that says so.  A new algorithm names a method that is there, or gets one
more line in it; an algorithm without a method is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import nan
from numbers import Integral
from typing import Any, Final, NamedTuple

from attrs import evolve

from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import (
    Found,
    Searcher,
    search_alphabeta,
    search_aspiration,
    search_deepening,
    search_mtdf,
    search_open_window,
)
from strategies.native.calls.expectimax import search_expectimax
from strategies.native.calls.maxn import search_maxn
from strategies.native.calls.star import search_star
from strategies.native.calls.window_policy import Policy
from strategies.native.engine import Engine, Searched
from strategies.native.failures import check_numbers
from strategies.native.kernels import fixed_depth
from strategies.native.kernels.alphabeta import alphabeta
from strategies.native.kernels.expectimax import expectimax
from strategies.native.kernels.maxn import maxn
from strategies.native.kernels.star import star
from strategies.native.kernels.window_policy import follow
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.tables import table_for
from strategies.running.execution.window_policy import policy_of


class Settings(NamedTuple):
    """What a search inside a task is given beside its algorithm, position, depth and window."""

    stop: Stop | None = None
    table: Table | None = None
    reach: float = 1.0
    """The probability with which the position is met."""
    by: Searcher = search_alphabeta
    """What makes each alpha-beta search: one thread, or a team of them."""
    stride: int = 1
    """How many times as far apart in depth the searches of a deepening are."""


Call = Callable[[Algorithm, Engine, Any, int, Interval, Settings], Found]


class Method(NamedTuple):
    """How an algorithm searches one position."""

    kernel: Any
    call: Call
    next_depth: Callable[..., Found] | None = None
    """In iterative deepening: the search of one depth, from a guess at its value; None for an
    algorithm that learns nothing from a shallower search."""
    follows: bool = True
    """Whether machine code can follow a strategy in its stead, by a window policy."""
    deepens: bool = False
    """Whether a search to a depth is made of shallower ones before it."""
    nulls: bool = False
    """Whether it closes in on a value by null windows alone, from a guess."""


def _alphabeta(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval, given: Settings
) -> Found:
    """Alpha-beta with a table, the branches in the game's order."""
    table, nearer = _table(given), algorithm.nearer_wins
    return given.by(engine, table, state, depth, *window, nearer=nearer, stop=given.stop)


def _deepening(*, mtdf: bool = False) -> Call:
    """Iterative deepening to the depth that is asked for; the last search may be MTD(f)."""

    def call(
        algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
        given: Settings,
    ) -> Found:  # fmt: skip
        return search_deepening(
            engine, _table(given), state, depth, *window, mtdf=mtdf,
            nearer=algorithm.nearer_wins, stop=given.stop, by=given.by, stride=given.stride,
        )  # fmt: skip

    return call


def _expectimax(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval, given: Settings
) -> Found:
    """Expectimax with its options: a cut-off, rounded means, a table."""
    return search_expectimax(
        engine, state, depth, cutoff=algorithm.cutoff, reach=given.reach,
        rounded=algorithm.rounded, table=given.table, nearer=algorithm.nearer_wins,
        stop=given.stop,
    )  # fmt: skip


def _star(*, probes: bool) -> Call:
    """Expectimax whose windows pass through chance nodes: Star1, or with `probes` Star2."""

    def call(
        algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
        given: Settings,
    ) -> Found:  # fmt: skip
        return search_star(
            engine, state, depth, algorithm.bounds(engine.game), *window, probes=probes,
            table=given.table, nearer=algorithm.nearer_wins, stop=given.stop,
        )  # fmt: skip

    return call


def _maxn(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval, given: Settings
) -> Found:
    """max^n, which has no window."""
    return search_maxn(engine, state, depth, given.stop)


def _table(given: Settings) -> Table:
    """The table of a search that cannot do without one."""
    assert given.table is not None, "an alpha-beta search with ordered branches needs a table"
    return given.table


METHODS: Final = {
    "alphabeta": Method(alphabeta, _alphabeta, search_open_window),
    "pvs": Method(alphabeta, _deepening(), search_aspiration, deepens=True),
    "mtdf": Method(alphabeta, _deepening(mtdf=True), search_mtdf, deepens=True, nulls=True),
    "expectimax": Method(expectimax, _expectimax),
    "star1": Method(star, _star(probes=False), follows=False),
    "star2": Method(star, _star(probes=True), follows=False),
    "maxn": Method(maxn, _maxn, follows=False),
}
"""The methods of all algorithms that are more than plain fixed-depth search, which `Engine.search`
makes; of those with a pruning, under its name."""


def method_of(algorithm: Algorithm) -> Method:
    """Finds how an algorithm with options searches a position.

    Raises: AlgorithmError for an algorithm that is not in `METHODS`.
    """
    name = algorithm.pruning or algorithm.method or algorithm.name
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise AlgorithmError(
            f"no kernel searches as {name!r} says; there are kernels for {known}"
        ) from None


def warm(
    algorithm: Algorithm, engine: Engine, state: Any, inners: Iterable[Strategy] = (),
    tabled: bool = False,
) -> None:  # fmt: skip
    """Compiles what the tasks of a search call, or loads it: it shall not count to their time.

    `inners` are the strategies that they follow inside; `tabled` says that they have a table though
    the algorithm asks for none.
    """
    engine.prepare(state, kernel_of(algorithm, tabled))
    if any(policy_for(algorithm, engine, inner) for inner in inners):
        engine.prepare(state, follow)


def policy_for(algorithm: Algorithm, engine: Engine, inner: Strategy) -> Policy | None:
    """Finds the window policy by which machine code follows a strategy; None if only Python can."""
    if not engine.native or algorithm.cutoff or algorithm.rounded:
        return None
    if not (algorithm.plain or method_of(algorithm).follows):
        return None
    return policy_of(inner)


def kernel_of(algorithm: Algorithm, tabled: bool) -> Any:
    """Finds the kernel that searches as an algorithm says; `tabled`: given a table."""
    if algorithm.plain and not (tabled and method_of(algorithm).next_depth):
        return fixed_depth.search
    return method_of(algorithm).kernel


def _plain(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
    stop: Stop | None,
) -> Found:  # fmt: skip
    """Fixed-depth search without a table or other options."""
    narrow, nearer = algorithm.narrows, algorithm.nearer_wins
    try:
        search: Callable[..., Searched] = Engine.search
        if getattr(type(engine.game), "net_batches", False):  # else NumPy need not be loaded
            from strategies.native.calls.batches import fits, search_in_batches

            search = search_in_batches if fits(engine, depth, window[1], narrow) else search
        found = search(engine, state, depth, *window, narrow=narrow, nearer=nearer, stop=stop)
    except Stopped as stopped:
        return Found(nan, stopped.nodes, stopped.leaves, (), Counts(), finished=False)
    return Found(found.value, found.nodes, found.leaves, found.line, Counts())


NUMBERS: Final = frozenset({int, float, tuple})
"""The types of values as kernels give them: a number, or one for each player."""


def search_position(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
    stop: Stop | None = None, table: Table | None = None, reach: float = 1.0,
    by: Searcher = search_alphabeta, stride: int = 1,
) -> Found:  # fmt: skip
    """Searches one position, met with probability `reach`, as an algorithm says.

    Every search of one position by one algorithm goes through here: those of tasks, of games, of
    iterative deepening.  Given no table, the tasks of a run share one where the algorithm has one.
    Raises: AlgorithmError for an algorithm that is not in `METHODS`; `RuleFailed`.
    """
    try:
        if algorithm.plain and table is None:
            found = _plain(algorithm, engine, state, depth, window, stop)
        else:
            if table is None and algorithm.table:
                table = table_for(engine, algorithm)
            given = Settings(stop, table, reach, by, stride)
            found = method_of(algorithm).call(algorithm, engine, state, depth, window, given)
    except (AttributeError, TypeError):
        check_numbers(engine.game, state, depth)  # what rules gave may be no number
        raise
    return found if type(found.value) in NUMBERS else _with_number(engine, state, depth, found)


def _with_number(engine: Engine, state: Any, depth: int, found: Found) -> Found:
    """Makes a plain number of the value, which a library's number may be.

    Raises: `RuleFailed` for what is no number.
    """
    if isinstance(found.value, Integral):
        return evolve(found, value=int(found.value))
    if isinstance(found.value, (int, float, tuple)):
        return found
    check_numbers(engine.game, state, depth)
    raise ArgumentError(f"the value came out as {found.value!r}: an int or a float is wanted")
