"""Tasks that a worker loads when it starts them.

Dask loads a task when it arrives at a worker, which stops listening to the scheduler if that fails:
a search whose game is in a module that workers lack would never end.  A worker with another version
of the module would search by other rules, so each task names the rules that it was made with.
"""

from __future__ import annotations

import importlib
import io
import pickle
import socket
import sys
from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from dask.task_spec import GraphNode, Task, TaskRef

from games import Game
from strategies.native.fingerprint import fingerprint
from strategies.native.references import is_fixed
from strategies.running.runtime.shipping import ClusterError, packing
from strategies.support import by_value
from strategies.values.lowering import Ordered

Key = Hashable
K = TypeVar("K")

Rules = tuple[tuple[str, str, str], ...]
"""The module, the name and the fingerprint of each class of rules that is pickled by reference."""

LARGE: Final = 1_000_000
"""Bytes from which a task is loaded when it arrives after all: all tasks of a graph share the
tables of their game, as long as they are not pickled one by one."""


class LoadedLate(Ordered):
    """A task that fails where it cannot be loaded, with the reason, and that can be cancelled."""

    __slots__ = ()

    def __call__(self, values: Any = ()) -> Any:
        """Run the task; on a cluster's worker, its searches end if the task is cancelled."""
        worker = sys.modules.get("distributed.worker")
        if worker is None or not hasattr(worker.thread_state, "execution_state"):
            return super().__call__(values)
        from strategies.running.runtime.worker_side import cancellable

        return cancellable(self.key, partial(super().__call__, values))

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.__getstate__()
        if not packing():
            content, rules = _pickled(state)
            if len(content) < LARGE:
                return _loaded, (self.key, tuple(self.dependencies), content, rules)
        return _of_state, (state,)


class _Pickler(pickle.Pickler):
    """A pickler that notes the classes of rules, and refuses what is defined in a program."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.games: list[type] = []

    def reducer_override(self, obj: Any) -> Any:
        if getattr(obj, "__module__", None) == "__main__" and hasattr(obj, "__qualname__"):
            raise pickle.PicklingError("the main module of a worker is another one")
        if isinstance(obj, type) and issubclass(obj, Game) and not is_fixed(obj.__module__):
            self.games.append(obj)
        return NotImplemented


def _pickled(state: Any) -> tuple[bytes, Rules]:
    """Pickle the state of a task; return it with the rules that a worker must have, too."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    try:
        pickler.dump(state)
    except Exception:  # such as for a class of a program, which goes by value
        return by_value.dumps(state), ()
    return file.getvalue(), tuple(
        (game.__module__, game.__qualname__, fingerprint(game)) for game in pickler.games
    )


def loaded_late(graph: Mapping[K, Any]) -> dict[K, Any]:
    """Return a graph whose tasks are loaded late; everything else stays as it is."""
    return {
        key: _of_state(task.__getstate__()) if type(task) in (Task, Ordered) else task
        for key, task in graph.items()
    }


def _of_state(state: Any) -> LoadedLate:
    task = LoadedLate.__new__(LoadedLate)
    task.__setstate__(state)
    return task


def _loaded(key: Key, dependencies: tuple[Key, ...], content: bytes, rules: Rules) -> GraphNode:
    try:
        for module, name, known in rules:
            game = importlib.import_module(module)
            for part in name.split("."):
                game = getattr(game, part)
            if fingerprint(game) != known:
                raise ImportError(f"the rules of {name} in {module} differ there")
        return _of_state(pickle.loads(content))
    except Exception as error:  # whatever the loading of a game raises
        why = f"{error}" if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        return Task(key, _fail, socket.gethostname(), why, *map(TaskRef, dependencies))


def _fail(host: str, why: str, *_: Any) -> None:
    raise ClusterError(
        f"a worker on {host} cannot load the game ({why}): install there what defines it, in the "
        "same version, or write search(...).compute(), which sends modules of your own to workers"
    )
