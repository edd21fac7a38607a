"""Shared-table parallel search: threads that search or deepen over a table, each with a record."""

from __future__ import annotations

import os
from collections import deque
from functools import partial, reduce
from typing import Any, Final

from attrs import evolve

from graphs.arguments import check_workers
from strategies.algebra.drivers import Driver
from strategies.native.calls.alphabeta import UNLIMITED, Found, Searcher, add_up, search_alphabeta
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.deepening import TABLE, DeepeningRun
from strategies.running.records.record import Tally, now, record
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
