"""Run a row of small graphs on a cluster; each is planned from the results of those before it.

A worker keeps the table of the row between its graphs; processes of one machine share it if the
system supports that.  A task returns what it has learned: bounds and best moves of the branches
that it searched.  These go into the next plan, and with it to all workers.  A graph of one task,
as in the first iterations of a deepening search, is run by every worker, so that all tables have
its entries.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any

from attrs import evolve, frozen
from dask.task_spec import Task

from strategies.native.engine import engine_for
from strategies.native.memory.abdada_marks import ROOM
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.iteration import Iteration, Path
from strategies.running.plans.bundling import GRAIN, Bundle, bundled
from strategies.running.plans.homes import Homes
from strategies.running.plans.late_binding import LateBinding
from strategies.running.plans.lost_workers import read_losses, record_key
from strategies.running.plans.lowering import Graph
from strategies.running.plans.on_cluster import Shared, job_of
from strategies.running.plans.tasks import resolve
from strategies.running.records.record import Loss, RecordKey
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.cluster_batch import COUNTED
from strategies.running.runtime.delivery import arrived, asked, faults_told, gathered, parcel_for
from strategies.running.runtime.machine_memory import Offer, offer, one_each, shared_by, take
from strategies.support.logs import logger_of

Key = Hashable

_log = logger_of("cluster")


@frozen(eq=False)
class Learning:
    """A bundle whose tasks learn about the branches of an iteration."""

    bundle: Bundle
    iteration: Iteration | None

    def __call__(self, *inputs: Any) -> tuple[tuple[Any, ...], Any, str]:
        """Run the bundle; return its values, what it learned, and the address of this worker."""
        from distributed import get_worker

        values = self.bundle.run(*(given[0] for given in inputs))
        learned = None if self.iteration is None else self.iteration.learned()
        return values, learned, get_worker().address


def offered(run: str, parcel: str, size: int, dask_worker: Any) -> Offer | None:
    """Offer `size` bytes of memory for the table of a row to other processes of this machine."""
    from strategies.running.runtime.worker_side import scope_of

    game, _, choice = dask_worker.plugins[parcel].content.values[:3]
    kind = "native" if engine_for(game, choice).native else "interpreted"
    return offer(scope_of(run), size + 8 * ROOM, kind)


def taken(
    run: str, parcel: str, size: int, memories: dict[str, Offer], dask_worker: Any
) -> bool:  # fmt: skip
    """Place the table of a row in the memory chosen for this worker; return whether it is there."""
    from strategies.running.runtime.worker_side import scope_of

    given = memories.get(dask_worker.address)
    algorithm = evolve(dask_worker.plugins[parcel].content.values[1], table=size)
    return given is not None and take(scope_of(run), given, size + 8 * ROOM, algorithm.meaning)


class RowOnCluster:
    """A runner of graphs on a client's cluster, one after the other, over tables that workers keep.

    Use it in a ``with`` block: at its end, the workers drop the tables and stop their work.
    """

    def __init__(
        self, client: Any, shared: Shared, stop: Stop, *, seconds: float | None = None
    ) -> None:
        self.client, self.stop = client, stop
        with faults_told(client):
            self.parcel = parcel_for(
                client, shared.values, stop=stop, seconds=seconds, warming=shared.warming
            )
            self.threads = max(1, sum(client.nthreads().values()))
        self.run, self.number = uuid.uuid4().hex, 0
        self.sent: dict[Any, int] = {}
        self.homes = Homes()
        self.memories: dict[str, Offer] | None = None
        """The memory of each worker that shares one; None until it is known."""
        self.graphs, self.keys = 0, dict[int, tuple[RecordKey, ...]]()
        """The number of graphs so far, and the search's tasks in each task of the cluster."""
        self.tell(lambda path: 0.0, 0.0)

    def __enter__(self) -> RowOnCluster:
        return self

    def __exit__(self, *_: object) -> None:
        from strategies.running.runtime.worker_side import let_go

        client = self.client
        if client.status == "running":
            client.cancel([*self.sent], force=True)
            client.loop.add_callback(_told, client, let_go, self.run)

    def get(self, graph: Graph, wanted: list[Any]) -> list[Any]:
        """Compute the `wanted` keys of a graph; its iteration learns what the tasks learned.

        Raises: ClusterError, one line; `Stopped`, if the row should stop; any error of a task.
        """
        self.graphs += 1
        jobs = [job for task in graph.values() if (job := job_of(task))]
        iteration = next((job.iteration for job in jobs if job.iteration), None)
        if iteration is not None and iteration.table is not None and self.memories is None:
            self.share(1 << iteration.table.bits)
        if len(graph) == 1 and iteration is not None:
            return self.alone(next(iter(graph.values())), iteration)
        bundles = bundled(graph, wanted, self.cost, GRAIN)
        parts = [[b for task in bundle.tasks for b in self.branches(task)] for bundle in bundles]
        with faults_told(self.client):
            found = self.carried_out(bundles, [self.home(p) for p in parts], iteration)
        for branches, (_, learned, address) in zip(parts, found, strict=True):
            self.homes.searched((path for path, _ in branches), address)
            if iteration is not None:
                iteration.learn(learned)
        _log.info("a graph of %s tasks in %s bundles", len(graph), len(bundles))
        values = {
            key: value for b, (made, *_) in zip(bundles, found, strict=True)
            for key, value in zip(b.gives, made, strict=True)
        }  # fmt: skip
        return [values[key] for key in wanted]

    def home(self, branches: list[tuple[Path, float]]) -> list[str]:
        """Return the workers that know most of some branches, which have expected nodes."""
        at = self.homes.home(branches)
        return [] if at is None else self.beside(at)

    def carried_out(
        self, bundles: tuple[Bundle, ...], homes: list[list[str]], iteration: Iteration | None
    ) -> list[Any]:
        """Send bundles to workers as they have room for them; return the values of each."""
        light = {n for n, b in enumerate(bundles) if not any(map(_searches, b.tasks))}
        binding, absence, counted = LateBinding(bundles, homes, light), Absence(self.client), -inf
        futures: dict[int, Any] = {}
        numbers: dict[Any, int] = {}
        come: SimpleQueue[Any] = SimpleQueue()
        left = len(bundles)
        while left:
            if monotonic() - counted >= COUNTED:
                threads, counted = self.client.nthreads(), monotonic()
            for n, at in binding.assigned(threads):
                inputs = [futures[m] for m, _ in bundles[n].needs]
                piece = Learning(bundles[n], iteration)
                futures[n] = future = self.submit(piece, *inputs, at=at, priority=-n)
                numbers[future] = n
                future.add_done_callback(come.put)
            if self.stop.is_set:
                raise Stopped("the search was stopped")
            absence.look()
            for future in arrived(come):
                binding.done(numbers[future])
                left -= 1
        return self.results([futures[n] for n in range(len(bundles))])

    def alone(self, task: Task, iteration: Iteration) -> list[Any]:
        """Run a graph's only task on every worker, because its table entries are as useful as its
        value."""
        piece = Learning(Bundle((task,), (), (task.key,)), iteration)
        with faults_told(self.client):
            addresses = one_each(self.memories or {}, self.client.nthreads())
            futures = [self.submit(piece, at=address) for address in (*addresses,) or (None,)]
            found = self.results(futures)
        for number in range(self.number - len(futures) + 2, self.number + 1):
            del self.keys[number]  # the answer uses the record of the first
        values, learned, _ = found[0]
        iteration.learn(learned)
        return list(values)

    def share(self, size: int) -> None:
        """Make the processes of one machine share a table of `size` bytes."""
        client, self.memories = self.client, {}
        with faults_told(client):
            if len(client.nthreads()) < 2:
                return
            what = self.run, self.parcel.name, size
            offers = asked(client, partial(client.run, offered, *what))
            memories = shared_by(offers)
            if memories:
                told = asked(client, partial(client.run, taken, *what, memories))
                self.memories = {at: m for at, m in memories.items() if told.get(at)}

    def beside(self, address: str) -> list[str]:
        """Return the workers that share the table of the worker at an address."""
        memories = self.memories or {}
        mine = memories.get(address)
        return [at for at, memory in memories.items() if memory == mine] or [address]

    def tell(self, expected: Callable[[Path], float], pace: float) -> None:
        """Set the expected nodes of branches, and the seconds per node."""
        self.expected, self.pace = expected, pace

    def branches(self, task: Task) -> list[tuple[Path, float]]:
        """Return the branches that a task searches, with their expected nodes."""
        job = job_of(task)
        paths = [] if job is None else [job.way(b) for b in job.branches if not b.over]
        return [(path, self.expected(path)) for path in paths]

    def cost(self, task: Task) -> float:
        """Return the expected seconds of a task."""
        return self.pace * sum(nodes for _, nodes in self.branches(task))

    def submit(self, piece: Learning, *inputs: Any, at: str | None = None, **how: Any) -> Any:
        """Send a piece of work, to the worker at an address if it still exists."""
        from strategies.running.runtime.worker_side import serve

        self.number += 1
        if at is not None:
            how |= {"workers": [at], "allow_other_workers": True}
        future = self.client.submit(
            serve, self.run, self.parcel.name, self.parcel.add(piece), *inputs,
            key=(f"row-{self.run}", self.number), pure=False, **how,
        )  # fmt: skip
        self.sent[future] = self.number
        self.keys[self.number] = tuple(record_key(task, self.graphs) for task in piece.bundle.tasks)
        return future

    def losses(self) -> tuple[Loss, ...]:
        """Return the workers that were lost so far, with their tasks of the row."""
        return read_losses(self.client, self.run, lambda n: self.keys.get(n, ()))

    def results(self, futures: list[Any]) -> list[Any]:
        """Wait for tasks, return their results, and release them."""
        found = gathered(self.client, futures, self.stop)
        for future in futures:
            del self.sent[future]
        return found


def _searches(task: Task) -> bool:
    """Return whether a task will search; to resolve a failed test takes no search."""
    return job_of(task) is not None and task.func is not resolve


async def _told(client: Any, let_go: Any, run: str) -> None:
    """Tell the workers that a run is over, without waiting, because a worker may be frozen."""
    with suppress(Exception):  # a cluster that is gone need not be told
        await client._run(let_go, run, stop=True, on_error="ignore")
