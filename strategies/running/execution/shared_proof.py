"""Proofs that several threads search over one table, together or individually."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from games.game import LONGEST
from strategies.algebra.drivers import Driver
from strategies.native.calls.solver import Solver
from strategies.native.calls.windows import questions
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts, Table
from strategies.running.records.record import Record, Tally, now, record
from strategies.running.runtime.together import threads, together

SPREAD: Final = 3, 13
"""The range of plies from the root in which threads mark the branches that they search.  At smaller
plies, a branch that turns out not to matter costs too much; at larger ones, marking costs more than
it saves.  In 24 hard positions of Connect Four, two threads visited 1.08 times the nodes of one,
1.09 times with marks from the root on, and 1.11 times with marks from the sixth ply on."""


def spread_out(solver: Solver) -> None:
    """Lets a solver put off what others are searching that make the same proof over its table."""
    solver.control[proof.MARKS] = solver.table.marks
    solver.control[proof.SPREAD] = LONGEST - SPREAD[0]
    solver.control[proof.TOGETHER] = LONGEST - SPREAD[1]


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

        def prove(number: int, member: Solver) -> None:
            before: float | None = None
            for alpha, beta in questions(self.known, self.most_plies, self.guess):
                if over.is_set or self.stop.is_set:
                    break
                with lock:
                    others = {low for low, _, _ in asking.values()}
                    if alpha in others and alpha != before:
                        before = alpha
                        continue
                    mine = Stop(over)
                    asking[number] = alpha, beta, mine
                try:
                    found = member.once(mine, proof.prove, state, LONGEST, alpha, beta)[0]
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
        if next(questions(self.known, self.most_plies, self.guess), None) is not None:
            raise Stopped("the proof was stopped")


def team_of(driver: Driver, engine: Engine, table: Table, stop: Stop, workers: int) -> Team:
    """Return the solver for a shared-table search."""
    return (Team if driver.together else Crowd)(engine, table, stop, workers)
