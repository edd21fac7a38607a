"""Lower a finished evaluation to a graph of Dask tasks.

A step becomes one task that makes its calls in order.  A node that takes a called thunk as its
input is copied under a new key, so that the given graph is unchanged; all others are shared.

The tasks and the sparks of the graph are also listed, before it runs.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from attrs import frozen
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer
from dask.task_spec import GraphNode, Task, TaskRef
from dask.tokenize import tokenize
from dask.utils import key_split

from graphs.limits import WAITED_TASKS
from strategies.values.thread import Key, Keys, Record, Role, Step


class Ordered(Task):  # type: ignore[misc]  # Dask has no types
    """A task that Dask's linear fusion does not fuse, because a fused spark would be lost."""

    __slots__ = ()

    @property
    def block_fusion(self) -> bool:
        return True


def make_calls(
    calls: tuple[tuple[Key, Any], ...], inputs: tuple[tuple[Key, ...], ...],
    result: Key | None, *values: Any,
) -> Any:  # fmt: skip
    """Make calls in order, each with the values of those before.

    Requires: `inputs` has the keys of each of the first values: a row for several keys, or one
    value for a single key.  The call only waited for further values.
    Returns: the value of the call `result`, or the values of all calls.
    """
    known: dict[Key, Any] = {}
    for keys, value in zip(inputs, values, strict=False):
        known.update(zip(keys, value if len(keys) > 1 else [value], strict=True))
    for key, node in calls:
        known[key] = node({d: known[d] for d in node.dependencies})
    return [known[key] for key, _ in calls] if result is None else known[result]


def pick(values: list[Any], i: int) -> Any:
    """Return one of the values of a step."""
    return values[i]


def wait(*_: Any) -> None:
    """Return None when all inputs are known."""


def _dependencies(node: Any) -> Keys:
    return node.dependencies if isinstance(node, GraphNode) else frozenset()


def layered(
    name: Key, made: dict[Key, Any], annotations: dict[Key, dict[str, Any]]
) -> HighLevelGraph:
    """Return a graph of tasks with their annotations; `name` is the key of the last task."""
    if not annotations:
        return HighLevelGraph.from_collections(name, made, dependencies=())
    layers = {
        k: MaterializedLayer({k: task}, annotations=annotations.get(k)) for k, task in made.items()
    }
    needs = {k: made.keys() & _dependencies(task) for k, task in made.items()}
    return HighLevelGraph(layers, needs)


