"""What an evaluation is going to run: its tasks, and what is known of each spark before that."""

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
    """A task: a spark's first, a step of a thread, a fold, or a call that was left to Dask.

    A fold puts values together, or hands them on; what is known is no task, but has a key.
    """

    key: Key
    kind: Kind
    calls: tuple[str, ...]
    """The names of the functions that it calls, in order."""
    after: tuple[int, ...]
    """The numbers of the tasks that it waits for, all of them smaller than its own."""


@frozen
class Planned:
    """The tasks of an evaluation, each behind all that it waits for; and the sparks without one.

    Ensures: ``asked == created + dud + opened``.
    """

    tasks: tuple[PlannedTask, ...]
    asked: int
    """How many sparks the strategies asked for."""
    created: int
    """How many sparks have a task; those that the value needs are among `tasks`."""
    dud: int
    """How many sparks had nothing to call: it was known, or is called elsewhere."""
    opened: int
    """How many sparks ask for others, so that there are tasks of what they consist of."""

    @property
    def sparks(self) -> int:
        """Return how many sparks will run."""
        return self.many("spark")

    @property
    def garbage(self) -> int:
        """Return how many sparks have a task that the value does not need, so that none runs."""
        return self.created - self.sparks

    def many(self, kind: Kind) -> int:
        """Return how many tasks of a kind there are."""
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
