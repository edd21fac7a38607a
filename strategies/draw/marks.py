"""Marks: the tasks of a search as they are drawn, before anyone knows where.

A mark belongs to the node of the tree in which its task works, and stands on that node's spine if
it passes the node's fold on; marks come in the order of the graph, in which each task stands behind
all that it waits for, and the tasks below a node stand together.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies import tasks
from strategies.cells import Place
from strategies.collection import Search
from strategies.explore import Job
from strategies.planning import Node, Plan

SPINE = (tasks.step, tasks.merge, tasks.dud, tasks.resolve, tasks.reopen, tasks.alone, tasks.begin)
"""What passes a node's fold on; the other tasks only search, or only make windows."""


@frozen
class Mark:
    """One task, or several that are folded into one mark."""

    kind: str
    """spark, step, dud, merge, local, gate, resolve, start, result; or folded."""
    place: Place
    path: Place
    """The place of the node that the task works for."""
    spine: bool
    after: tuple[int, ...]
    """The numbers of the marks that it waits for."""
    label: str = ""
    branches: tuple[int, ...] = ()
    """The branches that the task searches."""
    work: str = ""
    """The kind of task that the result's last fold is; else the same as `kind`."""
    members: tuple[Mark, ...] = ()
    """What is folded into this mark."""

    @property
    def all(self) -> tuple[Mark, ...]:
        """The marks of single tasks that this one stands for."""
        return self.members or (self,)


def marks_of(search: Search) -> tuple[Mark, ...]:
    """One mark for each task of the search, in the order of its graph."""
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
    job = next((a for a in task.args if isinstance(a, Job)), None)
    branches = tuple(b.index for b in job.branches) if job else ()
    work = func.__name__ if kind == "result" else kind
    return Mark(kind, place, place[:-1], func in SPINE, after, branches=branches, work=work)


class Names:
    """Moves as words: of a branch, and of the way from the root to a place."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._nodes: dict[Place, tuple[Node | None, Any]] = {(): (plan.root, plan.state)}

    def node(self, path: Place) -> Node | None:
        """The plan's node at a place; None where the plan opened none."""
        return self._at(path)[0]

    def move(self, path: Place, index: int) -> str:
        """The move that leads from the node at `path` to one of its branches."""
        node, state = self._at(path)
        if node is None:
            return str(index)
        branch = node.branches[index]
        if node.kind == "chance":
            return f"{100 * branch.chance:.3g}%"
        return self.plan.game.move_text(state, branch.move)

    def way(self, path: Place) -> list[str]:
        """The moves from the root to the node at `path`."""
        return [self.move(path[:i], number(step)) for i, step in enumerate(path)]

    def _at(self, path: Place) -> tuple[Node | None, Any]:
        if path not in self._nodes:
            node, _ = self._at(path[:-1])
            index = number(path[-1])
            if node is None:
                self._nodes[path] = None, None
            else:
                self._nodes[path] = node.nodes[index], node.branches[index].state
        return self._nodes[path]


def number(step: int | str) -> int:
    """The branch number in a place: that of a test is written with a question mark."""
    return int(str(step).rstrip("?"))
