"""Run a row of small graphs on a cluster; each is planned from the results of those before it.

A worker keeps the table of the row between its graphs; processes of one machine share it if the
system supports that.  A task returns what it has learned: bounds and best moves of the branches
that it searched.  These go into the next plan, and with it to all workers.  A graph of one task,
as in the first iterations of a deepening search, is run by every worker, so that all tables have
its entries.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable
from contextlib import ExitStack
from functools import partial
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any, Final

from dask.task_spec import Task

from strategies.algorithms.fold import UNKNOWN
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.helping import call_off
from strategies.running.execution.iteration import Iteration, Path
from strategies.running.plans.bundling import GRAIN, Bundle, bundled
from strategies.running.plans.cluster_records import read_losses, record_key
from strategies.running.plans.late_binding import Homes, LateBinding
from strategies.running.plans.lowering import Graph
from strategies.running.plans.on_cluster import Shared, job_of
from strategies.running.plans.row_pieces import (
    Early,
    Helping,
    Learning,
    kind_of_entries,
    offered,
    searched,
    taken,
)
from strategies.running.records.record import Loss, Record, RecordKey
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.batch import COUNTED
from strategies.running.runtime.delivery import (
    arrived,
    ask_workers,
    check_stop,
    gathered,
    lent_thread,
    parcel_for,
    tell_workers,
    waiting_on,
)
from strategies.running.runtime.machine_memory import (
    Offer,
    machine,
    memory_for,
    one_each,
    room_for,
    shared_by,
    take,
)
from strategies.support.logs import logger_of

Key = Hashable

_log = logger_of("cluster")

LEAST: Final = 0.1
"""The least expected seconds of a search that is worth joining while it runs."""
SMALL: Final = 0.005
"""The least expected seconds of a search that workers begin together."""
EARLY: Final = 0.02
"""The processor time in seconds after which a task begins no further iteration.  The next one would
take several times as long, which is worth a round trip."""


class RowOnCluster:
    """A runner of graphs on a client's cluster, one after the other, over tables that workers keep.

    Use it in a ``with`` block, in which a task of the cluster lends its thread; at its end, the
    workers drop the tables and stop their work.
    """

    def __init__(
        self, client: Any, shared: Shared, stop: Stop, *, seconds: float | None = None
    ) -> None:
        self.client, self.stop, self.ends = client, stop, ExitStack()
        self.kind = kind_of_entries(shared.game, shared.engine)
        with waiting_on(client):
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
        self.early: dict[Any, Any] = {}
        """The results of iterations that an earlier task made."""
        self.set_forecast(lambda path: 0.0, 0.0)

    def __enter__(self) -> RowOnCluster:
        self.ends.enter_context(lent_thread(self.client))
        self.ends.callback(self.let_go)
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.close()

    def start_anew(self) -> None:
        """Abandon the tasks that still run; later ones have new tables."""
        self.let_go()
        self.run, self.memories, self.sent, self.early = uuid.uuid4().hex, None, {}, {}

    def let_go(self) -> None:
        """Cancel the tasks, and have the workers drop the tables."""
        from strategies.running.runtime.worker_side import let_go

        client = self.client
        if client.status == "running":
            client.cancel([*self.sent], force=True)
            tell_workers(client, let_go, self.run, stop=True)

    def get(self, graph: Graph, wanted: list[Any]) -> list[Any]:
        """Compute the `wanted` keys of a graph; its iteration learns what the tasks learned.

        Raises: ClusterError, one line; `Stopped`, if the row should stop; any error of a task.
        """
        self.graphs += 1
        jobs = [job for task in graph.values() if (job := job_of(task))]
        iteration = next((job.iteration for job in jobs if job.iteration), None)
        if iteration is not None and iteration.table is not None and self.memories is None:
            self.share(iteration.table)
        if len(graph) == 1 and iteration is not None:
            return self.alone(next(iter(graph.values())), iteration)
        bundles = bundled(graph, wanted, self.cost, GRAIN)
        parts = [[b for task in bundle.tasks for b in self.branches(task)] for bundle in bundles]
        with waiting_on(self.client):
            found, joins = self.run_bundles(bundles, parts, iteration)
        for branches, (_, learned, address) in zip(parts, found, strict=True):
            self.homes.searched((path for path, _ in branches), address)
            if iteration is not None:
                iteration.learn(learned)
        for n, join in joins:
            assert iteration is not None
            iteration.joins.append(join)
            iteration.add_result(parts[n][0][0], UNKNOWN, (), join.nodes)
        _log.info("a graph of %s tasks in %s bundles", len(graph), len(bundles))
        values = {
            key: value for b, (made, *_) in zip(bundles, found, strict=True)
            for key, value in zip(b.gives, made, strict=True)
        }  # fmt: skip
        return [values[key] for key in wanted]

    def home(self, branches: list[tuple[Path, float]]) -> list[str]:
        """Return the workers that know most of some branches, which have expected nodes."""
        at = self.homes.home(branches)
        return [] if at is None else self.neighbours(at)

    def run_bundles(
        self, bundles: tuple[Bundle, ...], parts: list[list[tuple[Path, float]]],
        iteration: Iteration | None,
    ) -> tuple[list[Any], list[tuple[int, Record]]]:  # fmt: skip
        """Send bundles to workers as they have room for them; return the values of each, and the
        records of the helpers, with the numbers of their bundles.

        `parts` are the branches that each bundle searches, with their expected nodes.
        """
        light = {n for n, b in enumerate(bundles) if not any(map(_searches, b.tasks))}
        homes = [self.home(p) for p in parts]
        helped = iteration is not None and iteration.joined
        large = {n for n, b in enumerate(bundles) if helped and self.worth_joining(b)}
        binding = LateBinding(bundles, homes, light, helped)
        absence, counted = Absence(self.client), -inf
        futures: dict[int, Any] = {}
        numbers: dict[Any, int] = {}
        shared, helpers, at_work = dict[int, int](), dict[Any, int](), dict[Any, str]()
        """The number of each search that may be shared; the bundle of each helper, its worker."""
        come: SimpleQueue[Any] = SimpleQueue()
        left = len(bundles)
        while left:
            if monotonic() - counted >= COUNTED:
                threads, counted = self.client.nthreads(), monotonic()
            for n, at in binding.assigned(threads):
                inputs = [futures[m] for m, _ in bundles[n].needs]
                piece = Learning(bundles[n], iteration, self.number + 1 if n in large else 0)
                futures[n] = future = self.submit(piece, *inputs, at=at, priority=-n)
                numbers[future], shared[n] = n, self.number
                future.add_done_callback(come.put)
                for helper, busy in at_work.items():
                    if busy == at:
                        self.call(helper, at)
            for n, at in binding.unhelped(threads, large, at_work.values(), self.neighbours):
                inputs = [futures[m] for m, _ in bundles[n].needs]
                helping = Helping(Learning(bundles[n], iteration, shared[n]), self.run)
                future = self.submit(helping, *inputs, at=at, priority=-n)
                helpers[future], at_work[future] = n, at
                future.add_done_callback(come.put)
            check_stop(self.stop)
            absence.look()
            for future in arrived(come, absence):
                if future in helpers:
                    del at_work[future]
                    large.discard(helpers[future])  # it is done, or soon will be
                else:
                    binding.done(numbers[future])
                    left -= 1
        found = self.results([*(futures[n] for n in range(len(bundles))), *helpers])
        joins = zip(helpers.values(), found[len(bundles) :], strict=True)
        return found[: len(bundles)], list(joins)

    def worth_joining(self, bundle: Bundle) -> bool:
        """Return whether a bundle has a single search, which takes long enough for a helper."""
        jobs = [task for task in bundle.tasks if searched(task)]
        return len(jobs) == 1 and self.cost(jobs[0]) >= LEAST

    def call(self, helper: Any, at: str) -> None:
        """Call a helper to a task that was sent to its worker."""
        tell_workers(self.client, call_off, self.run, self.sent[helper], workers=[at])

    def alone(self, task: Task, iteration: Iteration) -> list[Any]:
        """Run a graph's only task on every worker, because its table entries are as useful as its
        value."""
        known = self.early.pop(iteration_key(task, iteration), None)
        if known is None and self.cost(task) < EARLY:
            known = self.run_short_iterations([(task, iteration), *self.later()])
        if known is not None:
            values, learned, _ = known
            iteration.learn(learned)
            return list(values)
        bundle, first = Bundle((task,), (), (task.key,)), self.number + 1
        joined = iteration.joined and self.cost(task) >= SMALL
        piece = Learning(bundle, iteration, first if joined else 0)
        with waiting_on(self.client):
            threads = self.client.nthreads()
            addresses = one_each(self.memories or {}, threads)
            futures = [self.submit(piece, at=address) for address in (*addresses,) or (None,)]
            helping = Helping(piece, self.run)
            helpers = [
                self.submit(helping, at=at)
                for at, many in threads.items() if joined
                for _ in range(many - (at in addresses))
            ]  # fmt: skip
            found = self.results([*futures, *helpers])
        for number in range(first + 1, first + len(futures)):
            del self.keys[number]  # the answer uses the record of the first
        values, learned, _ = found[0]
        iteration.learn(learned)
        iteration.joins += found[len(futures) :]
        return list(values)

    def run_short_iterations(self, pieces: list[tuple[Task, Iteration]]) -> Any:
        """Make short iterations in one task of every worker that has a table; return the result of
        the first, and keep the others."""
        made = (Learning(Bundle((t,), (), (t.key,)), i) for t, i in pieces)
        early = Early(tuple(made), EARLY)
        with waiting_on(self.client):
            addresses = one_each(self.memories or {}, self.client.nthreads())
            first = self.number + 1
            futures = [self.submit(early, at=address) for address in (*addresses,) or (None,)]
            results = self.results(futures)[0]
        for number in range(first + 1, first + len(futures)):
            del self.keys[number]  # the answer uses the records of the first
        for (task, iteration), found in zip(pieces, results, strict=False):
            self.early[iteration_key(task, iteration)] = found
        return self.early.pop(iteration_key(*pieces[0]))

    def share(self, table: Table) -> bool:
        """Make the processes of one machine share the table; return whether all workers share it
        with this process, so that plans use its best moves."""
        client, size, self.memories = self.client, 1 << table.bits, {}
        with waiting_on(client):
            workers = client.nthreads()
            if len(workers) < 2:
                return False
            what = self.run, self.parcel.name, size
            offers = ask_workers(client, partial(client.run, offered, *what), self.stop)
            memories = shared_by(offers)
            if memories:
                ask = partial(client.run, taken, *what, memories)
                told = ask_workers(client, ask, self.stop)
                self.memories = {at: m for at, m in memories.items() if told.get(at)}
        one, *others = {self.memories.get(at) for at in workers}
        if others or one is None or one.machine != machine(self.kind):
            return False
        if not take(self.stop, one, room_for(size), None):
            return False
        table.lay_out(memory_for(self.stop, None))
        return True

    def neighbours(self, address: str) -> list[str]:
        """Return the workers that share the table of the worker at an address."""
        memories = self.memories or {}
        mine = memories.get(address)
        return [at for at, memory in memories.items() if memory == mine] or [address]

    def set_forecast(
        self, expected: Callable[[Path], float], pace: float,
        later: Callable[[], Iterable[tuple[Task, Iteration]]] = tuple,
    ) -> None:  # fmt: skip
        """Set the expected nodes of branches, the seconds per node, and the tasks of the later
        iterations, in case each is one task."""
        self.expected, self.pace, self.later = expected, pace, later

    def branches(self, task: Task) -> list[tuple[Path, float]]:
        """Return the branches that a task searches, with their expected nodes."""
        job = job_of(task)
        paths = [] if job is None else [job.way(b) for b in job.branches if not b.over]
        return [(path, self.expected(path)) for path in paths]

    def cost(self, task: Task) -> float:
        """Return the expected seconds of a task."""
        return self.pace * sum(nodes for _, nodes in self.branches(task))

    def submit(
        self, piece: Learning | Early | Helping, *inputs: Any, at: str | None = None, **how: Any
    ) -> Any:  # fmt: skip
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
        if isinstance(piece, Learning):
            tasks = piece.bundle.tasks
            self.keys[self.number] = tuple(record_key(task, self.graphs) for task in tasks)
        elif isinstance(piece, Early):
            self.keys[self.number] = tuple(
                record_key(task, self.graphs + i)
                for i, learning in enumerate(piece.iterations) for task in learning.bundle.tasks
            )  # fmt: skip
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


def iteration_key(task: Task, iteration: Iteration) -> Any:
    """Return what identifies a whole iteration: its depth, its window, and the move it finds."""
    return iteration.depth, iteration.leftmost, task.args[1]


def _searches(task: Task) -> bool:
    return searched(task) is not None
