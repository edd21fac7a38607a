"""Results of evaluations: one delayed value, whose parts can be computed before the whole."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypeVar

from attrs import frozen
from dask.delayed import Delayed, delayed
from dask.highlevelgraph import HighLevelGraph
from dask.task_spec import Task, TaskRef

from strategies.algebra.strategy import Strategy
from strategies.native.fingerprint import fingerprint
from strategies.support import by_value
from strategies.values.containers_of import SEQUENCES, listed, mapped, parts
from strategies.values.lowering import Lowering, Planned, planned
from strategies.values.thread import NONE, Key, Step, Thread
from strategies.values.thunks import is_thunk

E = TypeVar("E", bound="EvaluatedGraph")


class EvaluatedGraph(Delayed):  # type: ignore[misc]  # Dask has no types
    """A delayed value; if it is a list, tuple or dict, ``[i]`` waits only for what part i needs."""

    __slots__ = ("_last", "_lowering", "_root", "_strategy", "_value")

    def __init__(
        self, root: Key, value: Any, lowering: Lowering, last: Step | None = None,
        strategy: Strategy | None = None,
    ) -> None:  # fmt: skip
        """Lower the tasks that the key `root` needs; `strategy` evaluated the value, if any did."""
        length = len(value) if _is_row(value) else None
        name, graph = lowering.graph(root)
        super().__init__(name, self._prepared(graph), length)
        self._root, self._value, self._lowering = root, value, lowering
        self._last, self._strategy = last, strategy

    @staticmethod
    def _prepared(graph: HighLevelGraph) -> HighLevelGraph:
        """Return the graph as it is given to Dask."""
        return graph

    @property
    def _planned(self) -> Planned:
        """Return the planned tasks and sparks."""
        return planned(self._lowering, self._root)

    def __getitem__(self, i: Any) -> Delayed:
        value, last = self._value, self._last
        known = _is_table(value) or (isinstance(i, int) and _is_row(value))
        part: Any = value[i] if known else None
        if not is_thunk(part):
            return super().__getitem__(i)
        key = self._lowering.record.resolved(part.key)
        if last is not None and self._lowering.record.place.get(key) is last:
            return super().__getitem__(i)
        return type(self)(key, part, self._lowering)

    def __iter__(self) -> Iterator[Delayed]:
        if not _is_row(self._value):
            yield from super().__iter__()
        else:
            yield from (self[i] for i in range(len(self._value)))

    @property
    def _given(self) -> tuple[Any, ...]:
        """Return the arguments that make an equal value."""
        return self._root, self._value, self._lowering, self._last, self._strategy

    def __copy__(self: E) -> E:
        return self  # as for everything that does not change

    def __deepcopy__(self: E, memo: dict[int, Any]) -> E:
        return type(self)(*deepcopy(self._given, memo))

    def __reduce__(self) -> Any:
        return _loaded, (type(self), by_value.dumps(self._given))


def _loaded(made: type[E], content: bytes) -> E:
    """Return a pickled value; its functions may be lambdas, which pickle alone cannot write."""
    return made(*pickle.loads(content))


def _is_row(value: Any) -> bool:
    """Return whether the parts have known places."""
    return type(value) in SEQUENCES or (isinstance(value, tuple) and hasattr(value, "_fields"))


def _is_table(value: Any) -> bool:
    """Return whether the parts have known keys: one still to be computed may equal another."""
    return type(value) is dict and not any(map(_holds_thunks, value))


def _holds_thunks(x: Any) -> bool:
    return is_thunk(x) or any(map(_holds_thunks, parts(x) or ()))


@frozen
class Slot:
    """The place of a thunk in a container."""

    number: int


def fill(form: Any, *values: Any) -> Any:
    """Fill the slots of a container."""
    return mapped(form, lambda v: isinstance(v, Slot), lambda slot: values[slot.number])


def concluded(made: type[E], thread: Thread, value: Any, strategy: Strategy | None = None) -> E:
    """Return the result of a finished thread, assembled in its last task if possible."""
    record = thread.record
    value = mapped(listed(value, is_thunk), is_thunk, _thunk)
    key = record.add(value) if isinstance(value, Delayed) else None
    if key is None or record.open is not None or thread.after not in (NONE, {key}):
        key = _gather(thread, value)
    last = record.open
    if last is not None:
        last.result = key
    thread.close()
    return made(key, value, Lowering(record), last, strategy)


def _thunk(x: Any) -> Delayed:
    return x if isinstance(x, Delayed) else delayed(x)


def _gather(thread: Thread, value: Any) -> Key:
    """Add a call that assembles the value from its thunks, after all calls of the thread."""
    record = thread.record
    slots: dict[Key, int] = {}

    def slot(x: Any) -> Slot:
        return Slot(slots.setdefault(record.add(_thunk(x)), len(slots)))

    form = mapped(value, is_thunk, slot)
    key = f"gather-{fingerprint((form, *slots))}"
    record.nodes[key] = Task(key, fill, form, *map(TaskRef, slots))
    record.folds.add(key)
    thread.call_key(key)
    return key


def gathered(thread: Any, value: Any) -> Any:
    """Return one thunk for a container of thunks, called in the thread; other values unchanged."""
    if is_thunk(value) or not _holds_thunks(value):
        return value
    key = _gather(thread, value)
    return Delayed(key, {key: thread.record.nodes[key]})
