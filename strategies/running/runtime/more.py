"""Tasks that turn out too large: such a task returns more tasks, which run in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen


@frozen(eq=False)
class More:
    """What a task returns that has become a graph: its tasks, each after those that it waits for,
    the key of the last one, and what makes the first task's value of the last one's."""

    graph: Mapping[Any, Any]
    last: Any
    then: Callable[[Any], Any]

    def tasks(self, key: Any) -> dict[Any, Any]:
        """The tasks that run in the place of the task `key`: the last of them has its key."""
        from dask.task_spec import Task, TaskRef

        return {**self.graph, key: Task(key, self.then, TaskRef(self.last))}
