"""Run a graph on a cluster of dask.distributed: ship it, warm the workers, bundle its tasks.

A task of a cluster costs milliseconds, so there are few of them.  A worker measures, once per game,
how long searches take by their depth; tasks are bundled accordingly.  The data that all bundles
share, above all the game, is delivered to workers before any task.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from threading import Timer
from time import perf_counter
from typing import Any, Final
from warnings import warn

import dask
from attrs import frozen
from dask import Expr
from dask.task_spec import Task, TaskRef

from games.failed import RuleFailed
from graphs.limits import LOOK_SECONDS
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN
from strategies.native.engine import Engine
from strategies.native.fingerprint import fingerprint, own_fingerprints
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.branches import Branch, BranchJob
from strategies.running.execution.dispatch import search_position
from strategies.running.plans.bundling import Bundle, bundled, grain_for
from strategies.running.plans.lowering import Graph
from strategies.running.plans.tasks import concluded
from strategies.running.records.record import Loss
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime.absence import Overdue
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.delivery import (
    LOST,
    delivered,
    ended,
    gathered,
    left_over,
    parcel_for,
    waiting_on,
)
from strategies.running.runtime.shipping import ClusterError, Parcel, Warming
from strategies.support.logs import logger_of

Key = Hashable
Name = tuple[str, int]
"""The key of a task of the cluster: its kind and run, and its number there."""

_log = logger_of("cluster")

LOOK: Final = 0.01
"""The seconds of a search that are enough to estimate its growth."""
CUT_OFF: Final = "the connection to the cluster broke: the answer has what its workers found so far"
"""The warning for a client that was cut off and has reconnected."""
MANY: Final = {"distributed.admin.large-graph-warning-threshold": "1GB"}
"""Dask's setting for a graph with many tasks and without data."""
OPTIONS: Final = "workers", "allow_other_workers", "resources", "retries", "actors"
"""The options of a client's `get` that control how a task is run."""
TOGETHER: Final = "1000 days"
"""Searches that start within this time share the workers, each with its leftmost tasks first."""


