"""A graph with one result, as a lazy Dask collection."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Generator, Mapping
from typing import Any, Self

from dask import Expr
from dask.base import DaskMethodsMixin, clone_key, replace_name_in_key
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer
from dask.task_spec import GraphNode, Task, TaskRef
from dask.threaded import get as threaded_get
from dask.utils import ensure_dict

from strategies.native.memory.cells import Stop
from strategies.running.plans.loaded_late import loaded_late
from strategies.running.runtime import cancellation
from strategies.running.runtime.schedulers import chosen_scheduler, current_client
from strategies.running.runtime.shipping import seal
from strategies.support.cached import cached_property


class Layer(MaterializedLayer):
    """Tasks that `dask.graph_manipulation` can copy under other keys.

    Dask's own layers copy only tasks of the old kind, tuples; new ones would keep their old inputs.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return seal(Layer, (loaded_late(self.mapping),))

    def clone(self, keys: set[Any], seed: Any, bind_to: Any = None) -> tuple[Layer, bool]:
        """Copy the tasks under keys derived from `seed`; the first of them wait for `bind_to`.

        Returns: the layer, and whether any of its tasks waits.
        """
        copies: dict[Any, Any] = {}
        bound = False
        for key, value in self.items():
            if key not in keys:
                copies[key] = value
                continue
            name = clone_key(key, seed)
            inner: dict[Any, Any] = {}
            if isinstance(value, GraphNode):
                inner = {d: clone_key(d, seed) for d in value.dependencies if d in keys}
                value = value.substitute(inner, key=name)
            if bind_to is not None and not inner:
                value, bound = Task(name, _after, value, TaskRef(bind_to)), True
            copies[name] = value
        return Layer(copies), bound


class Held:
    """A wrapper for a collection inside an expression, which would replace it by its `expr`."""

    def __init__(self, collection: DaskCollection | Sent) -> None:
        self.collection = collection

    def __dask_tokenize__(self) -> Any:
        return self.collection.__dask_tokenize__()


