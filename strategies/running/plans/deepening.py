"""Iterative deepening to depth 1, 2, 3, … until a limit, sequential or each depth as a graph."""

from __future__ import annotations

from typing import Any

from attrs import evolve
from dask.tokenize import tokenize

from games import Game, Status
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits
from strategies.native.engine import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.deepening import Deepening, estimates_to_spare, won
from strategies.running.plans.iterations import iterate
from strategies.running.plans.lowering import lower
from strategies.running.plans.opening import iterates, plan
from strategies.running.records.record import now, record
from strategies.running.records.run import Run
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import current_scope, enter_scope
from strategies.running.runtime.deadline import run_with_deadline


def deepen(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, limits: Limits,
    using: Strategy = seq, workers: int | None = None, result_class: type[Run] = Run,
) -> Run:  # fmt: skip
    """Search to depth 1, 2, 3, … up to the algorithm's, until the limit; return the last finished.

    The clock starts when the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends it.  If not
    even depth 1 was finished, the depth is 0, the value the estimate, the move the first one.  A
    depth at which a position without an estimate is met is left out, unless it is the last.
    Raises: AlgorithmError if no depth was finished, and the position has no estimate.
    After the time, or at Ctrl-C, it returns within milliseconds; no thread is left.
    """
    if iterates(game, state, algorithm, using, limits):
        return iterate(game, state, algorithm, choice, using, limits, workers, result_class)
    if using != seq:
        return _deepen_in_tasks(
            game, state, algorithm, choice, limits, using, workers, result_class
        )
    run = Deepening(engine_for(game, choice), state, algorithm, limits, Stop(current_scope()))
    run.warm()
    start = now()
    run_with_deadline(lambda: run.tally.spend(run.work), run.stop, seconds=limits.time)
    return run.result((record(("step", ()), "step", start, run.tally),), result_class)


def _deepen_in_tasks(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, limits: Limits,
    using: Strategy, workers: int | None, result_class: type[Run],
) -> Run:  # fmt: skip
    """Deepen with a run of the ordered scheduler for every depth; count only the last finished."""
    stop, best, start = Stop(current_scope()), [], now()
    over = game.status(state) != Status.IN_PLAY

    def to(depth: int) -> Run:
        shallower = evolve(algorithm, depth=depth)
        planned = plan(game, shallower, using, state, engine=choice)
        run: Run = runner.get(*lower(planned, tokenize(planned), result_class), num_workers=workers)
        return run

    def work() -> None:
        enter_scope(stop)
        try:
            for depth in range(1, algorithm.depth + 1):
                with estimates_to_spare(depth < algorithm.depth):
                    best.append(evolve(to(depth), depth=depth))
                    if won(best[-1].value) or over:
                        return
        except Stopped:
            return

    with estimates_to_spare():
        to(1)  # compiled before the clock starts
    run_with_deadline(work, stop, seconds=limits.time)
    if best:
        return best[-1]
    none = Deepening(engine_for(game, choice), state, algorithm, limits, stop)
    return none.result((record(("step", ()), "step", start, none.tally),), result_class)
