"""Dispatch: choose the kernel by which an algorithm searches a position, and the call that runs it.

The table `METHODS` decides.  A new algorithm names an entry, or adds one; an algorithm without an
entry is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import nan
from numbers import Integral
from typing import Any, Final, NamedTuple

from attrs import evolve

from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import Found, Searcher, search_alphabeta
from strategies.native.calls.deepening import search_deepening
from strategies.native.calls.expectimax import search_expectimax
from strategies.native.calls.maxn import search_maxn
from strategies.native.calls.star import search_star
from strategies.native.calls.window_policy import Policy
from strategies.native.calls.windows import Approach, aspiration, mtdf, whole
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


class Question(NamedTuple):
    """The arguments of a method: the search of one position."""

    algorithm: Algorithm
    engine: Engine
    state: Any
    depth: int
    window: Interval
    stop: Stop | None
    table: Table | None
    reach: float
    """The probability with which the position is reached."""
    by: Searcher
    """The function for each alpha-beta search: one thread, or several together."""
    stride: int
    """The factor for the steps in depth of iterative deepening."""

    @property
    def ordered(self) -> tuple[Engine, Table, Any, int, float, float]:
        """Return the arguments of a search with move ordering, which needs a table."""
        assert self.table is not None, "an alpha-beta search with ordered branches needs a table"
        return self.engine, self.table, self.state, self.depth, *self.window

    @property
    def how(self) -> dict[str, Any]:
        """Return how wins count, and the stop of the search."""
        return {"nearer": self.algorithm.nearer_wins, "stop": self.stop}


class Method(NamedTuple):
    """The way an algorithm searches one position."""

    kernel: Any
    call: Callable[[Question], Found]
    windows: Approach | None = None
    """The windows in which one depth of a search with a limit closes in on the value; None for an
    algorithm that gains nothing from a shallower search."""
    follows: bool = True
    """Whether machine code can follow a strategy by a window policy."""
    deepens: bool = False
    """Whether a search to a depth consists of shallower searches before it."""
    nulls: bool = False
    """Whether it converges on a value by null windows only, from a guess."""


def _alphabeta(q: Question) -> Found:
    """Search by alpha-beta with a table, with the branches in the game's order."""
    return q.by(*q.ordered, **q.how)


def _deepening(q: Question, *, last: Approach = whole) -> Found:
    """Search by iterative deepening to the requested depth, and there in the windows of `last`."""
    return search_deepening(*q.ordered, last=last, by=q.by, stride=q.stride, **q.how)


def _expectimax(q: Question) -> Found:
    """Search by expectimax with its options: a cut-off, rounded means, a table."""
    asked = q.algorithm
    return search_expectimax(
        q.engine, q.state, q.depth, cutoff=asked.cutoff, rounded=asked.rounded, reach=q.reach,
        table=q.table, **q.how,
    )  # fmt: skip


def _star(q: Question, *, probes: bool) -> Found:
    """Search by expectimax with windows at chance nodes: Star1, or with `probes` Star2."""
    bounds = q.algorithm.bounds(q.engine.game)
    return search_star(
        q.engine, q.state, q.depth, bounds, *q.window, probes=probes, table=q.table, **q.how
    )


def _maxn(q: Question) -> Found:
    """Search by max^n, which has no window."""
    return search_maxn(q.engine, q.state, q.depth, q.stop)


METHODS: Final = {
    "alphabeta": Method(alphabeta, _alphabeta, whole),
    "pvs": Method(alphabeta, _deepening, aspiration, deepens=True),
    "mtdf": Method(alphabeta, partial(_deepening, last=mtdf), mtdf, deepens=True, nulls=True),
    "expectimax": Method(expectimax, _expectimax),
    "star1": Method(star, partial(_star, probes=False), follows=False),
    "star2": Method(star, partial(_star, probes=True), follows=False),
    "maxn": Method(maxn, _maxn, follows=False),
}
"""The methods of all algorithms except plain fixed-depth search, which is `Engine.search`; those
with pruning are listed under its name."""


def method_of(algorithm: Algorithm) -> Method:
    """Return the method of an algorithm with options.

    Raises: AlgorithmError for an algorithm that is not in `METHODS`.
    """
    name = algorithm.pruning or algorithm.method or algorithm.name
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise AlgorithmError(
            f"there is no kernel for {name!r}; there are kernels for {known}"
        ) from None


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
    if not (algorithm.plain or method_of(algorithm).follows):
        return None
    return policy_of(inner)


def kernel_of(algorithm: Algorithm, tabled: bool) -> Any:
    """Return the kernel of an algorithm; `tabled` means that it has a table."""
    if algorithm.plain and not (tabled and method_of(algorithm).windows):
        return fixed_depth.search
    return method_of(algorithm).kernel


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
    by: Searcher = search_alphabeta, stride: int = 1,
) -> Found:  # fmt: skip
    """Search one position, reached with probability `reach`, by an algorithm.

    Every search of one position goes through here: those of tasks, of games, and of iterative
    deepening.  Without `table`, the tasks of a run share one if the algorithm has a table.
    Raises: AlgorithmError for an algorithm that is not in `METHODS`; `RuleFailed`.
    """
    try:
        if algorithm.plain and table is None:
            found = _plain(algorithm, engine, state, depth, window, stop)
        else:
            if table is None and algorithm.table:
                table = table_for(engine, algorithm)
            about = algorithm, engine, state, depth, window
            found = method_of(algorithm).call(Question(*about, stop, table, reach, by, stride))
    except (AttributeError, TypeError):
        check_numbers(engine.game, state, depth)  # the rules may have returned other types
        raise
    return found if type(found.value) in NUMBERS else _with_number(engine, state, depth, found)


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
