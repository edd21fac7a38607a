"""Tasks: the graph of an evaluation that is over.

A step becomes one task that makes its calls in order.  A node that takes a called thunk as its
input is copied under a new key, so that the graph given is left as it was; all others are shared.
"""

from __future__ import annotations

from typing import Any

from dask.highlevelgraph import HighLevelGraph
from dask.task_spec import GraphNode, Task, TaskRef
from dask.tokenize import tokenize
from dask.utils import key_split

from strategies.values.thread import Key, Keys, Record, Step

WIDEST = 8
"""More tasks than this are waited for through one task, shared by all who wait for them."""


class Ordered(Task):  # type: ignore[misc]  # Dask has no types
    """A task that Dask's linear fusion leaves alone: fused into its neighbour, a spark is none."""

    __slots__ = ()

    @property
    def block_fusion(self) -> bool:
        return True


def make_calls(
    calls: tuple[tuple[Key, Any], ...], inputs: tuple[tuple[Key, ...], ...],
    result: Key | None, *values: Any,
) -> Any:  # fmt: skip
    """Make calls in order, each seeing the values of those before.

    Requires: `inputs` says which keys each of the first values belongs to: a value each, or one for
    a key alone.  What more values there are was only waited for.
    Returns: the value of the call `result`, or those of all calls.
    """
    known: dict[Key, Any] = {}
    for keys, value in zip(inputs, values, strict=False):
        known.update(zip(keys, value if len(keys) > 1 else [value], strict=True))
    for key, node in calls:
        known[key] = node({d: known[d] for d in node.dependencies})
    return [known[key] for key, _ in calls] if result is None else known[result]


def pick(values: list[Any], i: int) -> Any:
    """One of the values of a step."""
    return values[i]


def wait(*_: Any) -> None:
    """Nothing, once all inputs are known."""


class Lowering:
    """Makes the graph that a key needs."""

    def __init__(self, record: Record) -> None:
        self.record = record
        steps = dict.fromkeys(record.place.values())
        self.token = tokenize([(s.calls, sorted(map(str, s.after)), s.result) for s in steps])
        self.number = {s: i for i, s in enumerate(steps)}

    def graph(self, key: Key) -> tuple[str, HighLevelGraph]:
        """The new key of `key`, and the graph that it needs, and nothing else."""
        self.made: dict[Key, Any] = {}
        self.names: dict[Key, Key] = {}
        for k in self._in_order(key):
            if k not in self.names:
                self._make(k)
        name = self._name(key)
        return name, HighLevelGraph.from_collections(name, self.made, dependencies=())

    def _in_order(self, key: Key) -> list[Key]:
        """All keys that a key needs, after those that they need."""
        order: dict[Key, None] = {}
        seen: set[Key] = set()
        stack = [(key, False)]
        while stack:
            k, done = stack.pop()
            if done:
                order[k] = None
            elif k not in seen:
                seen.add(k)
                stack += [(k, True), *((d, False) for d in self._needs(k))]
        return list(order)

    def _needs(self, key: Key) -> Keys:
        step = self.record.place.get(key)
        if step is None:
            return self.record.needs(key)
        calls = frozenset(step.calls)
        return step.after.union(*map(self.record.needs, step.calls)) - calls

    def _make(self, key: Key) -> None:
        step = self.record.place.get(key)
        if step is not None:
            self._make_step(step)
            return
        node = self.record.nodes.get(key)
        if not isinstance(node, GraphNode):
            if node is not None:
                self.made[key] = node  # a future: the cluster has the value
            self.names[key] = key
            return
        moved = {d: name for d in self.record.needs(key) if (name := self._name(d)) != d}
        if moved:
            new = f"{key_split(key)}-{tokenize(self.token, key)}"
            node = node.substitute(moved, key=new)
        self.names[key] = node.key
        self.made[node.key] = node

    def _make_step(self, step: Step) -> None:
        calls = frozenset(step.calls)
        outside = [d for k in step.calls for d in self.record.needs(k) if d not in calls]
        inputs: dict[Key, tuple[Key, ...]] = {}
        for d in sorted(dict.fromkeys(outside), key=str):
            source = self.record.place.get(d)
            together = source is not None and source.result is None and len(source.calls) > 1
            if source is not None and together:
                inputs[self.names[source]] = tuple(source.calls)
            else:
                inputs[self._name(d)] = (d,)
        name = f"{step.thread.role}-{key_split(step.calls[0])}-{self._token(step)}"
        result = step.calls[0] if len(step.calls) == 1 else step.result
        refs = [TaskRef(k) for k in (*inputs, *self._waits(step, inputs))]
        nodes = tuple((k, self.record.nodes[k]) for k in step.calls)
        self.made[name] = Ordered(name, make_calls, nodes, tuple(inputs.values()), result, *refs)
        self.names[step] = name
        for k in step.calls:
            self.names[k] = None
        if result is not None:
            self.names[result] = name

    def _token(self, step: Step) -> str:
        return str(tokenize(self.token, self.number[step]))

    def _waits(self, step: Step, inputs: dict[Key, tuple[Key, ...]]) -> list[Key]:
        """The tasks that a step waits for though it takes nothing from them."""
        place = self.record.place
        steps = {place.get(k, k) for k in step.after}
        names = sorted({self.names[s] for s in steps} - inputs.keys(), key=str)
        if len(names) <= WIDEST:
            return names
        barrier = f"wait-{tokenize(names)}"
        self.made[barrier] = Ordered(barrier, wait, *map(TaskRef, names))
        return [barrier]

    def _name(self, key: Key) -> Key:
        """The key under which a value is found alone; from a row of calls, it is picked."""
        if self.names[key] is None:
            step = self.record.place[key]
            name = f"pick-{tokenize(self.token, key)}"
            ref = TaskRef(self.names[step])
            self.made[name] = Task(name, pick, ref, step.calls.index(key))
            self.names[key] = name
        return self.names[key]