class GraphExpr(Expr):
    """A collection's graph as a Dask expression."""

    _parameters = ["held"]  # noqa: RUF012  # Dask's way to declare them

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the tasks, which a scheduler need not load, in place of the collection."""
        held = self.operand("held").collection
        return seal(_sent, (held.__dask_tokenize__(), self._layer(), self.__dask_keys__()))

    def __dask_keys__(self) -> list[Any]:
        return list(self.operand("held").collection.__dask_keys__())

    def _layer(self) -> dict[Any, Any]:
        return loaded_late(self.operand("held").collection.tasks())

    def __dask_annotations__(self) -> dict[str, Any]:
        """Annotate the tasks for a cluster: the leftmost ready task first."""
        tasks = self.operand("held").collection.tasks()
        return {"priority": {key: -i for i, key in enumerate(tasks)}}


class Sent:
    """What a scheduler gets of a collection: its tasks, which are loaded late."""

    def __init__(self, token: Any, tasks: dict[Any, Any], keys: list[Any]) -> None:
        self._given = token, tasks, keys

    def __dask_tokenize__(self) -> Any:
        return self._given[0]

    def tasks(self) -> dict[Any, Any]:
        """Return the tasks by key."""
        return self._given[1]

    def __dask_keys__(self) -> list[Any]:
        return self._given[2]


def _sent(*given: Any) -> GraphExpr:
    return GraphExpr(Held(Sent(*given)))


class DaskCollection(DaskMethodsMixin):
    """The protocol of a Dask collection; a subclass has the graph and a token.

    Ensures: when Dask rebuilds it, as in `persist`, `optimize` and `dask.graph_manipulation`, the
    result has the same class, with the graph from Dask.
    """

    __dask_scheduler__ = staticmethod(threaded_get)
    __dask_optimize__ = None

    _lowered: Any
    """The graph, and the key of its result."""
    given = False
    """Whether the graph came from Dask, not from `_lowered`."""

    @cached_property
    def expr(self) -> Expr:
        """Return the collection as a Dask expression, made once, because Dask reads it six times
        and its name is a hash of the rules."""
        return GraphExpr(Held(self))

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy has: not the expression, which may be that of another graph."""
        return {name: held for name, held in vars(self).items() if name not in ("expr", "_unnamed")}

    def visualize(self, filename: Any = "mydask", **options: Any) -> Any:
        """Draw the task graph by Dask, which needs Graphviz.

        Raises: RuntimeError if Graphviz is missing.
        """
        try:
            return DaskMethodsMixin.visualize(self, filename=filename, **options)
        except RuntimeError as error:
            raise RuntimeError(
                f"{error}; the result draws itself without it: .compute().draw()"
            ) from None

    def __dask_tokenize__(self) -> Any:
        raise NotImplementedError  # each subclass has its own

    def tasks(self) -> dict[Any, Any]:
        """Return the tasks by key, in the order in which one worker runs them."""
        return dict(self._lowered[0])

    def __await__(self) -> Generator[Any, None, Any]:
        """Wait for the result, while other coroutines run; a collection that was persisted returns
        itself once it is known, as Dask's own ones do."""
        return super().__await__() if self.given else awaited(self).__await__()

    def by_dask(self, **options: Any) -> Any:
        """Compute the graph by a scheduler of Dask's."""
        return DaskMethodsMixin.compute(self, **options)

    @property
    def known(self) -> bool:
        """Return whether the graph is only the result, or a future of it."""
        graph, key = self._lowered
        return not _is_task(graph[key])

    @property
    def dask(self) -> HighLevelGraph:
        """Return the graph, as in Dask's own collections."""
        (name,) = self.__dask_layers__()
        return HighLevelGraph.from_collections(name, Layer(self.tasks()), dependencies=())

    def __dask_graph__(self) -> HighLevelGraph:
        return self.dask

    def __dask_layers__(self) -> tuple[str]:
        name = self._lowered[1][0]
        return (f"known-{name}" if self.known else f"given-{name}" if self.given else name,)

    def __dask_keys__(self) -> list[Any]:
        return [self._lowered[1]]

    def __dask_postcompute__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _first, ()

    def __dask_postpersist__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._with_graph, ()

    def _with_graph(self, dsk: Any, *, rename: Mapping[str, str] | None = None) -> Self:
        """Return the same collection with another graph, whose result may have another name."""
        key = self._lowered[1]
        if rename:
            key = replace_name_in_key(key, rename)
        collection = copy.copy(self)
        collection._lowered, collection.given = (_needed(ensure_dict(dsk), key), key), True
        return collection


async def awaited(collection: Any) -> Any:
    """Compute a collection in another thread, or on the cluster of an asynchronous client.

    When it is cancelled, the work stops.
    """
    client = current_client(chosen_scheduler())
    if client is not None and client.asynchronous:
        return await client.compute(collection)
    stop = Stop(cancellation.current_scope())

    def computed() -> Any:
        with cancellation.heeding(stop):
            return collection.compute()

    try:
        return await asyncio.to_thread(computed)
    except asyncio.CancelledError:
        stop.set()
        raise


def _is_task(value: Any) -> bool:
    """Return whether a graph's value must still be computed."""
    return isinstance(value, (GraphNode, tuple))


def _needed(graph: dict[Any, Any], key: Any) -> dict[Any, Any]:
    """Return the part of a graph that a key needs, in the graph's order."""
    if not _is_task(graph[key]):
        return {key: graph[key]}
    from dask._task_spec import convert_legacy_graph

    nodes = convert_legacy_graph({k: v for k, v in graph.items() if _is_task(v)}, set(graph))
    needed, waiting = {key}, [key]
    while waiting:
        node = nodes.get(waiting.pop())
        new = set() if node is None else set(node.dependencies) - needed
        needed |= new
        waiting += new
    return {k: nodes.get(k, v) for k, v in graph.items() if k in needed}


def _after(value: Any, _: Any) -> Any:
    """Return a value, after another one is known."""
    return value


def _first(results: list[Any]) -> Any:
    return results[0]


def not_computed(name: str, result: type) -> AttributeError:
    """Return the error for an attribute that a search lacks, with a hint if its result has it."""
    if not name.startswith("_") and name in dir(result) + list(result.__annotations__):
        return AttributeError(
            f"a search has no {name} before it is computed: write search(...).compute().{name}"
        )
    return AttributeError(f"a search has no attribute {name!r}")
