"""A graph with one result, as a lazy Dask collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dask.base import DaskMethodsMixin
from dask.delayed import Delayed
from dask.threaded import get as threaded_get


class Lazy(DaskMethodsMixin):
    """What Dask asks of a collection; a subclass has the graph, and a token."""

    __dask_scheduler__ = staticmethod(threaded_get)
    __dask_optimize__ = None

    _lowered: Any
    """The graph, and the key of its result."""

    def tasks(self) -> dict[Any, Any]:
        """The tasks by key, in the order in which one worker runs them."""
        return dict(self._lowered[0])

    def __dask_graph__(self) -> dict[Any, Any]:
        return self.tasks()

    def __dask_keys__(self) -> list[Any]:
        return [self._lowered[1]]

    def __dask_postcompute__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _first, ()

    def __dask_postpersist__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _kept, (self._lowered[1],)


def _first(results: list[Any]) -> Any:
    return results[0]


def _kept(dsk: Any, key: Any, rename: Any = None) -> Delayed:
    return Delayed(key, dsk)
