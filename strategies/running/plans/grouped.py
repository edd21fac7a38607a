"""Graphs of work that a strategy divides into groups: attempts, trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dask.task_spec import Task, TaskRef

from strategies.algebra.groups import Group, sparks

Key = tuple[str, tuple[int, ...]]


def grouped(
    groups: tuple[Group, ...], name: str, work: Callable[..., Any], *given: Any
) -> dict[Key, Task]:
    """Return a graph with a task for each group, which waits for those that its group waits for.

    A task calls ``work(*given, role, start, stop, *after)``: whether it is a spark or a step, the
    group's range, and the results of the tasks before it.
    """
    graph: dict[Key, Task] = {}
    for group, spark in zip(groups, sparks(groups), strict=True):
        before = (TaskRef(k) for k, g in zip(graph, groups, strict=False) if g.start < group.after)
        key = name, (group.start,)
        role = "spark" if spark else "step"
        graph[key] = Task(key, work, *given, role, group.start, group.stop, *before)
    return graph
