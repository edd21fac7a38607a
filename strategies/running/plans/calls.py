"""Searches that are no single graph of tasks: each is one call."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from attrs import evolve
from dask.tokenize import tokenize

from games import Status
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Auto, Driver, lazy_smp
from strategies.algebra.strategy import Strategy, StrategyError, alone, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import check_over_table
from strategies.native.calls.alphabeta import Found
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.deepening import DeepeningRun
from strategies.running.execution.shared_table import drive
from strategies.running.plans.iterations import iterate
from strategies.running.plans.lowering import lower
from strategies.running.plans.opening import iterates, plan
from strategies.running.plans.plan import Plan
from strategies.running.records.record import now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, enter_scope
from strategies.running.runtime.deadline import run_with_deadline


def call_of(
    plan: Plan, table: Table | None = None, *, here: bool = False
) -> Callable[..., SearchRun] | None:
    """Return the function that makes a search that is no single graph; None for one that is.

    It takes a request and the class of the result.  A search that deepens without limits is a graph
    for Dask; `here`, on this machine, each of its iterations is one.  A given `table`, such as one
    kept in a file to continue on another day, is searched by one thread, by those of a driver, or
    by tasks.
    Ensures: value and move are those of the search without the table.
    """
    if plan.driver is not None:
        return drive if table is None else partial(drive, table=table)
    alone = here or plan.limits is not None
    if plan.rows or (alone and iterates(plan.request())):
        return iterate if table is None else partial(iterate, table=table)
    if table is not None:
        return partial(drive, table=table, driver=lazy_smp(1))
    return deepen if plan.limits is not None else None


def takes_table(algorithm: Algorithm, using: Strategy | Driver | Auto, *, limited: bool) -> bool:
    """Return whether a search can be made over a given table: in one thread, by a driver, or, if it
    deepens, by tasks.  An algorithm without windows takes one only in place of its own."""
    if algorithm.windows is None:
        return using == seq and algorithm.table > 0
    return using == seq or isinstance(using, Driver) or limited or algorithm.iterates


def check_table(plan: Plan, table: Any) -> None:
    """Check that a plan can be searched over a given table.

    Raises: StrategyError under a strategy, if the search does not deepen; AlgorithmError for an
    algorithm without windows, unless it has a table of its own, in whose place one in memory can
    serve; ArgumentError if `table` is not a table.
    """
    if not isinstance(table, Table):
        raise ArgumentError(
            f"memory must be a table, such as KeptTable('analysis.table'), not {shown(table)}"
        )
    algorithm, limited = plan.algorithm, plan.limits is not None
    takes = takes_table(algorithm, plan.driver or plan.strategy, limited=limited)
    if table.kept or not takes:
        check_over_table(algorithm)
    if not takes:
        raise StrategyError(
            f"under {plan.strategy}, memory= is for searches that deepen: use pvs or mtdf, or give "
            f"a limit of time, with {plan.algorithm}"
        )


def deepen(request: SearchRequest, result_class: type[SearchRun] = SearchRun) -> SearchRun:
    """Search to depth 1, 2, 3, … until the limit or the full depth; return the last finished.

    Requires: no row of graphs searches it (`iterates`).
    The clock starts after the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends the search.
    If not even depth 1 was finished, the depth is 0, the value is the estimate, and the move is the
    first one.  Depths at which a position has no estimate are skipped, except the last.
    After the time limit, or at Ctrl-C, it returns within milliseconds; no thread is left running.
    Raises: AlgorithmError if no depth was finished and the position has no estimate.
    """
    limits, state, wanted = request.limits, request.state, request.algorithm
    if request.strategy != seq and request.game.status(state) != Status.IN_PLAY:
        wanted = wanted.at_depth(min(1, wanted.depth))  # the others would find no more
        request = evolve(request, algorithm=wanted)
    run, tasks = DeepeningRun(request, Stop(current_scope())), list[SearchRun]()
    apart = partial(_in_tasks, request, result_class, tasks) if request.strategy != seq else None
    if apart is None:
        run.warm()
    start = now()

    def work() -> None:
        enter_scope(run.stop)
        run.look()
        with suppress(Stopped):
            run.tally.spend(partial(run.work, apart))

    run_with_deadline(work, run.stop, seconds=limits.time if limits else None)
    if tasks:
        return tasks[-1]
    return run.result((record(("step", ()), "step", start, run.tally),), result_class)


def _in_tasks(
    request: SearchRequest,
    result_class: type[SearchRun],
    done: list[SearchRun],
    depth: int,
    *_: Any,
) -> Found:
    """Search to one depth by a run of the ordered scheduler; only the last one in `done` counts."""
    game, state, algorithm = request.game, request.state, request.algorithm.at_depth(depth)
    strategy = alone(request.strategy)  # these tasks share no table
    planned = plan(game, algorithm, strategy, state, engine=request.engine)
    graph, key = lower(planned, tokenize(planned), result_class)
    run: SearchRun = runner.get(graph, key, num_workers=request.workers)
    done.append(evolve(run, depth=depth))
    return Found(run.value)
