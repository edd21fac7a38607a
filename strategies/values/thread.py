"""Threads of evaluation: which call runs in which task, and which tasks wait for which.

An evaluation is a thread that calls thunks one after the other and sparks other threads.  On Dask
a thread is a chain of *steps*, tasks that each make a row of calls in order; a step ends where a
spark begins or where the thread has to wait, so that no task waits for more than its first call
needs.  Nothing is computed here: the result is a record, from which `lowering` makes a graph.

A thunk is called only once: when it is used again, its value is known or waited for.  A thunk that
is the input of a call is left to Dask, unless it was called before.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable
from typing import Any, Literal

from dask.delayed import Delayed, delayed
from dask.highlevelgraph import HighLevelGraph
from dask.task_spec import Alias, GraphNode, Task

from strategies.algebra.strategy import Modified, Strategy
from strategies.values.basic import ValueStrategy
from strategies.values.containers_of import SEQUENCES, mapped
from strategies.values.parallel import evaluate_list
from strategies.values.thunks import is_thunk

Key = Any
Keys = frozenset[Key]
NONE: Keys = frozenset()
Role = Literal["step", "spark"]


class Step:
    """A future task: calls made in order when the keys in `after` are known."""

    def __init__(self, thread: Thread, after: Keys) -> None:
        self.thread, self.after = thread, after
        self.calls: list[Key] = []
        self.result: Key | None = None
        """The only call whose value is needed; None if any may be needed."""

    @property
    def returned(self) -> Key | None:
        """Return the call whose value the task returns; None if it returns the list of all."""
        return self.calls[0] if len(self.calls) == 1 else self.result


class Record:
    """The record shared by all threads of an evaluation: graph nodes, and the step of each call."""

    def __init__(self) -> None:
        self.nodes: dict[Key, Any] = {}
        self.annotations: dict[Key, dict[str, Any]] = {}
        self.place: dict[Key, Step] = {}
        self.sparks: list[Thread] = []
        """The threads of all requested sparks, outer ones first."""
        self.folds: set[Key] = set()
        """Calls that only combine values."""
        self.open: Step | None = None
        """The step to which calls are still added; at most one, because a spark ends it."""
        self._layers: dict[int, Any] = {}
        self._inputs: set[Key] = set()
        self._of_open: set[Key] = set()
        """Inputs that need the open step."""
        self._of_sparks: set[Key] = set()
        """Inputs that need a spark, or needed one when they were first used."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what a finished record consists of, without what only `add` and `use` need."""
        return {name: held for name, held in vars(self).items() if not name.startswith("_")}

    def add(self, x: Delayed) -> Key:
        """Add a thunk's graph to the nodes; return its key."""
        graph = x.__dask_graph__()
        if isinstance(graph, HighLevelGraph):
            for layer in graph.layers.values():
                if id(layer) not in self._layers:
                    self._layers[id(layer)] = layer  # kept, so that no other layer has its id
                    self._add(dict(layer))
                    if layer.annotations:
                        self.annotations |= dict.fromkeys(layer, layer.annotations)
        elif graph is not None and x.key not in self.nodes:
            self._add(dict(graph))
        return self.resolved(x.key)

    def resolved(self, key: Key) -> Key:
        """Return the key for which a key is an alias; the key itself if it is none."""
        while isinstance(node := self.nodes.get(key), Alias) and node.target != key:
            key = node.target
        return key

    def _add(self, layer: dict[Key, Any]) -> None:
        from dask._task_spec import convert_legacy_graph  # dask.task_spec does not offer it

        new = {k: v for k, v in layer.items() if k not in self.nodes}
        if not all(isinstance(v, GraphNode) for v in new.values()):
            new |= convert_legacy_graph(new, ChainMap(self.nodes, layer))
        self.nodes |= new

    def needs(self, key: Key) -> Keys:
        """Return the keys that the node of a key takes as inputs."""
        node = self.nodes.get(key)
        return node.dependencies - {key} if isinstance(node, GraphNode) else NONE

    def callable(self, key: Key) -> bool:
        """Return whether a key is a call that no step has made or needed yet."""
        return isinstance(self.nodes.get(key), Task) and key not in self._inputs

    def use(self, key: Key, thread: Thread) -> bool:
        """Mark the inputs of a call as used, so that they stay where they are.

        Returns: whether one of them needs the open step from outside it, or a spark.
        """
        stack = [(d, False) for d in self.needs(key)]
        while stack:
            k, seen = stack.pop()
            if seen:
                self._mark(k, thread)
            elif k not in self.place and k not in self._inputs:
                self._inputs.add(k)
                stack += [(k, True), *((d, False) for d in self.needs(k))]
        return any(d in self._of_open or d in self._of_sparks for d in self.needs(key))

    def _mark(self, key: Key, thread: Thread) -> None:
        below = self.needs(key)
        if any(d in self._of_open or self._is_open(d) for d in below):
            self._of_open.add(key)
        if any(d in self._of_sparks or self.foreign(d, thread) for d in below):
            self._of_sparks.add(key)

    def _is_open(self, key: Key) -> bool:
        return self.open is not None and self.place.get(key) is self.open

    def foreign(self, key: Key, thread: Thread) -> bool:
        """Return whether a key is called in a task that the thread has not waited for."""
        step = self.place.get(key)
        return step is not None and not thread.knows(step)

    def close(self) -> None:
        """Close the open step, so that no more calls are added."""
        self.open = None
        self._of_open.clear()

    def joined(self, known: Keys, more: Keys) -> Keys:
        """Return the keys to wait for until both sets are known, without those `more` waits for."""
        return known.difference(*(self.place[k].after for k in more)) | more


