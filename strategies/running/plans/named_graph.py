"""The graph of a search for Dask, with equal keys for equal searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from dask import Expr
from dask.task_spec import Task
from dask.tokenize import tokenize

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.drivers import abdada
from strategies.algebra.strategy import StrategyError, seq
from strategies.algorithms.limits import check
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.shared_table import drive
from strategies.running.plans.deepening import deepen
from strategies.running.plans.iterations import iterate
from strategies.running.plans.loaded_late import loaded_late
from strategies.running.plans.lowering import Graph, Key, lower
from strategies.running.plans.opening import iterates
from strategies.running.plans.plan import Plan
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime.sealed import seal


def lowered(plan: Plan, result_class: type[SearchRun] = SearchRun) -> tuple[Graph, Key]:
    """Return the graph of a plan and the key of its result, the same for equal plans.

    A plan with nodes has many tasks; a deepening search, and one by a driver, are one task each.
    The last task returns the result as a `result_class`.
    """
    token, call = tokenize(plan), call_of(plan)
    if call is None:
        return lower(plan, token, result_class)
    key: Key = f"result-{token}", ()
    return {key: Task(key, call, plan.request(), result_class)}, key


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


class SearchExpr(Expr):
    """A plan as a Dask expression, with exactly the tasks of its graph."""

    _parameters = ["plan", "result_class"]  # noqa: RUF012  # Dask's way to declare them

    def __reduce__(self) -> tuple[Any, ...]:
        return seal(*super().__reduce__())

    @cached_property
    def _lowered(self) -> tuple[Graph, Key]:
        return lowered(self.operand("plan"), self.operand("result_class"))

    def __dask_keys__(self) -> list[Key]:
        return [self._lowered[1]]

    def _layer(self) -> Graph:
        return loaded_late(self._lowered[0])

    def __dask_annotations__(self) -> dict[str, Any]:
        """Annotate the tasks for a cluster: the leftmost ready task first."""
        return {"priority": {key: -i for i, key in enumerate(self._lowered[0])}}
