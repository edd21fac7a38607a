"""Iterative deepening to depth 1, 2, 3, … until a limit, sequential or each depth as a graph."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import evolve
from dask.tokenize import tokenize

from games import Status
from strategies.algebra.strategy import seq
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.deepening import Deepening
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.deepening import DeepeningRun
from strategies.running.plans.iterations import iterate
from strategies.running.plans.lowering import lower
from strategies.running.plans.opening import iterates, plan
from strategies.running.records.record import now, record
from strategies.running.records.request import SearchRequest
from strategies.running.records.run import Run
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, enter_scope
from strategies.running.runtime.deadline import run_with_deadline


def deepen(request: SearchRequest, result_class: type[Run] = Run) -> Run:
    """Search to depth 1, 2, 3, … until the limit or the full depth; return the last finished.

    The clock starts after the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends the search.
    If not even depth 1 was finished, the depth is 0, the value is the estimate, and the move is the
    first one.  Depths at which a position has no estimate are skipped, except the last.
    After the time limit, or at Ctrl-C, it returns within milliseconds; no thread is left running.
    Raises: AlgorithmError if no depth was finished and the position has no estimate.
    """
    if iterates(request):
        return iterate(request, result_class)
    if request.strategy != seq:
        return _deepen_in_tasks(request, result_class)
    run = DeepeningRun(request, Stop(current_scope()))
    run.warm()
    start = now()

    def work() -> None:
        run.look()
        run.tally.spend(run.work)

    run_with_deadline(work, run.stop, seconds=_seconds(request))
    return run.result((record(("step", ()), "step", start, run.tally),), result_class)


def _seconds(request: SearchRequest) -> float | None:
    return None if request.limits is None else request.limits.time


def _deepen_in_tasks(request: SearchRequest, result_class: type[Run]) -> Run:
    """Deepen with a run of the ordered scheduler per depth; count only the last finished one."""
    game, algorithm, state = request.game, request.algorithm, request.state
    stop, runs, start = Stop(current_scope()), list[Run](), now()
    over = game.status(state) != Status.IN_PLAY
    none = DeepeningRun(request, stop)

    def to(depth: int, *_: Any) -> Found:
        planned = plan(
            game, algorithm.at_depth(depth), request.strategy, state, engine=request.engine
        )
        graph, key = lower(planned, tokenize(planned), result_class)
        run: Run = runner.get(graph, key, num_workers=request.workers)
        runs.append(evolve(run, depth=depth))
        return Found(run.value)

    def work() -> None:
        enter_scope(stop)
        none.look()
        with suppress(Stopped):
            deepening = Deepening(to, none.engine, none.table, state, limited=True)
            deepening.work(range(1, algorithm.depth + 1)[: 1 if over else None])

    run_with_deadline(work, stop, seconds=_seconds(request))
    if runs:
        return runs[-1]
    return none.result((record(("step", ()), "step", start, none.tally),), result_class)