@frozen(eq=False)
class Shared:
    """The data that all tasks of a search on a cluster share, with the work that warms a worker."""

    game: Any
    algorithm: Any
    engine: str
    warming: Warming
    strategy: Any = None

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the values that are pickled once, and whose code is that of workers."""
        own = own_fingerprints(self.strategy) and (self.strategy,)
        return self.game, self.algorithm, self.engine, *own


@frozen(eq=False)
class Look:
    """A piece of work that measures how the time of a search grows with its depth."""

    game: Any
    algorithm: Algorithm
    engine: str
    places: tuple[tuple[Any, int, float], ...]
    """The positions, the plies below them, and the probabilities with which they are reached."""

    def __call__(self) -> dict[int, float]:
        """Return the seconds of a search of each number of plies."""
        engine = engine_for(self.game, self.engine)
        deepest = max(depth for _, depth, _ in self.places)
        stop, seconds = Stop(current_scope()), list[float]()
        clock = Timer(LOOK_SECONDS, stop.set)
        clock.start()
        try:
            for depth in range(deepest + 1):
                seconds.append(self.seconds(engine, depth, stop))
                if stop.is_set or (seconds[-1] * len(self.places) > LOOK and depth > 2):
                    break
        finally:
            clock.cancel()
        return dict(enumerate(extrapolated(seconds, deepest)))

    def seconds(self, engine: Engine, depth: int, stop: Stop) -> float:
        """Return the mean seconds of searches to a depth, or of their start."""
        start = perf_counter()
        for state, _, reach in self.places:
            if stop.is_set:
                break
            with suppress(RuleFailed, Stopped):  # a shallow search may lack an estimate
                search_position(self.algorithm, engine, state, depth, OPEN, stop, reach=reach)
        return (perf_counter() - start) / len(self.places)


def extrapolated(seconds: list[float], deepest: int) -> list[float]:
    """Extend the times of searches by the growth over their last two plies.

    >>> extrapolated([1, 2, 4, 8], 5)
    [1, 2, 4, 8, 16.0, 32.0]
    """
    known = list(seconds)
    two = max(known[-1] / known[-3], 1.0) if len(known) > 2 else 1.0
    while len(known) <= deepest:
        known.append(known[max(len(known) - 2, 0)] * two)
    return known


class _BundlesExpr(Expr):
    """Bundles as a Dask expression."""

    _parameters = ["run", "graph", "wanted"]  # noqa: RUF012  # Dask's way to declare them

    def __dask_tokenize__(self) -> str:
        return str(self.operand("run"))

    def __dask_keys__(self) -> list[Key]:
        return list(self.operand("wanted"))

    def _layer(self) -> dict[Key, Task]:
        return dict(self.operand("graph"))


def send(
    client: Any, run: str, graph: Mapping[Name, Task], keys: list[Name], *, priority: float = 0,
    **options: Any,
) -> list[Any]:  # fmt: skip
    """Send a graph to a cluster; return the futures of some keys.

    The priorities of the tasks are their order in the graph.  `Client.get` cannot pass on an order:
    the scheduler would compute one, and annotations that overrule it take even more of its time.
    So this calls what `get` calls, which has had the same parameters since Dask 2025.4.  `options`
    are those of `get`; like `get`, this ignores unknown options.
    """
    given = {name: options[name] for name in OPTIONS if name in options}
    futures = client._graph_to_futures(
        _BundlesExpr(run, graph, keys),
        keys,
        {"collections": [{"type": "low-level-graph"}]},
        internal_priority={key: i for i, key in enumerate(graph)},
        user_priority=priority,
        fifo_timeout=options.get("fifo_timeout", TOGETHER),
        **given,
    )
    return [futures[key] for key in keys]


def compute(
    client: Any, graph: Mapping[Any, Task], wanted: list[Any], shared: Shared, *,
    partial: bool = False, seconds: float | None = None, **options: Any,
) -> tuple[list[Any], tuple[Loss, ...]]:  # fmt: skip
    """Compute the `wanted` keys of a graph, whose tasks are those for one machine, on a cluster.

    A cluster without workers is awaited for at most `seconds`.  `options` are those of the client's
    `get`, such as `retries` or `workers`.
    With `partial`, partial results are useful: at Ctrl-C, tasks are told to end, and the values
    available within `delivery.ENDING` seconds are returned, with None for the others.  The same
    happens, with a `UserWarning`, if the client was cut off and has reconnected.
    Returns: the values that one machine computes, and the workers that were lost meanwhile.
    Ensures: its tasks end if it fails, and at Ctrl-C.
    Raises: ClusterError, one line, if a worker cannot load the game, or the cluster loses the
    search; any error of a task.
    """
    from strategies.running.plans.cluster_records import read_losses, record_key

    with waiting_on(client):
        parcel = parcel_for(client, shared.values, seconds=seconds, warming=shared.warming)
        bundles = _bundles(client, graph, wanted, shared, parcel)
        run = uuid.uuid4().hex
        made, keys = _tasks(run, bundles, wanted, parcel, keep=partial)
        _log.info("%s tasks in %s bundles on %s", len(graph), len(bundles), client)
        with dask.config.set(MANY):
            futures = send(client, run, made, keys, **options)
        try:
            try:
                with waiting_on(client):
                    found = gathered(client, futures, seconds=seconds)
            except KeyboardInterrupt:
                if not partial:
                    raise
                found = ended(client, futures, run)
            except Overdue:  # a task that runs again does not know how much time has passed
                found = ended(client, futures, run)
                known = [values is not None for values in found]
                if not (any(known) if partial else all(known)):
                    raise
            except ClusterError as error:
                left = left_over(client, run) if partial and error.args == (LOST,) else {}
                found = [left.get(number) for _, number in keys]
                if not left:
                    raise
                warn(CUT_OFF, stacklevel=2)
            losses = read_losses(client, run, lambda n: map(record_key, bundles[n].tasks))
        finally:
            for future in futures:
                future.release()
    where = {key: (n, i) for n, b in enumerate(bundles) for i, key in enumerate(b.gives)}
    values, names = dict(zip(keys, found, strict=True)), list(made)
    given = ((values[names[n]], i) for n, i in (where[key] for key in wanted))
    return [None if row is None else row[i] for row, i in given], losses


def _bundles(
    client: Any, graph: Mapping[Key, Task], wanted: list[Key], shared: Shared, parcel: Parcel
) -> tuple[Bundle, ...]:  # fmt: skip
    """Bundle the tasks by their expected durations, from a worker's measurement."""
    from strategies.running.runtime.worker_side import serve

    jobs = list(map(job_of, graph.values()))
    if not any(jobs) or any(job and job.growth for job in jobs):
        # Monte Carlo trees, a single search, or searches that end after a number of nodes.
        return bundled(graph, wanted, lambda task: 1.0, 0.0)
    work = {key: _work(task) for key, task in graph.items()}
    searches = [w for w in work.values() if w]
    if len(searches) < 2:
        return bundled(graph, wanted, lambda task: 0.0, 0.0)
    deepest = max(depth for depth, _ in searches)
    places = [(depth, b) for depth, branches in searches for b in branches if depth == deepest]
    few = [places[i * (len(places) - 1) // 2] for i in range(3)]
    known, times = (fingerprint(shared.values), deepest), delivered(client).seconds
    if known not in times:
        at = tuple((b.state, depth, b.chance) for depth, b in few)
        look = Look(shared.game, shared.algorithm, shared.engine, at)
        run = uuid.uuid4().hex
        key = f"look-{run}", 0
        task = Task(key, serve, run, parcel.name, parcel.add(look))
        times[known] = client.get({key: task}, key, priority=1)
    seconds = times[known]
    cost = {key: 0.0 if w is None else len(w[1]) * seconds[w[0]] for key, w in work.items()}
    total, threads = sum(cost.values()), max(1, sum(client.nthreads().values()))
    grain = grain_for(total, threads)
    _log.info("about %.2g s of work, in bundles of %.2g s", total, grain)
    return bundled(graph, wanted, lambda task: cost[task.key], grain)


def job_of(task: Task) -> BranchJob | None:
    """Return the branches that a task searches; None if it searches none."""
    job = task.args[0] if task.args else None
    return job if isinstance(job, BranchJob) else None


def _work(task: Task) -> tuple[int, list[Branch]] | None:
    """Return a task's search: the plies below its branches, and those that do not end the game."""
    job = job_of(task)
    if job is None:
        return None
    left = [b for b in job.branches if not b.over]
    return (job.depth, left) if left else None


def _tasks(
    run: str, bundles: Iterable[Bundle], wanted: Iterable[Key], parcel: Parcel, *,
    keep: bool = False,
) -> tuple[dict[Name, Task], list[Name]]:  # fmt: skip
    """Return the tasks of the cluster, and those with the `wanted` values.

    With `keep`, workers keep the result of each task.
    """
    from strategies.running.runtime.worker_side import serve, serve_and_keep

    made: dict[Name, Task] = {}
    rows = list(bundles)
    names: list[Name] = [
        (f"{'search' if any(map(_work, b.tasks)) else 'merge'}-{run}", n)
        for n, b in enumerate(rows)
    ]
    for name, b in zip(names, rows, strict=True):
        inputs = [TaskRef(names[n]) for n, _ in b.needs]
        made[name] = Task(
            name, serve_and_keep if keep else serve, run, parcel.name, parcel.add(b.run), *inputs,
            _data_producer=not b.needs,  # waits at the scheduler until a worker is free
        )  # fmt: skip
    asked = set(wanted)
    return made, [name for name, b in zip(names, rows, strict=True) if asked & set(b.gives)]


def unconcluded(
    graph: Graph, key: Any
) -> tuple[Graph, list[Any], Callable[[list[Any]], SearchRun]]:
    """Split the conclusion off the last task of a graph: return the graph without it, the keys that
    it needs, and the function from their values to the result."""
    last = graph[key]
    result_class, request, counts, window, begun, func, *args = last.args
    bare = {**graph, key: Task(key, func, *args, **last.kwargs)}
    keys = [key] if begun is None else [key, begun.key]

    def finish(values: list[Any]) -> SearchRun:
        fold, *cells = values
        begun = cells[0] if cells else None
        return concluded(result_class, request, counts, window, begun, fold)

    return bare, keys, finish
