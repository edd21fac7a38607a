"""Tasks that turn out to be too large: such a task returns more tasks, which run in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen


@frozen(eq=False)
class More:
    """The result of a task that is replaced by a graph: its tasks in topological order, the key of
    the last one, and the function from the last task's value to the value of the replaced task."""

    graph: Mapping[Any, Any]
    last: Any
    then: Callable[[Any], Any]

    def tasks(self, key: Any) -> dict[Any, Any]:
        """Return the tasks that run in place of the task `key`; the last of them has its key."""
        from dask.task_spec import Task, TaskRef

        return {**self.graph, key: Task(key, self.then, TaskRef(self.last))}