class Thread:
    """A thread of evaluation: calls one after the other, and the sparks between them."""

    def __init__(
        self, record: Record, after: Keys = NONE, role: Role = "step",
        above: tuple[Thread, ...] = (),
    ) -> None:  # fmt: skip
        self.record, self.after, self.role = record, after, role
        self.lineage = (*above, self)
        self._begin = after
        self._sparked: set[Key] = set()
        self._waited: set[Step] = set()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a finished thread consists of."""
        return {name: held for name, held in vars(self).items() if not name.startswith("_")}

    @property
    def ends(self) -> Keys:
        """Return the keys to wait for until all calls of this thread and its sparks are known."""
        return frozenset(self._sparked) | (self.after - self._begin)

    def call(self, x: Any) -> Any:
        """Call a thunk in this thread after its earlier calls; leave other values alone."""
        if not is_thunk(x):
            return x
        thunk = x if isinstance(x, Delayed) else delayed(x)
        self.call_key(self.record.add(thunk))
        return thunk

    def call_key(self, key: Key) -> None:
        """Call a key of the record in this thread."""
        r = self.record
        if key in r.place:
            if not self.knows(r.place[key]):
                self.wait(frozenset({key}))
            return
        if not r.callable(key):
            return
        if r.use(key, self):
            self.close()
        self.wait(frozenset(d for d in r.needs(key) if r.foreign(d, self)))
        if r.open is None:
            r.open = Step(self, self.after)
        r.open.calls.append(key)
        r.place[key] = r.open

    def deep(self, x: Any, f: Callable[[Any], Any] | None = None) -> Any:
        """Call every thunk in nested containers in order, or apply `f` to it instead."""
        return mapped(x, is_thunk, f or self.call)

    def close(self) -> None:
        """Close the step, so that the next call waits for it."""
        step = self.record.open
        if step is not None:
            self.after = frozenset({step.calls[-1]})
            self.record.close()

    def wait(self, keys: Keys) -> None:
        """Make the next call wait for `keys`."""
        if not keys <= self.after:
            self.close()
            self.after = self.record.joined(self.after, keys)
            stack = list(keys)
            while stack:
                step = self.record.place[stack.pop()]
                if step not in self._waited:
                    self._waited.add(step)
                    stack += step.after

    def knows(self, step: Step) -> bool:
        """Return whether the next call in this thread waits for a step anyway."""
        return step.thread in self.lineage or any(step in t._waited for t in self.lineage)

    def spark(
        self, action: Callable[[Thread], Any], after: Keys | None = None, ahead: bool = True
    ) -> tuple[Any, Keys]:
        """Run an action in a new thread, which starts when `after` is known, and go on.

        With ``ahead=False``, for an action that leaves everything to Dask, there is no spark.
        Returns: the result of the action, and the keys to wait for until all its calls are known.
        """
        self.close()
        child = Thread(self.record, self.after if after is None else after, "spark", self.lineage)
        if ahead:
            self.record.sparks.append(child)
        value = action(child)
        child.close()
        self._sparked |= child.ends
        return value, child.ends

    def followed(self, action: Callable[[Thread], Any]) -> tuple[Any, Keys]:
        """Run an action in this thread; return its result, and the sparks that it leaves behind."""
        before, self._sparked = self._sparked, set()
        new = action(self)
        sparked, self._sparked = frozenset(self._sparked), before
        before |= sparked
        return new, sparked

    def evaluate(self, x: Any, s: Strategy) -> Any:
        """Evaluate `x` by `s` in this thread."""
        if isinstance(s, ValueStrategy):
            return s.evaluate(self, x)
        leaf = isinstance(s, Modified) and s.plies and not isinstance(x, SEQUENCES)
        return self.deep(x) if s.inlined or leaf else evaluate_list(self, x, s)
