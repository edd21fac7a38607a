"""Iterative deepening to depth 1, 2, 3, … until a limit, sequential or each depth as a graph."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from attrs import evolve
from dask.tokenize import tokenize

from games import Status
from strategies.algebra.strategy import alone, seq
from strategies.native.calls.alphabeta import Found
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.deepening import DeepeningRun
from strategies.running.plans.lowering import lower
from strategies.running.plans.opening import plan
from strategies.running.records.record import now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, enter_scope
from strategies.running.runtime.deadline import run_with_deadline


def deepen(request: SearchRequest, result_class: type[SearchRun] = SearchRun) -> SearchRun:
    """Search to depth 1, 2, 3, … until the limit or the full depth; return the last finished.

    Requires: no row of graphs searches it (`iterates`).
    The clock starts after the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends the search.
    If not even depth 1 was finished, the depth is 0, the value is the estimate, and the move is the
    first one.  Depths at which a position has no estimate are skipped, except the last.
    After the time limit, or at Ctrl-C, it returns within milliseconds; no thread is left running.
    Raises: AlgorithmError if no depth was finished and the position has no estimate.
    """
    limits, state, wanted = request.limits, request.state, request.algorithm
    if request.strategy != seq and request.game.status(state) != Status.IN_PLAY:
        wanted = wanted.at_depth(min(1, wanted.depth))  # the others would find no more
        request = evolve(request, algorithm=wanted)
    run, tasks = DeepeningRun(request, Stop(current_scope())), list[SearchRun]()
    if request.strategy == seq:
        run.warm()
    else:
        run.deepening.search = partial(_in_tasks, request, result_class, tasks)
    start = now()

    def work() -> None:
        enter_scope(run.stop)
        run.look()
        with suppress(Stopped):
            run.tally.spend(run.work)

    run_with_deadline(work, run.stop, seconds=limits.time if limits else None)
    if tasks:
        return tasks[-1]
    return run.result((record(("step", ()), "step", start, run.tally),), result_class)


def _in_tasks(
    request: SearchRequest,
    result_class: type[SearchRun],
    done: list[SearchRun],
    depth: int,
    *_: Any,
) -> Found:
    """Search to one depth by a run of the ordered scheduler; only the last one in `done` counts."""
    game, state, algorithm = request.game, request.state, request.algorithm.at_depth(depth)
    strategy = alone(request.strategy)  # these tasks share no table
    planned = plan(game, algorithm, strategy, state, engine=request.engine)
    graph, key = lower(planned, tokenize(planned), result_class)
    run: SearchRun = runner.get(graph, key, num_workers=request.workers)
    done.append(evolve(run, depth=depth))
    return Found(run.value)
