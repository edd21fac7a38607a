"""The planned tasks and sparks of an evaluation, before it runs."""

from __future__ import annotations

from typing import Literal

from attrs import frozen
from dask.task_spec import GraphNode, Task
from dask.utils import key_split

from strategies.values.lowering import Lowering, pick, wait
from strategies.values.thread import Key, Step

Kind = Literal["spark", "step", "fold", "call", "known"]


@frozen
class PlannedTask:
    """A task: the first of a spark, a step of a thread, a fold, or a call that is left to Dask.

    A fold combines values, or passes them on.  A known value is not a task, but has a key.
    """

    key: Key
    kind: Kind
    calls: tuple[str, ...]
    """The names of the functions that the task calls, in order."""
    after: tuple[int, ...]
    """The numbers of the tasks that the task waits for, all smaller than its own."""


@frozen
class Planned:
    """The tasks of an evaluation, each after those that it waits for; and the counts of sparks.

    Ensures: ``asked == created + dud + opened``.
    """

    tasks: tuple[PlannedTask, ...]
    asked: int
    """The number of sparks that the strategies requested."""
    created: int
    """The number of sparks with a task; those that the value needs are among `tasks`."""
    dud: int
    """The number of sparks with nothing to call: it was known, or is called elsewhere."""
    opened: int
    """The number of sparks that are opened: they consist of other sparks, which have tasks."""

    @property
    def sparks(self) -> int:
        """Return the number of sparks that will run."""
        return self.many("spark")

    @property
    def garbage(self) -> int:
        """Return the number of sparks whose task never runs, because the value does not need it."""
        return self.created - self.sparks

    def many(self, kind: Kind) -> int:
        """Return the number of tasks of a kind."""
        return sum(task.kind == kind for task in self.tasks)


def planned(lowering: Lowering, root: Key) -> Planned:
    """Plan the tasks that the key `root` needs.  Work: linear in the graph."""
    lowering.graph(root)
    steps = {name: step for step, name in lowering.tasks.items()}
    numbers = {key: i for i, key in enumerate(lowering.made)}
    tasks = []
    for key, node in lowering.made.items():
        kind, calls = _kind(lowering, node, steps.get(key)), _calls(lowering, key, steps.get(key))
        needs = node.dependencies if isinstance(node, GraphNode) else ()
        after = tuple(sorted(numbers[d] for d in needs if d in numbers))
        tasks.append(PlannedTask(key, kind, calls if kind != "fold" else (), after))
    sparks = lowering.record.sparks
    opened = sum(thread in lowering.opened for thread in sparks)
    created = sum(t in lowering.first and t not in lowering.opened for t in sparks)
    return Planned(tuple(tasks), len(sparks), created, len(sparks) - created - opened, opened)


def _kind(lowering: Lowering, node: object, step: Step | None) -> Kind:
    if step is not None:
        role = lowering.role(step)
        return "fold" if role == "step" and lowering.record.folds.issuperset(step.calls) else role
    if not isinstance(node, Task):
        return "known"
    return "fold" if node.func in (pick, wait) else "call"


def _calls(lowering: Lowering, key: Key, step: Step | None) -> tuple[str, ...]:
    if step is None:
        return (key_split(key),)
    return tuple(key_split(k) for k in step.calls if k not in lowering.record.folds)
