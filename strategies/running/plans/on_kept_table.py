"""Search over a given table, such as one kept in a file to continue on another day."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.drivers import abdada
from strategies.algebra.strategy import StrategyError, seq
from strategies.algorithms.limits import check
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.shared_table import drive
from strategies.running.plans.iterations import iterate
from strategies.running.plans.opening import iterates
from strategies.running.plans.plan import Plan
from strategies.running.records.search_run import SearchRun


def search_over(
    plan: Plan, table: Table, workers: int | None, result_class: type[SearchRun]
) -> SearchRun:
    """Search a plan over a given table: by one thread, by the threads of a driver, or by tasks.

    Ensures: value and move are those of the search without the table.
    Raises: StrategyError under a strategy, if the search does not deepen; AlgorithmError for an
    algorithm without windows; TypeError if `table` is not a table; the errors of `drive` and
    `iterate`.
    """
    check_table(plan, table)
    request = plan.request(workers)
    if iterates(request):
        return iterate(request, result_class, table=table)
    driver = plan.driver or abdada(1)  # with one thread, it visits the same nodes as `seq`
    return drive(evolve(request, strategy=driver), result_class, table)


def check_table(plan: Plan, table: Any) -> None:
    """Raise the errors of `search_over` for a plan that takes no table, or for a wrong table."""
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
