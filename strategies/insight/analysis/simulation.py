"""Simulation on virtual workers: list scheduling, as of the ordered scheduler, and its outcome.

Each free worker takes the first ready task.  Time is kept twice: in seconds, and in progress, which
advances more slowly than seconds while many workers are busy, equally for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import Final, NamedTuple, Protocol

from attrs import evolve, field, frozen

from graphs.arguments import check_flags, check_integers, check_numbers, check_positive, checked_by
from strategies.insight.analysis.recorded import Dag, Timed, recorded
from strategies.running.records.record import Record
from strategies.running.records.search_run import SearchRun
from strategies.support.printing import Printed, brief

SECONDS = checked_by(check_numbers, 0)


@frozen
class Burden:
    """The overhead that a scheduler and a machine add to recorded tasks.  Times are in seconds.

    >>> Burden(task=50e-6, dispatch=80e-6).rate(2)
    1.0
    """

    task: float = field(default=0.0, validator=SECONDS)
    """The cost of a task for its worker beyond the time that the task records."""
    dispatch: float = field(default=0.0, validator=SECONDS)
    """How long a task keeps all others from starting: its turn under the only lock, that of the
    scheduler or of Python.  It is part of `task` and of the time that the task records."""
    together: float = field(default=1.0, validator=checked_by(check_positive))
    """The share of its speed that a worker keeps when `cores` workers are busy."""
    cores: int = field(default=1, validator=checked_by(check_integers, 1))
    """The number of busy workers with which `together` was measured."""
    serial: bool = field(default=False, validator=checked_by(check_flags))
    """Whether only one worker makes progress at a time, as with threads and interpreted rules."""
    latency: float = field(default=0.0, validator=SECONDS)
    """The delay from the end of a task until the tasks that wait for it can start: its result goes
    to the scheduler, and a message from there to a worker.  No worker is busy meanwhile."""

    def rate(self, busy: float) -> float:
        """Return the relative speed of each of `busy` workers: linear up to `cores`, constant
        beyond, where nothing was measured."""
        if busy <= 1:
            return 1.0
        if self.serial:
            return 1 / busy
        if self.cores <= 1:
            return 1.0
        share = (min(busy, self.cores) - 1) / (self.cores - 1)
        return 1 - share * (1 - self.together)


FREE = Burden()
"""A machine without overhead."""


VIRTUAL: Final = "virtual "
"""How the names of virtual workers begin."""


@frozen
class Simulation(Printed):
    """A run on virtual workers.

    `result` is like that of a real run, so it can be drawn and written in the same ways: its
    records start and end in virtual seconds after the run's start, on workers called "virtual 0",
    "virtual 1", …
    """

    workers: int
    seconds: float
    """The time from the start of the run to the end of its last task, without planning."""
    result: SearchRun
    burden: Burden

    @property
    def busy(self) -> float:
        """Return the share of the workers' time that was spent in tasks."""
        return self.result.work / (self.workers * self.seconds) if self.seconds else 1.0

    __repr__ = brief

    def parts(self) -> list[str]:
        """Return the lines to print: the time, and the sparks."""
        r = self.result
        n = "1 worker takes" if self.workers == 1 else f"{self.workers} workers take"
        took = f"simulated: {n} {self.seconds:.4g} s, busy {self.busy:.0%}; {r.nodes:,} nodes"
        return [took, r.sparks.line]


def simulation(
    result: SearchRun, dag: Dag, records: Sequence[Record], placed: Sequence[Placed],
    workers: int, burden: Burden,
) -> Simulation:  # fmt: skip
    """Return the simulation with the records of a graph's tasks at the times and workers `placed`.

    Requires: `records` and `placed` are in the order of the graph's tasks.
    """
    moved = [
        r._replace(start=p.start, end=p.end, worker=f"{VIRTUAL}{p.worker}")
        for r, p in zip(records, placed, strict=True)
    ]
    tasks = (Timed(t.key, r.seconds, t.after, r) for t, r in zip(dag.tasks, moved, strict=True))
    found = evolve(
        result,
        nodes=sum(r.nodes for r in moved),
        leaves=sum(r.leaves for r in moved),
        span=Dag(tuple(tasks)).span,
        records=tuple(moved),
        call=None,
        request=result.request and evolve(result.request, workers=workers),
    )
    return Simulation(workers, max((p.end for p in placed), default=0.0), found, burden)


