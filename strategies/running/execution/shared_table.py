"""Shared-table parallel search: deepening in threads, one answer, a record for each thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from games import Game
from graphs.arguments import check_integers
from strategies.algebra.drivers import Driver
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits
from strategies.native.calls.alphabeta import Found, search_alphabeta
from strategies.native.engine import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.abdada import SharedSearch
from strategies.running.execution.deepening import TABLE, Deepening
from strategies.running.records.record import now, record
from strategies.running.records.run import Run
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.race import race


def drive(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, driver: Driver,
    limits: Limits | None = None, workers: int | None = None, result_class: type[Run] = Run,
    table: Table | None = None,
) -> Run:  # fmt: skip
    """Search by a shared table in threads; with `limits`, by iterative deepening until then.

    Given a `table`, the search uses that; of one that is kept it takes up what is there.

    Ensures: the value and the leftmost optimal move of a search to that depth, and a record for
    each thread.  With limits, Ctrl-C ends it with what is known.  No thread is left.
    Raises: KeyboardInterrupt or `Stopped` where there are no limits and it was interrupted.
    """
    check_integers(1, num_workers=1 if workers is None else workers)
    count = driver.threads(workers)
    engine, stop = engine_for(game, choice), Stop(current_scope())
    table = table or Table(algorithm.table or TABLE)

    def deepening(by: Callable[..., Found], *, share: int = 1, stride: int = 1) -> Deepening:
        limit = limits and limits.shared(share)
        return Deepening(engine, state, algorithm, limit, stop, table=table, by=by, stride=stride)

    if driver.together:
        team = SharedSearch(count)
        runs = [deepening(team.search)]
        tallies = team.tallies
    else:
        runs = [deepening(_shuffled(i), share=count, stride=1 + i % 2) for i in range(count)]
        tallies = tuple(run.tally for run in runs)
    works = [partial(run.tally.spend, run.work) for run in runs]
    runs[0].warm()
    start = now()
    seconds = None if limits is None else limits.time
    interrupted = run_with_deadline(lambda: race(works, stop), stop, seconds=seconds)
    best = max(runs, key=lambda run: run.depth if run.best else -1)
    if limits is None and best.best is None:
        raise KeyboardInterrupt if interrupted else Stopped("the search was stopped")
    lanes = (f"{os.getpid()}/thread {i}" for i in range(count))
    records = tuple(
        record(("thread" if i else "step", (i,)), "step", start, tally)._replace(worker=lane)
        for i, (tally, lane) in enumerate(zip(tallies, lanes, strict=True))
    )
    return best.result(records, result_class)


def _shuffled(number: int) -> Callable[..., Found]:
    """A `search_alphabeta` whose first guesses at the order of branches are its own."""

    def search(*position: Any, **settings: Any) -> Found:
        return search_alphabeta(*position, **{**settings, "orders": True}, shuffle=number)

    return search if number else search_alphabeta
