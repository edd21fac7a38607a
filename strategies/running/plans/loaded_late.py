"""Tasks that a worker loads when it runs them.

Dask loads a task when it arrives at a worker, which stops listening to the scheduler if that fails:
a search whose game is in a module that workers lack would never end.  A worker with another version
of the module would search by other rules, so each task names the code that it was made with.  What
all tasks of a graph share, such as the game, a process loads and checks once.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from dask.task_spec import Task, TaskRef

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.fingerprint import own_fingerprint
from strategies.running.runtime.shipping import ClusterError, Content, Parcel, packing
from strategies.support.cached import cached_property
from strategies.values.lowering import Ordered, make_calls

Key = Hashable
K = TypeVar("K")

NAMES: Final = "game", "algorithm", "strategy"
"""The attributes of a task's arguments whose code may be a user's own."""
KINDS: Final = Game, Algorithm, MonteCarlo, Strategy, Driver
"""The classes of these."""


class LoadedLate(Ordered):
    """A task that fails where it cannot be loaded, with the reason, and that can be cancelled."""

    __slots__ = ("common",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.common: Common | None = None

    def __call__(self, values: Any = ()) -> Any:
        """Run the task; on a cluster's worker, its searches end if the task is cancelled."""
        worker = sys.modules.get("distributed.worker")
        if worker is None or not hasattr(worker.thread_state, "execution_state"):
            return super().__call__(values)
        from strategies.running.runtime.worker_side import cancellable

        return cancellable(self.key, partial(super().__call__, values))

    def __reduce__(self) -> tuple[Any, ...]:
        if packing() or self.func is _run:
            return _of_state, (LoadedLate, _state_of(self))
        common, needs = self.common or Common([self]), tuple(self.dependencies)
        piece = common.parcel.add(_of_state(Ordered, _state_of(self)))
        given = common.parcel.content, common.prints, piece, needs
        return LoadedLate, (self.key, _run, *given, *map(TaskRef, needs))


class Common:
    """What some tasks have in common, and the fingerprints of the code of a user's own in it."""

    def __init__(self, tasks: Iterable[Any]) -> None:
        self.values = common_to(tasks)

    @cached_property
    def parcel(self) -> Parcel:
        """Return the values, pickled once for all tasks."""
        return Parcel(self.values)

    @cached_property
    def prints(self) -> tuple[str, ...]:
        """Return the fingerprints."""
        return tuple(own_fingerprint(value)[0] for value in self.values)


def common_to(tasks: Iterable[Any]) -> tuple[Any, ...]:
    """Return a game and an algorithm of each class that tasks search, and their strategies."""
    found: dict[Any, Any] = {}
    for task in tasks:
        steps = [node for _, node in task.args[0]] if task.func is make_calls else [task]
        for given in (given for step in steps for given in step.args):
            for part in (given, *(getattr(given, name, None) for name in NAMES)):
                if isinstance(part, KINDS):
                    found.setdefault(_kind_of(part), part)
    return tuple(found.values())


def _kind_of(part: Any) -> Any:
    return id(part) if isinstance(part, Strategy | Driver) else type(part)


def loaded_late(graph: Mapping[K, Any]) -> dict[K, Any]:
    """Return a graph whose tasks are loaded late; everything else stays as it is."""
    late = {key: task for key, task in graph.items() if type(task) in (Task, Ordered)}
    common, made = Common(late.values()), dict(graph)
    for key, task in late.items():
        made[key] = _of_state(LoadedLate, _state_of(task))
        made[key].common = common
    return made


def _state_of(task: Any) -> tuple[Any, ...]:
    return tuple(getattr(task, name) for name in Ordered.get_all_slots())


def _of_state(kind: type[Ordered], state: tuple[Any, ...]) -> Any:
    task: Any = kind(None, _run)
    for name, value in zip(Ordered.get_all_slots(), state, strict=True):
        setattr(task, name, value)
    return task


def _run(
    content: Content, prints: tuple[str, ...], piece: bytes, needs: tuple[Key, ...], *values: Any
) -> Any:
    """Run a task, given the values that it needs.

    Raises: ClusterError if this process cannot load it as it was made; any error of the task.
    """
    try:
        _check(content.pickled, prints)
        task = content.read(piece)
    except Exception as error:  # whatever the loading of a game raises
        cause = error.__cause__ or error
        why = f"{cause}" if isinstance(cause, ImportError) else f"{type(cause).__name__}: {cause}"
        raise ClusterError(
            f"a worker on {socket.gethostname()} cannot load the search ({why}): install there "
            "what defines it, in the same version, or write search(...).compute(), which sends "
            "modules of your own to workers"
        ) from None
    return task(dict(zip(needs, values, strict=True)))


@lru_cache(maxsize=8)
def _check(pickled: bytes, prints: tuple[str, ...]) -> None:
    """Raise ImportError if the code of a user's own is another one in this process."""
    for value, known in zip(Content(pickled).values, prints, strict=False):  # classes come last
        if own_fingerprint(value)[0] != known:
            kind = type(value)
            raise ImportError(f"the code of {kind.__qualname__} in {kind.__module__} differs there")