def replay(result: SearchRun, workers: int, burden: Burden = FREE) -> Simulation:
    """Schedule the recorded tasks on a number of workers, under the ordered scheduler.

    This is correct for fixed windows, where the work of a task does not depend on when it runs; for
    live windows see `simulate`.  It is most accurate for a run on one worker, because the records
    of several workers include how they slowed each other down.

    Raises: ValueError if the result does not know its search.
    Cost: the plan is made again; no search.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, par_list, search
    >>> once = search(HANDOUT_BIG, alphabeta(4), using=par_list.everywhere).compute(num_workers=1)
    >>> one, many = replay(once, 1), replay(once, 64)
    >>> once.span <= many.seconds < one.seconds, many.result.value == once.value
    (True, True)
    """
    dag = recorded(result)
    records = [t.record for t in dag.tasks if t.record is not None]
    placed = schedule_recorded(
        [t.after for t in dag.tasks], [t.seconds for t in dag.tasks], workers, burden
    )
    return simulation(result, dag, records, placed, workers, burden)


class Job(Protocol):
    """A running task, one stretch after the other."""

    finished: bool
    """Whether the task ended with the last stretch."""

    @property
    def cut(self) -> bool:
        """Return whether the current stretch has become unnecessary."""
        ...

    def step(self) -> float:
        """Do the next stretch; return its seconds on a worker that has the machine to itself."""
        ...

    def leave(self, share: float) -> None:
        """Record that the stretch was abandoned after this share of it."""
        ...


class TooLong(Exception):
    """A simulation exceeded its limit of virtual time."""


class Placed(NamedTuple):
    """The worker of a task, and its start and end in seconds after the start of the run."""

    start: float
    end: float
    worker: int


def list_schedule(
    after: Sequence[Sequence[int]], start: Callable[[int], Job],
    done: Callable[[int, Job], Sequence[Sequence[int]] | None],
    workers: int, burden: Burden, limit: float = inf,
) -> list[Placed]:  # fmt: skip
    """Return when and where each task runs, on a number of workers.

    Requires: task i waits for the tasks ``after[i]``, all less than i; one worker would run the
    tasks in the order of their numbers.
    Ensures: no worker is idle while a task is ready, except to wait for the dispatcher.  `done` is
    called when a task ends, before any task starts that waits for it.  It may return more tasks, as
    the tasks that each waits for: they are numbered on, and run in the ended task's place in the
    order, which is also their place in the answer; the last one takes over the ended task's result.
    Raises: TooLong once more than `limit` seconds have passed.
    Cost: n log n, plus the cost of the jobs.
    """
    check_integers(1, workers=workers)
    return _Floor(after, start, done, workers, burden).run(limit)


class Recorded:
    """A task that takes its recorded time, in one stretch."""

    cut = False

    def __init__(self, seconds: float) -> None:
        self.seconds, self.finished = seconds, False

    def step(self) -> float:
        self.finished = True
        return self.seconds

    def leave(self, share: float) -> None:
        raise AssertionError("a recorded task is never abandoned")


def schedule_recorded(
    after: Sequence[Sequence[int]], seconds: Sequence[float], workers: int, burden: Burden
) -> list[Placed]:
    """Return when and where tasks that take these seconds run; see `list_schedule`."""
    return list_schedule(
        after, lambda i: Recorded(seconds[i]), lambda i, job: None, workers, burden
    )


