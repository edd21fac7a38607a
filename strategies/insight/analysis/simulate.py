"""Simulation: run the real tasks of a search one at a time, on virtual workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from time import get_clock_info, perf_counter, thread_time
from typing import Any

from attrs import evolve

from graphs.arguments import (
    MOST_WORKERS,
    check_integers,
    check_kind,
    check_numbers,
    check_positive,
)
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, Interval
from strategies.insight.analysis.recorded import Dag, in_a_row, joined, kind_of
from strategies.insight.analysis.simulation import (
    FREE,
    Burden,
    Placed,
    Simulation,
    list_schedule,
    simulation,
)
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.iteration import TooLarge
from strategies.running.execution.live_windows import Link, LiveWindows, Place
from strategies.running.plans.iterations import Iterations
from strategies.running.plans.lowering import Graph, Key
from strategies.running.plans.opening import iterates
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import Record, counted, now
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime import cancellation
from strategies.running.runtime.more import More
from strategies.support.stacks import gc_paused


def simulate(
    answer: SearchGraph, workers: int, burden: Burden = FREE, *,
    node: float | None = None, limit: float = inf,
) -> Simulation:  # fmt: skip
    """Run a search on a number of virtual workers, under the ordered scheduler.

    Every task runs at its virtual start, with the live windows of that time.  Its virtual duration
    is `node` seconds for each of its nodes, or its processor time if that is None.  Results become
    visible at their virtual time, and a search whose window closes half-way is abandoned there.

    Requires: the search has no limit of time or nodes.
    Ensures: value and move are those of any run; for fixed windows, so are the nodes.  A table is
    shared in the order of virtual starts.  The nodes and leaves of a search that is abandoned are
    estimated by the share of its time.  With `node`, all runs are the same, on every machine.
    No thread is left running, even after Ctrl-C.
    Raises: ValueError; any error of a task; TooLong after `limit` virtual seconds.
    Cost: one search on one worker, plus the searches that are abandoned half-way.

    >>> from games import HANDOUT_BIG, HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, par_list, search
    >>> answer = search(HANDOUT_BIG, alphabeta(4), using=jamboree(0.5).everywhere)
    >>> s = simulate(answer, workers=64)
    >>> s.result.move, s.result.nodes == answer.compute().nodes, s.result.sparks.balanced()
    (0, True, True)
    >>> answer = search(HANDOUT_SMALL, alphabeta(2), using=par_list)
    >>> [simulate(answer, workers, node=1.0).seconds for workers in (1, 2, 3)]
    [13.0, 8.0, 5.0]
    """
    if not isinstance(answer, SearchGraph):
        getattr(answer, "plan", None)  # a Monte Carlo search raises here that it has no plan
    check_kind(
        SearchGraph, "a search that has not run, such as search(game, algorithm)", answer=answer
    )
    check_kind(Burden, "a Burden, such as Burden(task=50e-6)", burden=burden)
    check_integers(1, MOST_WORKERS, workers=workers)
    if limit != inf:
        check_numbers(limit=limit)
    if node is not None:
        check_positive(node=node)
    if answer.plan.limits is not None:
        raise ArgumentError("a search that deepens within a limit is one task: simulate it without")
    p = answer.plan
    if p.growth is not None:
        raise ArgumentError(
            f"the tasks of {p.strategy} are divided while they run: simulate a strategy of a "
            "number of plies, as .to_ply(2)"
        )
    answer.warm()
    with gc_paused():  # else the time of a task could include a garbage collection
        if iterates(p.request()):
            return _Row(workers, burden, node, limit).run(answer)
        return _Run(answer.tasks(), node).run(workers, burden, limit)


class _Row:
    """The graphs of a deepening search, one after the other on the same virtual workers."""

    def __init__(self, workers: int, burden: Burden, node: float | None, limit: float) -> None:
        self.workers, self.burden, self.node, self.limit = workers, burden, node, limit
        self.placed: list[Placed] = []
        self.shares: dict[int, float] = {}

    def run(self, answer: SearchGraph) -> Simulation:
        p = answer.plan
        request = p.request(self.workers)
        search = Iterations(request, get=self.get)
        search.work()
        result = evolve(search.result(answer.result_class, now()), request=request)
        dag = in_a_row(result.graphs, result.records)
        records, size, burden = cut(dag, self.shares), self.workers, self.burden
        return simulation(result, dag, records, self.placed, size, burden)

    def get(self, graph: Graph, keys: list[Key]) -> list[Any]:
        """Run a graph after the one before it has ended; return the values of `keys`."""
        run, first = _Run(graph, self.node), len(self.placed)
        begin = max((p.end for p in self.placed), default=0.0)
        placed = run.place(self.workers, self.burden, self.limit - begin)
        self.placed += [p._replace(start=begin + p.start, end=begin + p.end) for p in placed]
        numbers = run.in_order(range(len(graph)))
        self.shares |= {first + i: run.shares[n] for i, n in enumerate(numbers) if n in run.shares}
        return [run.values[key] for key in keys]


class _Run:
    def __init__(self, graph: Graph, node: float | None) -> None:
        self.graph = dict(graph)  # which may grow
        self.clock = processor_time if node is None else lambda: node * counted.positions
        self.number: dict[Key, int] = {}
        self.more: dict[int, range] = {}
        self.keys: list[Key] = list(graph)
        self.values: dict[Key, Any] = {}
        self.stop = Stop()
        self.threads: Executor
        self.turns: list[Turn] = []
        self.shares: dict[int, float] = {}

    def place(self, workers: int, burden: Burden, limit: float) -> list[Placed]:
        """Run all tasks; return when and where each ran."""
        number = self.number = {key: i for i, key in enumerate(self.keys)}
        after = [tuple(number[d] for d in task.dependencies) for task in self.graph.values()]
        with ThreadPoolExecutor(workers, "virtual") as self.threads:
            try:
                return list_schedule(after, self.start, self.done, workers, burden, limit)
            finally:
                self.stop.set()
                for turn in self.turns:
                    turn.abandon()

    def run(self, workers: int, burden: Burden, limit: float) -> Simulation:
        placed = self.place(workers, burden, limit)
        result: SearchRun = self.values[self.keys[-1]]
        dag = joined(self.graph, result.records)
        records = cut(dag, self.shares)
        return simulation(result, dag, records, placed, workers, burden)

    def start(self, i: int) -> Turn:
        key = self.keys[i]
        task = self.graph[key]

        def call() -> Any:
            return task({d: self.values[d] for d in task.dependencies})

        turn = Turn(call, self.stop, self.threads, self.clock)
        self.turns.append(turn)
        return turn

    def done(self, i: int, turn: Any) -> list[tuple[int, ...]]:
        key, value = self.keys[i], turn.value
        self.turns.remove(turn)
        if turn.share < 1:
            self.shares[i] = turn.share
        if isinstance(value, More):
            return self.grow(i, value.tasks(key))
        if kind_of(key) == "start":
            value = VirtualCells(), value[1]
        self.values[key] = value
        return []

    def grow(self, i: int, tasks: Graph) -> list[tuple[int, ...]]:
        """Replace a task by more tasks; return the tasks that each of them waits for."""
        self.more[i] = range(len(self.keys), len(self.keys) + len(tasks))
        for key, task in tasks.items():
            self.number[key] = len(self.keys)
            self.keys.append(key)
            self.graph[key] = task
        return [tuple(self.number[d] for d in task.dependencies) for task in tasks.values()]

    def in_order(self, numbers: range) -> Iterator[int]:
        """Return the numbers of tasks, each followed by those of the tasks that replaced it."""
        for i in numbers:
            yield i
            yield from self.in_order(self.more.get(i, range(0)))


def cut(dag: Dag, shares: Mapping[int, float]) -> list[Record]:
    """Scale the counts of stopped tasks to the share that they searched before they were stopped.

    `shares` is by the number of the task.
    """
    found = [(t.record, shares.get(i, 1.0)) for i, t in enumerate(dag.tasks)]
    return [
        r._replace(nodes=round(r.nodes * s), leaves=round(r.leaves * s), cpu=r.cpu * s)
        for r, s in found
        if r is not None
    ]


FINE = 1e-5
"""Seconds. A thread's own clock is used if its resolution is at least this fine."""

