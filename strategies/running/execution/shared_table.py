"""Shared-table parallel search: threads that deepen over one table, with a record for each."""

from __future__ import annotations

import os
from collections import deque
from functools import partial

from attrs import evolve

from graphs.arguments import check_workers
from strategies.algebra.drivers import Driver
from strategies.native.calls.alphabeta import Searcher, search_alphabeta
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.abdada import SharedSearch
from strategies.running.execution.deepening import TABLE, DeepeningRun
from strategies.running.records.record import now, record
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