class _Floor:
    def __init__(
        self, after: Sequence[Sequence[int]], start: Callable[[int], Job],
        done: Callable[[int, Job], Sequence[Sequence[int]] | None], workers: int, burden: Burden,
    ) -> None:  # fmt: skip
        self.start, self.done, self.burden = start, done, burden
        self.most, self.workers = workers, min(workers, len(after))  # more would have no tasks
        self.users: list[list[int]] = [[] for _ in after]
        self.rank: list[tuple[int, ...]] = [(i,) for i in range(len(after))]
        for i, before in enumerate(after):
            for b in before:
                self.users[b].append(i)
        self.missing = [len(set(before)) for before in after]
        self.ready = [(self.rank[i], i) for i, n in enumerate(self.missing) if n == 0]
        heapify(self.ready)
        self.idle = list(range(self.workers))
        self.progress = self.time = self.free = 0.0
        self.events: list[tuple[float, int, int]] = []
        self.told: list[tuple[float, int]] = []
        self.serial, self.last = 0, -1
        self.running: dict[int, _Running] = {}
        self.placed: list[Placed] = [Placed(0.0, 0.0, 0)] * len(after)

    def run(self, limit: float) -> list[Placed]:
        """Simulate until all tasks are done."""
        while True:
            while self.ready and self.idle:
                self.take(heappop(self.ready)[1], heappop(self.idle))
            if self.told and (not self.events or self.told[0][0] <= self.events[0][0]):
                at, number = heappop(self.told)
                self.pass_to(at, limit)
                self.tell(number)
                continue
            if not self.events:
                order = sorted(range(len(self.placed)), key=self.rank.__getitem__)
                return [self.placed[i] for i in order]
            at, serial, worker = heappop(self.events)
            now = self.running.get(worker)
            if now is None or now.serial != serial:
                continue  # the end of a stretch that was abandoned
            self.pass_to(at, limit)
            self.advance(worker, now)
            for other, job in self.running.items():
                if job.end > self.progress and job.job.cut:
                    job.job.leave((self.progress - job.start) / (job.end - job.start))
                    self.until(other, job, self.progress)

    def pass_to(self, at: float, limit: float) -> None:
        """Advance to a point in progress."""
        self.time += (at - self.progress) / self.burden.rate(self.workers - len(self.idle))
        self.progress = at
        if self.time > limit:
            raise TooLong(f"the simulated run takes more than {limit:.3g} s")

    def tell(self, number: int) -> None:
        """Tell the tasks that wait for a task that it has ended."""
        for user in self.users[number]:
            self.missing[user] -= 1
            if not self.missing[user]:
                heappush(self.ready, (self.rank[user], user))

    def take(self, number: int, worker: int) -> None:
        """Start a task on a worker: add the wait for the dispatcher, unless the worker had the last
        turn, and the overhead."""
        turn = self.progress if worker == self.last else max(self.progress, self.free)
        self.free, self.last = turn + self.burden.dispatch, worker
        self.running[worker] = now = _Running(number, self.start(number))
        self.until(worker, now, turn + self.burden.task)

    def until(self, worker: int, now: _Running, end: float) -> None:
        """Schedule the next event of a worker."""
        self.serial += 1
        now.serial, now.start, now.end = self.serial, self.progress, end
        heappush(self.events, (end, self.serial, worker))

    def advance(self, worker: int, now: _Running) -> None:
        """End a stretch: start the next one, or end the task."""
        if now.began is None:
            now.began = self.time
        if not now.job.finished:
            self.until(worker, now, self.progress + now.job.step())
            return
        self.placed[now.number] = Placed(now.began, self.time, worker)
        del self.running[worker]
        heappush(self.idle, worker)
        more = self.done(now.number, now.job)
        if more:
            self.grow(now.number, more)
            return
        if self.burden.latency and self.users[now.number]:
            heappush(self.told, (self.progress + self.burden.latency, now.number))
        else:
            self.tell(now.number)

    def grow(self, number: int, more: Sequence[Sequence[int]]) -> None:
        """Replace a task by more tasks; the last of them takes over its result."""
        for j, after in enumerate(more):
            new = len(self.users)
            self.users.append([])
            self.rank.append((*self.rank[number], j))
            self.placed.append(Placed(0.0, 0.0, 0))
            self.missing.append(len(set(after)))
            for b in set(after):
                self.users[b].append(new)
            if not after:
                heappush(self.ready, (self.rank[new], new))
        self.users[-1], self.users[number] = self.users[number], []
        for worker in range(self.workers, min(self.most, len(self.users))):
            heappush(self.idle, worker)
            self.workers += 1


class _Running:
    """A task on a worker, with its current stretch in units of progress."""

    __slots__ = ("began", "end", "job", "number", "serial", "start")

    def __init__(self, number: int, job: Job) -> None:
        self.number, self.job = number, job
        self.serial, self.start, self.end = 0, 0.0, 0.0
        self.began: float | None = None
