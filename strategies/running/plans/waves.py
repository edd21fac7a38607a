"""Run a graph whose tasks may become more, where no tasks can be added to a graph that runs.

The graph is run in *waves*: all searches that are ready, then those that became ready by them or
took their place, and so on.  The next wave waits for the last task of this one, so the size that
divides tasks also bounds what workers wait.  Tasks that search nothing take no time, and run here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dask.task_spec import Task, TaskRef

from strategies.running.plans.on_cluster import job_of
from strategies.running.runtime.more import More

Key = Any
Run = Callable[[dict[Key, Task], list[Key]], Any]


def in_waves(run: Run, graph: Mapping[Key, Task], keys: list[Key]) -> list[Any]:
    """Return the values of some keys of a graph; ``run(tasks, keys)`` returns those of a wave.

    Requires: `run` gets tasks without dependencies; its tasks return `More` to become more.
    """
    left, known = dict(graph), dict[Key, Any]()
    while left:
        wave = {}
        for key, task in tuple(left.items()):
            if not known.keys() >= task.dependencies:
                continue
            del left[key]
            if job_of(task) is None:
                known[key] = task({d: known[d] for d in task.dependencies})
            else:
                wave[key] = _independent(task, known)
        for key, value in zip(wave, run(wave, list(wave)) if wave else (), strict=True):
            if isinstance(value, More):
                left |= value.tasks(key)
            else:
                known[key] = value
    return [known[key] for key in keys]


def _independent(task: Task, known: Mapping[Key, Any]) -> Task:
    """Return a task with the values of its inputs in their place."""

    def given(x: Any) -> Any:
        return known[x.key] if isinstance(x, TaskRef) else x

    kwargs = {name: given(x) for name, x in task.kwargs.items()}
    return Task(task.key, task.func, *map(given, task.args), **kwargs)
