"""Tasks that a worker loads as it begins them.

Dask loads a task as it comes to a worker, which stops listening to the scheduler if that fails: a
search whose game is in a module that workers lack would never end.
"""

from __future__ import annotations

import pickle
import socket
from collections.abc import Hashable, Mapping
from typing import Any, Final, TypeVar

import cloudpickle
from dask.task_spec import GraphNode, Task, TaskRef

from strategies.running.runtime.shipping import ClusterError, packing

Key = Hashable
K = TypeVar("K")

LARGE: Final = 1_000_000
"""Bytes of a task that is loaded as it comes after all: in a graph all tasks share the tables of
their game, as long as they are not pickled one by one."""


class LoadedLate(Task):  # type: ignore[misc]  # it has no types
    """A task that fails where it cannot be loaded, with the reason."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.__getstate__()
        if not packing():
            try:
                content = pickle.dumps(state)
            except Exception:  # as of a class of a program, which goes by value
                content = cloudpickle.dumps(state)
            if len(content) < LARGE:
                return _loaded, (self.key, tuple(self.dependencies), content)
        return _of_state, (state,)


def loaded_late(graph: Mapping[K, Any]) -> dict[K, Any]:
    """Return a graph whose tasks are loaded late; what is no task stays as it is."""
    return {
        key: _of_state(task.__getstate__()) if type(task) is Task else task
        for key, task in graph.items()
    }


def _of_state(state: Any) -> LoadedLate:
    task = LoadedLate.__new__(LoadedLate)
    task.__setstate__(state)
    return task


def _loaded(key: Key, dependencies: tuple[Key, ...], content: bytes) -> GraphNode:
    try:
        return _of_state(pickle.loads(content))
    except Exception as error:  # whatever the loading of a game raises
        why = f"{error}" if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        return Task(key, _fail, socket.gethostname(), why, *map(TaskRef, dependencies))


def _fail(host: str, why: str, *_: Any) -> None:
    raise ClusterError(
        f"a worker on {host} cannot load the game ({why}): install there what defines it, in the "
        "same version, or write search(...).compute(), which sends modules of your own to workers"
    )