here = threading.local()
"""`turn`: the task that runs in the calling thread."""
processor_time = thread_time if get_clock_info("thread_time").resolution <= FINE else perf_counter


class Turn:
    """A task in its own thread, which runs only during `step`."""

    def __init__(
        self, call: Callable[[], Any], stop: Stop, threads: Executor,
        clock: Callable[[], float] = processor_time,
    ) -> None:  # fmt: skip
        self.call, self.stop, self.threads, self.clock = call, stop, threads, clock
        self.value: Any = None
        self.error: BaseException | None = None
        self.started = self.finished = False
        self.watched: Stop | None = None
        self.full = self.spent = self.seconds = self.since = 0.0
        self.go, self.back = threading.Semaphore(0), threading.Semaphore(0)

    @property
    def cut(self) -> bool:
        """Return whether the current search has become unnecessary."""
        return self.watched is not None and self.watched.is_set

    @property
    def share(self) -> float:
        """Return the share of its searches that was done before they were abandoned."""
        return self.spent / self.full if self.full else 1.0

    def step(self) -> float:
        """Run up to the next point where other tasks matter; return the seconds that it took."""
        if self.started:
            self.go.release()
        else:
            self.started = True
            self.threads.submit(self.run)
        self.back.acquire()
        if self.error is not None:
            raise self.error
        self.full += self.seconds
        self.spent += self.seconds
        return self.seconds

    def leave(self, share: float) -> None:
        """Record that the last stretch was abandoned after this share of it."""
        self.spent -= self.seconds * (1 - share)

    def run(self) -> None:
        """Run the task: the main function of the thread."""
        here.turn = self
        cancellation.enter_scope(self.stop)
        self.since = self.clock()
        try:
            self.value = self.call()
        except BaseException as error:  # raised again by `step`
            self.error = error
        self.seconds = self.clock() - self.since
        self.finished = True
        self.back.release()

    def pause(self) -> None:
        """Wait in the thread for virtual time to advance."""
        self.seconds = self.clock() - self.since
        self.back.release()
        self.go.acquire()
        if self.stop.is_set:
            raise Stopped("the simulation was stopped")
        self.since = self.clock()

    def abandon(self) -> None:
        """Set the task's stop, and let its thread end."""
        self.go.release()


