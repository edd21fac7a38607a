"""The graph of a search for Dask, with equal keys for equal searches."""

from __future__ import annotations

from typing import Any

from dask import Expr
from dask.task_spec import Task
from dask.tokenize import tokenize

from strategies.running.plans.calls import call_of
from strategies.running.plans.loaded_late import loaded_late
from strategies.running.plans.lowering import Graph, Key, lower
from strategies.running.plans.plan import Plan
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime.sealed import seal
from strategies.support.cached import cached_property


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