class Lowering:
    """The lowering of a finished evaluation, which makes the graph that a key needs."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.number = {s: i for i, s in enumerate(dict.fromkeys(record.place.values()))}
        self.first = {s.thread: s for s in reversed(self.number)}
        self.index = {k: i for s in self.number for i, k in enumerate(s.calls)}
        self.opened = {outer for s in record.sparks for outer in s.lineage[:-1]}
        self.inputs = {step: self._inputs(step) for step in self.number}
        self.token = tokenize([
            (s.thread.role, s.calls, s.result, sorted(map(str, s.after - self.inputs[s])))
            for s in self.number
        ])  # fmt: skip

    def __reduce__(self) -> Any:
        return Lowering, (self.record,)

    def _inputs(self, step: Step) -> Keys:
        """Return the keys whose values a step takes from other tasks."""
        return frozenset().union(*map(self.record.needs, step.calls)) - frozenset(step.calls)

    def role(self, step: Step) -> Role:
        """Return the role of a step.

        The first step of a spark is the spark itself, unless it sparks again: then it is opened.
        """
        thread = step.thread
        alone = step is self.first[thread] and thread not in self.opened
        return thread.role if alone else "step"

    def graph(self, key: Key) -> tuple[Key, HighLevelGraph]:
        """Return the new key of `key`, and a graph of exactly the tasks that it needs."""
        graph = Lowered(self, key)
        return graph.name, layered(graph.name, graph.nodes, graph.annotations)

    def in_order(self, key: Key) -> list[Key]:
        """Sort all keys that a key needs, each after those that it needs; a step by its first."""
        order: list[Key] = []
        visited: set[Key] = set()
        stack = [(key, False)]
        while stack:
            k, done = stack.pop()
            step = self.record.place.get(k)
            k = k if step is None else step.calls[0]  # a step is visited once, not once a call
            if done:
                order.append(k)
            elif k not in visited:
                visited.add(k)
                needs = sorted(self.needs(k), key=self.rank, reverse=True)
                stack += [(k, True), *((d, False) for d in needs)]
        return order

    def needs(self, key: Key) -> Keys:
        step = self.record.place.get(key)
        return self.record.needs(key) if step is None else step.after | self.inputs[step]

    def rank(self, key: Key) -> tuple[int, str]:
        step = self.record.place.get(key)
        return (-1 if step is None else self.number[step]), str(key)


class Lowered:
    """The graph of exactly the tasks that a key needs; each call makes one of its own, because
    threads may ask for several at once.

    Ensures: sparks are listed in the order of their creation.
    """

    def __init__(self, lowering: Lowering, key: Key) -> None:
        self.lowering, self.record = lowering, lowering.record
        self.nodes: dict[Key, Any] = {}
        self.names: dict[Key, Key] = {}
        """The new keys of the record's."""
        self.tasks: dict[Step, Key] = {}
        self.annotations: dict[Key, dict[str, Any]] = {}
        for k in lowering.in_order(key):
            step = self.record.place.get(k)
            if step is None:
                self._make(k)
            elif step not in self.tasks:
                self._make_step(step)
        self.name = self._name(key)
        """The new key of `key`."""

    def _make(self, key: Key) -> None:
        """Make a node that no step calls: a copy if its inputs have new keys, else the same."""
        node = self.record.nodes.get(key)
        self.names[key] = key
        if not isinstance(node, GraphNode):
            if node is not None:
                self.nodes[key] = node  # a future: the cluster has the value
            return
        moved = {d: new for d in self.record.needs(key) if (new := self._name(d)) != d}
        if moved:
            self.names[key] = f"{key_split(key)}-{tokenize(self.lowering.token, key)}"
            node = node.substitute(moved, key=self.names[key])
        self.nodes[self.names[key]] = node
        self._annotate(self.names[key], [key])

    def _make_step(self, step: Step) -> None:
        taken: dict[Key, tuple[Key, ...]] = {}
        for d in sorted(self.lowering.inputs[step], key=self.lowering.rank):
            source = self.record.place.get(d)
            if source is not None and source.returned is None:
                taken[self.tasks[source]] = tuple(source.calls)
            else:
                taken[self._name(d)] = (d,)
        token = tokenize(self.lowering.token, self.lowering.number[step])
        name = f"{self.lowering.role(step)}-{key_split(step.calls[0])}-{token}"
        nodes = tuple((k, self.record.nodes[k]) for k in step.calls)
        refs = map(TaskRef, (*taken, *self._waits(step, taken.keys())))
        self.nodes[name] = Ordered(
            name, make_calls, nodes, tuple(taken.values()), step.returned, *refs
        )
        self.tasks[step] = name
        self._annotate(name, step.calls)

    def _annotate(self, name: Key, calls: list[Key]) -> None:
        """Annotate a task with the Dask annotations of its calls; the first one wins."""
        for k in reversed(calls):
            for kind, value in self.record.annotations.get(k, {}).items():
                value = value(k) if callable(value) else value
                self.annotations.setdefault(name, {})[kind] = value

    def _waits(self, step: Step, taken: Collection[Key]) -> list[Key]:
        """Return the tasks that a step waits for without using their values."""
        tasks = {self.tasks[self.record.place[k]] for k in step.after - self.lowering.inputs[step]}
        names = sorted(tasks - {*taken})
        if len(names) <= WAITED_TASKS:
            return names
        barrier = f"wait-{tokenize(names)}"
        self.nodes[barrier] = Ordered(barrier, wait, *map(TaskRef, names))
        return [barrier]

    def _name(self, key: Key) -> Key:
        """Return the key of a single value, which is picked from a row of calls if necessary."""
        if key not in self.names:
            step = self.record.place[key]
            name = self.tasks[step]
            if step.returned is None:
                i = self.lowering.index[key]
                name, ref = f"pick-{tokenize(name, i)}", TaskRef(name)
                self.nodes[name] = Task(name, pick, ref, i)
            self.names[key] = name
        return self.names[key]


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
    graph = Lowered(lowering, root)
    steps = {name: step for step, name in graph.tasks.items()}
    numbers = {key: i for i, key in enumerate(graph.nodes)}
    tasks = []
    for key, node in graph.nodes.items():
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