class VirtualCells(LiveWindows):
    """Live windows that are read and written at a task's virtual time."""

    posting = False

    def __reduce__(self) -> tuple[Any, ...]:
        return LiveWindows, (tuple(self.best.items()),)

    def narrow(self, chain: Iterable[Link], window: Interval) -> Interval:
        if not self.posting:
            here.turn.pause()
        return super().narrow(chain, window)

    @property
    def incumbent(self) -> None:
        """Return none: what a task finds is known to others when it ends."""
        return None

    def post(
        self, cell: Place, kind: Kind, index: int, interval: Interval,
        above: tuple[Link, ...] = (),
    ) -> None:  # fmt: skip
        here.turn.pause()
        self.posting = True
        try:
            super().post(cell, kind, index, interval, above)
        finally:
            self.posting = False

    @contextmanager
    def watch(self, chain: tuple[Link, ...], stop: Stop, window: Interval = OPEN) -> Iterator[None]:
        """Watch as `LiveWindows` does; a search that would have been stopped is abandoned at its
        end."""
        with super().watch(chain, stop, window):
            try:
                yield
            except TooLarge:
                self.until_now(stop)
                raise
            self.until_now(stop)

    def until_now(self, stop: Stop) -> None:
        """Wait for the virtual time at which a search ends.

        Raises: `Stopped`, if it would have been stopped by then.
        """
        turn: Turn = here.turn
        turn.watched = stop
        turn.pause()
        turn.watched = None
        if stop.is_set:
            raise Stopped("a sibling closed the window")
