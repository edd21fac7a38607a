"""Shared-table parallel search: threads that search, deepen or prove over a table, with records."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial, reduce
from typing import Any, Final

from attrs import evolve

from games.game import WIN_PLIES
from graphs.arguments import check_workers
from strategies.algebra.drivers import Driver
from strategies.native.calls.alphabeta import UNLIMITED, Found, Searcher, add_up, search_alphabeta
from strategies.native.calls.solver import Solver
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.execution.deepening import TABLE, DeepeningRun
from strategies.running.records.record import Record, Tally, now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime.cancellation import current_scope, heeding
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.together import threads, together


def drive(
    request: SearchRequest, result_class: type[SearchRun] = SearchRun, *,
    table: Table | None = None, driver: Driver | None = None,
) -> SearchRun:  # fmt: skip
    """Search in threads over a shared table; with limits, by iterative deepening until then.

    A given `table` is used, with any entries that it has, and a given `driver` in place of the
    strategy of the request.

    Requires: one of them is a driver.
    Ensures: the value and the leftmost optimal move of a search to that depth, and a record for
    each thread.  With limits, Ctrl-C ends it with the result so far.  No thread is left running.
    Raises: KeyboardInterrupt or `Stopped` if it was interrupted without limits.
    """
    used = driver or request.strategy
    assert isinstance(used, Driver)
    request = evolve(request, strategy=used)
    limits, workers = request.limits, request.workers
    check_workers(num_workers=workers)
    count = used.threads(workers)
    stop, table = Stop(current_scope()), table or Table(request.algorithm.table or TABLE)

    def deepening(by: Searcher, *, share: int = 1, stride: int = 1) -> DeepeningRun:
        part = evolve(request, limits=limits and limits.shared(share))
        return DeepeningRun(part, stop, table=table, by=by, stride=stride)

    if used.together:
        team = SharedSearch(count)
        runs = [deepening(team.search)]
        tallies = team.tallies
    else:
        by: list[Searcher] = [search_alphabeta]  # the others begin with other orders of branches
        by += (partial(search_alphabeta, orders=True, shuffle=i) for i in range(1, count))
        runs = [deepening(by[i], share=count, stride=1 + i % 2) for i in range(count)]
        tallies = tuple(run.tally for run in runs)
    runs[0].warm()
    free = deque(runs)

    def deepened(_: Stop) -> bool:
        run = free.popleft()
        with heeding(stop):  # so that the call hears of each depth
            run.tally.spend(run.work)
        return True

    def work() -> None:
        runs[0].look()
        together(deepened, stop, threads(len(runs) - 1))

    start = now()
    interrupted = run_with_deadline(work, stop, seconds=limits.time if limits else None)
    best = max(runs, key=lambda run: run.deepening.depth if run.deepening.best else -1)
    if limits is None and best.deepening.best is None:
        raise KeyboardInterrupt if interrupted else Stopped("the search was stopped")
    lanes = (f"{os.getpid()}/thread {i}" for i in range(count))
    records = tuple(
        record(("thread" if i else "step", (i,)), "step", start, tally)._replace(worker=lane)
        for i, (tally, lane) in enumerate(zip(tallies, lanes, strict=True))
    )
    return best.result(records, result_class)


ALONE: Final = 5
"""Plies. A shallower search is over before a second thread has started."""


class SharedSearch:
    """Threads that search one position together; `search` replaces `search_alphabeta`."""

    def __init__(self, workers: int) -> None:
        self.tallies = tuple(Tally() for _ in range(workers))

    def search(
        self, engine: Engine, table: Table, state: Any, depth: int, *window: float,
        nodes: int = UNLIMITED, stop: Stop | None = None, **settings: Any,
    ) -> Found:  # fmt: skip
        """Search like `search_alphabeta`; return the first finished result, with all counts.

        All threads run the same search, so each of them would find the same value and move.
        """
        over, found = Stop(stop), list[Found]()

        def searched(stop: Stop) -> Found | None:
            tally = free.popleft()
            search = partial(
                search_alphabeta, engine, table, state, depth, *window,
                nodes=-(-nodes // many), stop=stop, marks=many > 1, **settings,
            )  # fmt: skip
            one = tally.spend(search)
            tally.count(one)
            found.insert(0, one)  # so that sorting puts the first finished one last
            return one

        many = 1 if depth < ALONE else len(self.tallies)
        free = deque(self.tallies[:many])
        together(searched, over, threads(many - 1))
        return reduce(add_up, sorted(found, key=lambda one: one.finished))


SPREAD: Final = 3, 13
"""The range of plies from the root in which threads mark the branches that they search.  At smaller
plies, a branch that turns out not to matter costs too much; at larger ones, marking costs more than
it saves.  In 24 hard positions of Connect Four, two threads visited 1.08 times the nodes of one,
1.09 times with marks from the root on, and 1.11 times with marks from the sixth ply on."""


def spread_out(solver: Solver) -> None:
    """Let a solver defer branches that others search for the same proof over its table."""
    solver.control[proof.MARKS] = solver.table.marks
    solver.control[proof.SPREAD] = WIN_PLIES - SPREAD[0]
    solver.control[proof.TOGETHER] = WIN_PLIES - SPREAD[1]


class Team(Solver):
    """Threads that search every proof together: each searches all of it, but defers branches that
    another thread is searching (ABDADA); the first that is done ends it.

    Ensures: values and moves are those of one thread, because a proof holds whoever found it.
    """

    def __init__(self, engine: Engine, table: Table, stop: Stop, workers: int) -> None:
        super().__init__(engine, table, stop)
        self.records: list[Record] = []
        self.workers = workers
        self.members = (self, *(Solver(engine, table, stop) for _ in range(workers - 1)))
        if workers > 1:
            for member in self.members:
                spread_out(member)

    @property
    def nodes(self) -> int:
        return sum(int(member.control[proof.VISITED]) for member in self.members)

    def counts(self) -> Counts:
        total = Counts()
        for member in self.members:
            total = total.plus(self.table.counts(member.control))
        return total

    def run(self, kernel: Any, state: Any, *args: Any) -> tuple[Any, Any]:
        if self.limited:  # the search may be over before a thread has started
            return super().run(kernel, state, *args)
        return self.widening(lambda: self.together(kernel, state, *args))

    def widen(self) -> None:
        for member in self.members:
            Solver.widen(member)

    @contextmanager
    def recorded(self, number: int, member: Solver) -> Iterator[Solver]:
        """Record what a member does in the block."""
        start, nodes = now(), int(member.control[proof.VISITED])
        try:
            yield member
        finally:
            tally = Tally(int(member.control[proof.VISITED]) - nodes)
            self.records.append(record(("thread", (number,)), "step", start, tally))

    def together(self, kernel: Any, state: Any, *args: Any) -> tuple[Any, Any]:
        """Run a kernel in every thread; return the result of the first, and its control.

        Raises: the errors of `Solver.once`, after all threads have ended.
        """
        free = deque(enumerate(self.members))

        def proved(stop: Stop) -> tuple[Any, Any] | None:
            with suppress(Stopped), self.recorded(*free.popleft()) as member:
                return member.once(stop, kernel, state, *args)
            return None  # another thread was first, or all were stopped

        found = together(proved, Stop(self.stop), threads(len(self.members) - 1))
        if found is None:
            raise Stopped("the proof was stopped")
        return found


class Crowd(Team):
    """Threads that converge on a value by different null windows, as Lazy SMP searches different
    depths; a proof of one thread ends the searches of others that it answers.

    Only when there is no other window left do they search a proof together, as a `Team`.
    """

    def close_in(self, state: Any) -> None:
        if self.limited:
            super().close_in(state)
        else:
            self.widening(lambda: self.apart(state))

    def apart(self, state: Any) -> None:
        """Converge on the value in every thread.

        Raises: the errors of `Team.together`.
        """
        over, lock = Stop(self.stop), threading.Lock()
        free = deque(enumerate(self.members))
        asking: dict[int, tuple[float, float, Stop]] = {}

        def work(_: Stop) -> bool:
            number, member = free.popleft()
            with self.recorded(number, member):
                prove(number, member)
            return True

        def windows() -> Iterator[tuple[float, float]]:
            asked = True
            while asked:  # questions that were left to others may still be open at the end
                asked = False
                for window in self.questions():
                    if over.is_set or self.stop.is_set:
                        return
                    asked = True
                    yield window

        def prove(number: int, member: Solver) -> None:
            left = set[float]()  # to others, once each
            for alpha, beta in windows():
                with lock:
                    others = {low for low, _, _ in asking.values()}
                    if alpha in others and alpha not in left:
                        left.add(alpha)
                        continue
                    mine = Stop(over)
                    asking[number] = alpha, beta, mine
                try:
                    found = member.once(mine, proof.prove, state, WIN_PLIES, alpha, beta)[0]
                except Stopped:
                    continue
                finally:
                    with lock:
                        del asking[number]
                with lock:
                    self.learn((alpha, beta), float(found))
                    for low, high, stop in asking.values():
                        if self.known[0] >= high or self.known[1] <= low:
                            stop.set()

        together(work, over, threads(len(self.members) - 1))
        if next(self.questions(), None) is not None:
            raise Stopped("the proof was stopped")


def team_of(driver: Driver, engine: Engine, table: Table, stop: Stop, workers: int) -> Team:
    """Return the solver for a shared-table search."""
    return (Team if driver.together else Crowd)(engine, table, stop, workers)
