"""The ordered scheduler, for one machine: it starts ready tasks in the graph's order.

Dask's own schedulers start the heaviest of two siblings first, and offer no other order; a search
needs the leftmost first.  `get` implements Dask's scheduler protocol, with its callbacks.  There is
no dispatcher: each worker takes the first ready task itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from typing import Any, Final

from graphs.arguments import check_workers
from strategies.native.memory.cells import Stop
from strategies.running.runtime import cancellation
from strategies.running.runtime.cancellation import check_interrupt, interrupts
from strategies.running.runtime.more import More

OFTEN: Final = 0.1
"""The seconds after which a wait checks for a Ctrl-C that was ignored."""
PATIENCE = 1.0
"""The seconds for which an interrupted run waits for its workers."""

Rank = tuple[int, ...]
"""The place of a task in the order of the graph; tasks that replace it extend its rank."""


def get(dsk: Any, keys: Any, num_workers: int | None = None, **_: Any) -> Any:
    """Compute `keys`, like Dask's ``get``, with at most `num_workers` tasks at the same time.

    Ensures: with one worker, tasks run exactly in the order in which the graph lists them.
    Raises: any error of a task, and KeyboardInterrupt.  Running kernels are stopped first, and no
    thread is left, unless a task does not heed the stop within `PATIENCE`, as a rule that never
    returns: that one ends with the process.
    """
    check_workers(num_workers=num_workers)
    run = _Run(_tasks(dsk), keys, num_workers or os.cpu_count() or 1)
    with interrupts():
        run.begin()
        try:
            run.staff()
            while not run.wait(OFTEN):
                check_interrupt()
        except BaseException:
            run.abort()
            run.wait(PATIENCE)
            run.end(failed=True)
            raise
        finally:
            for t in run.threads:
                if t.ident is not None:
                    t.join(0.1 if run.working else None)
    run.end(failed=run.error is not None)
    if run.error is not None:
        try:
            raise run.error
        finally:
            run.error = None  # its traceback holds the run: no cycle of objects outlives the search
    return _pick(keys, run.values)


_here = threading.local()
"""The run of the current thread."""


def may_grow() -> bool:
    """Return whether a task of this thread may be replaced by more tasks."""
    return getattr(_here, "run", None) is not None


@contextmanager
def set_when_idle(stop: Stop) -> Iterator[None]:
    """Set the stop in the block as soon as a worker of this thread's run is idle.

    Outside a run, nothing happens.
    """
    run: _Run | None = getattr(_here, "run", None)
    if run is None:
        yield
        return
    run.offer(stop)
    try:
        yield
    finally:
        run.withdraw(stop)


@contextmanager
def joined(over: Stop, help: Callable[[Stop], None]) -> Iterator[None]:
    """Let idle workers of this thread's run call `help` while the block runs; then set `over`, and
    wait for them.

    Each call gets a stop of its own, which is set when tasks are ready for others.
    Requires: a call returns soon after its stop or `over` is set, and not before.
    """
    run: _Run | None = getattr(_here, "run", None)
    if run is None:
        yield
        return
    run.invite(over, help)
    try:
        yield
    finally:
        over.set()
        run.dismiss(over)


def as_raised(error: BaseException) -> BaseException:
    """Return the error to raise in the caller's thread for an error of a task in another."""
    if isinstance(error, SystemExit):
        return RuntimeError(f"a task raised {error!r}, which would exit Python: let it return")
    return error


def _tasks(dsk: Any) -> dict[Any, Any]:
    """Return the graph as Dask's new-style tasks."""
    from dask import Expr
    from dask._task_spec import GraphNode, convert_legacy_graph
    from dask.utils import ensure_dict

    if isinstance(dsk, Expr):
        dsk = dsk.__dask_graph__()
    graph: dict[Any, Any] = ensure_dict(dsk)
    if all(isinstance(task, GraphNode) for task in graph.values()):
        return graph
    new: dict[Any, Any] = convert_legacy_graph(graph)
    return new


