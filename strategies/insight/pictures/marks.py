"""Marks: the tasks of a search to draw, before they are laid out.

A mark belongs to the node in the tree that its task works for, and is on that node's spine if its
task passes on the node's fold.  Marks are in the order of the graph: each task comes after all
tasks that it waits for, and the tasks below a node are adjacent.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.running.execution.branches import job_of
from strategies.running.execution.live_windows import Place
from strategies.running.plans import tasks
from strategies.running.plans.search_graph import SearchGraph

SPINE = (tasks.step, tasks.merge, tasks.dud, tasks.resolve, tasks.reopen, tasks.alone, tasks.begin)
"""The tasks that pass on a node's fold; the others only search, or only make windows."""


@frozen
class Mark:
    """One task, or several that are folded into one mark."""

    kind: str
    """spark, step, dud, merge, local, gate, resolve, start, result; or folded."""
    place: Place
    path: Place
    """The node that the task works for."""
    spine: bool
    after: tuple[int, ...]
    """The numbers of the marks that it waits for."""
    branches: tuple[int, ...] = ()
    """The branches that the task searches."""
    work: str = ""
    """The kind of task of the last fold, whose `kind` is result; else the same as `kind`."""
    members: tuple[Mark, ...] = ()
    """The marks that are folded into this one."""

    @property
    def all(self) -> tuple[Mark, ...]:
        """Return the marks of single tasks that this one stands for."""
        return self.members or (self,)


def marks_of(search: SearchGraph) -> tuple[Mark, ...]:
    """Return one mark for each task of the search, in the order of its graph."""
    graph = search.tasks()
    numbers = {key: i for i, key in enumerate(graph)}
    return tuple(
        _mark(key, task, tuple(sorted(numbers[d] for d in task.dependencies)))
        for key, task in graph.items()
    )


def _mark(key: tuple[str, Place], task: Any, after: tuple[int, ...]) -> Mark:
    kind, place = key[0].partition("-")[0], key[1]
    func = task.func
    if kind == "result":
        func = next((a for a in task.args if a in SPINE), tasks.alone)
    job = job_of(task)
    branches = tuple(b.index for b in job.branches) if job else ()
    work = func.__name__ if kind == "result" else kind
    return Mark(kind, place, place[:-1], func in SPINE, after, branches=branches, work=work)
