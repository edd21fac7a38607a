"""Grow trees: the work of one task of a Monte Carlo search."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from strategies.native.engine import Engine, engine_for
from strategies.native.kernels import uct
from strategies.native.kernels.rollout import spread
from strategies.native.memory.cells import Stop
from strategies.running.records.record import Outcome, Record, Role, Tally, now, record
from strategies.running.runtime import cancellation
from strategies.running.runtime.cancellation import interruptible
from strategies.searches.monte_carlo.job import Job, failed
from strategies.searches.monte_carlo.rewards import Scale, scale_of
from strategies.searches.monte_carlo.tree import Grown, Tree


def grow_trees(
    job: Job, start: int, stop: int, role: Role, *after: Any
) -> tuple[tuple[Grown, ...], Record]:
    """Grow the trees of one task, one after the other, when the results `after` are known."""
    engine = engine_for(job.game, job.engine)
    prepare(engine, job.state)
    scale = scale_of(engine, job)
    begun = now()
    tally = Tally()
    grown = tuple(grow_tree(engine, job, scale, number, tally) for number in range(start, stop))
    tally.add(sum(t.nodes for t in grown), sum(t.simulations for t in grown))
    outcome: Outcome = "converted" if role == "spark" else "done"
    return grown, record(("tree", (start,)), role, begun, tally, outcome=outcome)


def prepare(engine: Engine, state: Any) -> None:
    """Compile the code for searches of such positions, so that no clock counts it."""
    engine.prepare(state, spread, uct.grow)


def grow_tree(engine: Engine, job: Job, scale: Scale, number: int, tally: Tally) -> Grown:
    """Grow tree `number` of a search, with its own seed and its share of the simulations.

    Adds the processor time of other threads to `tally`.

    Raises: RuleFailed.
    """
    algorithm = job.algorithm
    share, more = divmod(algorithm.simulations, algorithm.trees)
    simulations = share + (number < more)
    threads = min(algorithm.threads, max(1, simulations)) if engine.native else 1
    grown = Tree(engine, job, scale, threads, algorithm.memory)
    if job.made is not None:
        job.made[number] = grown.made
    stop = Stop(cancellation.current_scope())
    clock = threading.Timer(job.seconds, stop.set) if job.seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    stops = [s for s in (stop, job.stop) if s is not None]
    try:
        if engine.native:
            work = partial(grown.grow, simulations, number, stops)
            others = interruptible(work, stop, tally.spend)
            tally.cpu += others
        else:
            grown.grow(simulations, number, stops)
    except Exception as error:
        raise failed(job, error) from error
    finally:
        if clock is not None:
            clock.cancel()
    found = grown.result()
    if job.made is not None:
        job.made[number] = lambda: found.simulations  # this releases the memory of the tree
    return found