class _Run:
    """One run of a graph: ready tasks, missing inputs, known results; guarded by one lock."""

    def __init__(self, graph: dict[Any, Any], keys: Any, workers: int) -> None:
        from dask.callbacks import Callback, unpack_callbacks

        self.graph = dict(graph)  # a copy, because it may grow
        self.workers = workers
        self.threads: list[threading.Thread] = []
        self.rank: dict[Any, Rank] = {key: (i,) for i, key in enumerate(graph)}
        self.users: dict[Any, list[Any]] = {key: [] for key in graph}
        self.missing: dict[Any, int] = {}
        for key, task in graph.items():
            self.missing[key] = len(task.dependencies)
            for d in task.dependencies:
                self.users[d].append(key)
        self.uses = {key: len(u) for key, u in self.users.items()}
        self.wanted = set(_flat(keys))
        self.ready = [(self.rank[key], key) for key, n in self.missing.items() if n == 0]
        heapify(self.ready)
        self.left = len(graph)
        self.values: dict[Any, Any] = {}
        self.error: BaseException | None = None
        self.stop = Stop(cancellation.current_scope())
        self.working = self.waiting = 0
        self.offers: set[Stop] = set()
        """The stops to set as soon as a worker is idle."""
        self.invited: dict[Stop, Callable[[Stop], None]] = {}
        """What idle workers call, by the stop that ends it."""
        self.helping: dict[Stop, Stop] = {}
        """The stop of each call that runs, with the one that ends all calls of its kind."""
        lock = threading.Lock()
        self.turn = threading.Condition(lock)
        self.idle = threading.Condition(lock)
        self.helped = threading.Condition(lock)
        callbacks = unpack_callbacks(Callback.active)
        self.on_start, self.on_state, self.before, self.after, self.on_finish = map(list, callbacks)
        self.state: dict[str, Any] = {}

    def begin(self) -> None:
        """Tell the callbacks that the run starts."""
        for call in self.on_start:
            call(self.graph)
        if self.on_state or self.before or self.after or self.on_finish:
            graph, ready = self.graph, {key for _, key in self.ready}
            self.state = {
                "dependencies": {k: set(t.dependencies) for k, t in self.graph.items()},
                "dependents": {k: set(u) for k, u in self.users.items()},
                "waiting": {k: set(graph[k].dependencies) for k, n in self.missing.items() if n},
                "ready": ready, "running": set(), "finished": set(), "released": set(),
                "cache": self.values,
            }  # fmt: skip
        for call in self.on_state:
            call(self.graph, self.state)

    def end(self, failed: bool) -> None:
        """Tell the callbacks that the run is over."""
        for call in self.on_finish:
            call(self.graph, self.state, failed)

    def abort(self) -> None:
        """Start no more tasks, and stop those that are running."""
        with self.turn:
            self.left = 0
            self.stop.set()
            self.turn.notify_all()

    def wait(self, patience: float) -> bool:
        """Wait at most `patience` seconds until all workers have ended; return whether they have.

        Joining the threads is not enough, because an interrupted join returns too early.
        """
        with self.idle:
            return self.idle.wait_for(lambda: not self.working, patience)

    def staff(self, many: bool = False) -> None:
        """Start workers up to their limit, but no more than there are tasks, unless for `many`."""
        while True:
            with self.idle:
                number = len(self.threads)
                if number >= (self.workers if many else min(self.workers, max(1, len(self.graph)))):
                    return
                thread = threading.Thread(target=self.work, name=f"worker {number}", daemon=True)
                self.threads.append(thread)
                self.working += 1
            try:
                thread.start()
            except BaseException:
                self.working -= 1
                raise

    def work(self) -> None:
        """Run the main function of a worker's thread: serve until all tasks are taken."""
        try:
            self.serve()
        finally:
            with self.idle:
                self.working -= 1
                self.idle.notify_all()

    def serve(self) -> None:
        """Take the first ready task, run it, make its users ready; until all are taken."""
        cancellation.enter_scope(self.stop)
        _here.run = self
        try:
            while (key := self.take()) is not None:
                task = self.graph[key]
                value = task({d: self.values[d] for d in task.dependencies})
                if isinstance(value, More):
                    self.grow(key, value.tasks(key))
                    self.staff()
                else:
                    self.done(key, value)
        except BaseException as error:  # what a task or a callback raises is raised again by `get`
            with self.turn:
                self.error = self.error or as_raised(error)
            self.abort()

    @property
    def hungry(self) -> bool:
        """Whether a worker waits for a task, or is not there yet for want of one."""
        return not self.ready and (self.waiting > 0 or len(self.threads) < self.workers)

    def offer(self, stop: Stop) -> None:
        """Set a stop as soon as a worker is idle."""
        with self.turn:
            self.offers.add(stop)
            if self.hungry:
                self.ask_for_tasks()

    def withdraw(self, stop: Stop) -> None:
        """Do not set a stop when a worker is idle."""
        with self.turn:
            self.offers.discard(stop)

    def ask_for_tasks(self) -> None:
        """A worker is idle: set the stops."""
        for stop in self.offers:
            stop.set()

    def invite(self, over: Stop, help: Callable[[Stop], None]) -> None:
        """Let idle workers call `help`, until `over` is set."""
        with self.turn:
            self.invited[over] = help
            self.turn.notify_all()
        self.staff(many=True)

    def dismiss(self, over: Stop) -> None:
        """Wait until no worker helps any more, after `over` was set."""
        with self.helped:
            del self.invited[over]
            self.helped.wait_for(lambda: over not in self.helping.values())

    def help(self) -> bool:
        """Help a task, without the lock, if one wants it; return whether one did.

        Requires: this thread holds the lock.
        """
        over = next((over for over in self.invited if not over.is_set), None)
        if over is None:
            return False
        call, stop = self.invited[over], Stop(over)
        self.helping[stop] = over
        self.turn.release()
        try:
            call(stop)
        finally:
            self.turn.acquire()
            del self.helping[stop]
            self.helped.notify_all()
        return True

    def recall(self) -> None:
        """Tasks are ready: stop helping."""
        for stop in tuple(self.helping):
            stop.set()

    def take(self) -> Any:
        """Take the first ready task; None when all are done."""
        with self.turn:
            self.waiting += 1
            while not self.ready and self.left > 0:
                self.waiting -= 1
                helped = self.help()
                self.waiting += 1
                if not helped:
                    self.ask_for_tasks()
                    self.turn.wait()
            self.waiting -= 1
            if self.left <= 0:
                return None
            key = heappop(self.ready)[1]
            self.call(self.before, key, "ready", "running")
            return key

    def done(self, key: Any, value: Any) -> None:
        """Record that a task is known: its users may be ready, its inputs may be forgotten."""
        with self.turn:
            self.values[key] = value
            woken = 0
            self.forget(key)
            for user in self.users[key]:
                self.missing[user] -= 1
                if not self.missing[user]:
                    heappush(self.ready, (self.rank[user], user))
                    woken += 1
                    if self.state:
                        self.state["waiting"].pop(user, None)
                        self.state["ready"].add(user)
            self.call(self.after, key, "running", "finished", value)
            self.left -= 1
            if woken > 1:
                self.recall()
            if self.left <= 0:
                self.turn.notify_all()
            elif woken > 1:
                self.turn.notify(woken - 1)

    def forget(self, key: Any) -> None:
        """A task has run: its inputs may be forgotten."""
        for d in self.graph[key].dependencies:
            self.uses[d] -= 1
            if not self.uses[d] and d not in self.wanted:
                del self.values[d]

    def grow(self, key: Any, tasks: dict[Any, Any]) -> None:
        """A task has become more, the last of which has its key: they have its place in the
        order."""
        with self.turn:
            if self.stop.is_set:
                return
            self.forget(key)
            place = self.rank[key]
            for j, (new, task) in enumerate(tasks.items()):
                self.graph[new], self.rank[new] = task, (*place, j)
                self.missing[new] = len(task.dependencies)
                self.users.setdefault(new, [])
                self.uses.setdefault(new, 0)
                for d in task.dependencies:
                    self.users[d].append(new)
                    self.uses[d] += 1
                if not self.missing[new]:
                    heappush(self.ready, (self.rank[new], new))
            self.left += len(tasks) - 1
            self.recall()
            if self.state:
                self.state["running"].discard(key)
                for new, task in tasks.items():
                    if task.dependencies:
                        self.state["waiting"][new] = set(task.dependencies)
                    else:
                        self.state["ready"].add(new)
            self.turn.notify_all()

    def call(
        self, calls: Iterable[Callable[..., Any]], key: Any, old: str, new: str, *value: Any
    ) -> None:
        if not self.state:
            return
        self.state[old].discard(key)
        self.state[new].add(key)
        for call in calls:
            worker = (threading.get_ident(),) if value else ()
            call(key, *value, self.graph, self.state, *worker)


def _flat(keys: Any) -> list[Any]:
    return [k for x in keys for k in _flat(x)] if isinstance(keys, list) else [keys]


def _pick(keys: Any, values: dict[Any, Any]) -> Any:
    return [_pick(k, values) for k in keys] if isinstance(keys, list) else values[keys]
