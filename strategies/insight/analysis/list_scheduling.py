"""Virtual workers: the ordered runner as a simulation of discrete events.

Each worker that is free takes the first ready task.  Time is kept twice: in seconds, and in
progress, which passes more slowly than time while many workers are busy, alike for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple, Protocol

from graphs.arguments import check_integers
from strategies.insight.analysis.overhead import Burden


class Job(Protocol):
    """A task under way, one stretch after the other."""

    finished: bool
    """Whether the last stretch was its last."""

    @property
    def cut(self) -> bool:
        """Whether the stretch now under way is no longer wanted."""
        ...

    def step(self) -> float:
        """Do the next stretch; its seconds on a worker that has the machine to itself."""
        ...

    def leave(self, share: float) -> None:
        """The stretch was given up after this share of it."""
        ...


class TooLong(Exception):
    """A simulation that takes longer than it may."""


class Placed(NamedTuple):
    """Where and when a task ran: seconds after the start."""

    start: float
    end: float
    worker: int


def list_schedule(
    after: Sequence[Sequence[int]], start: Callable[[int], Job],
    done: Callable[[int, Job], Sequence[Sequence[int]] | None],
    workers: int, burden: Burden, limit: float = inf,
) -> list[Placed]:  # fmt: skip
    """When and where each task runs, on so many workers.

    Requires: task i waits for the tasks ``after[i]``, all less than i; the order of numbers is the
    order in which one worker runs them.
    Ensures: no worker is idle while a task is ready, but for its turn with the dispatcher.  `done`
    is called when a task ends, before any task starts that waits for it.  Where it returns more
    tasks, of what each waits for, numbers go on; the last of them takes the task's place, and they
    run in its place of the order, in which the answer has them.
    Raises: TooLong once more than `limit` seconds have passed.
    Cost: n log n, and the jobs' own.
    """
    check_integers(1, workers=workers)
    return _Floor(after, start, done, workers, burden).run(limit)


class _Floor:
    def __init__(
        self, after: Sequence[Sequence[int]], start: Callable[[int], Job],
        done: Callable[[int, Job], Sequence[Sequence[int]] | None], workers: int, burden: Burden,
    ) -> None:  # fmt: skip
        self.start, self.done, self.burden = start, done, burden
        self.most, self.workers = workers, min(workers, len(after))  # more have nothing to do
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
        """Until all tasks are done."""
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
                continue  # a stretch that was given up
            self.pass_to(at, limit)
            self.advance(worker, now)
            for other, job in self.running.items():
                if job.end > self.progress and job.job.cut:
                    job.job.leave((self.progress - job.start) / (job.end - job.start))
                    self.until(other, job, self.progress)

    def pass_to(self, at: float, limit: float) -> None:
        """Let the time come."""
        self.time += (at - self.progress) / self.burden.rate(self.workers - len(self.idle))
        self.progress = at
        if self.time > limit:
            raise TooLong(f"it takes more than {limit:.3g} s")

    def tell(self, number: int) -> None:
        """Those that wait for a task hear that it has ended."""
        for user in self.users[number]:
            self.missing[user] -= 1
            if not self.missing[user]:
                heappush(self.ready, (self.rank[user], user))

    def take(self, number: int, worker: int) -> None:
        """A worker takes a task: it waits for its turn, which it has if it had the last one, and
        bears the burden."""
        turn = self.progress if worker == self.last else max(self.progress, self.free)
        self.free, self.last = turn + self.burden.dispatch, worker
        self.running[worker] = now = _Running(number, self.start(number))
        self.until(worker, now, turn + self.burden.task)

    def until(self, worker: int, now: _Running, end: float) -> None:
        """The next event of a worker."""
        self.serial += 1
        now.serial, now.start, now.end = self.serial, self.progress, end
        heappush(self.events, (end, self.serial, worker))

    def advance(self, worker: int, now: _Running) -> None:
        """A stretch is over: the next one, or the end of the task."""
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
        """A task has become more; the last of them takes its place."""
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
    """A task on a worker, and its stretch, in progress."""

    __slots__ = ("began", "end", "job", "number", "serial", "start")

    def __init__(self, number: int, job: Job) -> None:
        self.number, self.job = number, job
        self.serial, self.start, self.end = 0, 0.0, 0.0
        self.began: float | None = None
