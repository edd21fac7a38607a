"""Searches that are no single graph of tasks: each is one call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.drivers import abdada
from strategies.algebra.strategy import StrategyError, seq
from strategies.algorithms.limits import check
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.shared_table import drive
from strategies.running.plans.deepening import deepen
from strategies.running.plans.iterations import iterate
from strategies.running.plans.opening import iterates
from strategies.running.plans.plan import Plan
from strategies.running.records.search_run import SearchRun


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
    if table is not None:  # with one thread, ABDADA visits the same nodes as `seq`
        return partial(drive, table=table, driver=abdada(1))
    return deepen if plan.limits is not None else None


def check_table(plan: Plan, table: Any) -> None:
    """Check that a plan can be searched over a given table.

    Raises: StrategyError under a strategy, if the search does not deepen; AlgorithmError for an
    algorithm without windows; ArgumentError if `table` is not a table.
    """
    if not isinstance(table, Table):
        raise ArgumentError(
            f"memory must be a table, such as KeptTable('analysis.table'), not {shown(table)}"
        )
    check(plan.algorithm, "a search over a given table")
    deepens = plan.limits is not None or plan.algorithm.iterates
    if plan.driver is None and plan.strategy != seq and not deepens:
        raise StrategyError(
            f"under {plan.strategy}, memory= is for searches that deepen: use pvs or mtdf, or give "
            f"a limit of time, with {plan.algorithm}"
        )
