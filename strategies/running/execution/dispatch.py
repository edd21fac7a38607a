"""Tables of running searches: the tasks of one run in one process share one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import Found, Searcher, search_deepening, search_with
from strategies.native.calls.expectimax import search_means
from strategies.native.calls.maxn import search_several
from strategies.native.calls.star import search_star
from strategies.native.calls.window_policy import Policy
from strategies.native.engine import Engine
from strategies.native.kernels import fixed_depth as kernels
from strategies.native.kernels.alphabeta import ordered
from strategies.native.kernels.expectimax import expected
from strategies.native.kernels.maxn import several
from strategies.native.kernels.star import star
from strategies.native.kernels.window_policy import follow
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.tables import table_for
from strategies.running.execution.window_policy import policy_of


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
    """The policy by which machine code follows a strategy; None where Python has to."""
    options = algorithm.cutoff or algorithm.rounded or algorithm.pruning
    if not engine.native or options or algorithm.name == "maxn":
        return None
    return policy_of(inner)


def kernel_of(algorithm: Algorithm, tabled: bool) -> Any:
    """The kernel that searches as an algorithm says."""
    if algorithm.plain and not tabled:
        return kernels.search
    if algorithm.pruning:
        return star
    if algorithm.name == "maxn":
        return several
    return expected if algorithm.name == "expectimax" else ordered


def search_by(
    algorithm: Algorithm, engine: Engine, state: Any, depth: int, window: Interval,
    stop: Stop | None = None, table: Table | None = None, reach: float = 1.0,
    by: Searcher = search_with, stride: int = 1,
) -> Found:  # fmt: skip
    """One position, met with probability `reach`, searched as an algorithm with options says."""
    nearer = algorithm.nearer_wins
    if table is None and algorithm.table:
        table = table_for(engine, algorithm)
    if algorithm.pruning:
        return search_star(
            engine, state, depth, algorithm.bounds(engine.game), *window,
            probes=algorithm.pruning == "star2", table=table, nearer=nearer, stop=stop,
        )  # fmt: skip
    if algorithm.name == "maxn":
        return search_several(engine, state, depth, stop)
    if algorithm.name == "expectimax":
        return search_means(
            engine, state, depth, cutoff=algorithm.cutoff, reach=reach, rounded=algorithm.rounded,
            table=table, nearer=nearer, stop=stop,
        )  # fmt: skip
    assert table is not None
    if algorithm.name == "alphabeta":
        return by(engine, table, state, depth, *window, nearer=nearer, stop=stop)
    return search_deepening(
        engine, table, state, depth, *window,
        by_tests=algorithm.name == "mtdf", nearer=nearer, stop=stop, by=by, stride=stride,
    )  # fmt: skip
