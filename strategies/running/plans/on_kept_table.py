"""Search over a table that is given, as one kept in a file, so that it goes on another day."""

from __future__ import annotations

from typing import Any

from graphs.errors import ArgumentError
from strategies.algebra.drivers import Driver, abdada
from strategies.algebra.strategy import StrategyError, seq
from strategies.algorithms.limits import check
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.shared_table import drive
from strategies.running.plans.plan import Plan
from strategies.running.records.run import Run


def search_over(plan: Plan, table: Table, workers: int | None, result_class: type[Run]) -> Run:
    """Search a plan over a given table, by one thread or by the threads of a driver.

    Ensures: value and move are those of the search without it.
    Raises: StrategyError under a strategy: where its plans split, they split by how many nodes the
    shallower iterations took, and a search that goes on has not made those; AlgorithmError for an
    algorithm without windows; TypeError for what is no table; as `drive`.
    """
    check_table(plan, table)
    driver: Driver = plan.driver or abdada(1)  # of one thread: it visits what `seq` does
    return drive(
        plan.game, plan.state, plan.algorithm, plan.engine, driver, plan.limits, workers,
        result_class, table,
    )  # fmt: skip


def check_table(plan: Plan, table: Any) -> None:
    """Raise what `search_over` raises for a plan that takes no table, or for no table."""
    if not isinstance(table, Table):
        raise ArgumentError(f"memory is a table, as KeptTable('analysis.table'), not {table!r}")
    if plan.driver is None and plan.strategy != seq:
        raise StrategyError(
            f"a table that is given is for seq, abdada and lazy_smp: {plan.strategy} plans by what "
            "the shallower searches of the same run took"
        )
    check(plan.algorithm, "a search over a given table")
