"""Grow trees: the work of one task of a Monte Carlo search.

The scale of rewards maps values to whole numbers.  If plays are won or lost, a win counts 1 and a
loss -1.  If the game declares the range of its values, that is the scale, unless it is so much
wider than the values met that all moves would look alike.  Else random plays give a first scale,
which widens during the search.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple

from games import WIN, Game
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import is_terminal
from strategies.native.engine import Engine
from strategies.native.failures import failure_below, raise_failure
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.mcts_tree import copy_subtree
from strategies.native.kernels.rollout import LONGEST_PLAY, spread
from strategies.native.memory.cells import Stop, cells
from strategies.running.records.record import Outcome, Record, Role, Tally, now, record
from strategies.running.runtime import cancellation
from strategies.running.runtime.aside import interruptible
from strategies.searches.monte_carlo.counted import Scale
from strategies.searches.monte_carlo.job import Job, kernel_of, plies_of
from strategies.searches.monte_carlo.tree import Grown, Share, Tree

SAMPLING: Final = 0.25
"""The part of the time after which interpreted rules are no longer sampled for a scale."""


class Trees(NamedTuple):
    """The trees of one task."""

    grown: tuple[Grown, ...]
    records: tuple[Record, ...]
    """The record of the task, then those of the threads that joined it."""
    span: float
    """The seconds of the longest chain of tasks that ends with it."""


def grow_trees(job: Job, role: Role, start: int, stop: int, *after: Trees) -> Trees:
    """Grow the trees of one task, one after the other, when the results `after` are known."""
    engine = engine_for(job.game, job.engine)
    prepare(engine, job)
    begun = now()
    tally = Tally()
    grown: tuple[Grown, ...] = ()
    for number in range(start, stop):
        known = grown[0].scale if grown else None
        grown = (*grown, grow_tree(engine, job, known, number, tally))
    tally.add(sum(t.nodes for t in grown), sum(t.simulations for t in grown))
    tally.add(-sum(r.nodes for r in tally.joins), -sum(r.leaves for r in tally.joins))
    outcome: Outcome = "converted" if role == "spark" else "done"
    task = record(("tree", (start,)), role, begun, tally, outcome=outcome)
    joins = (r._replace(worker=task.worker + r.worker) for r in tally.joins)
    span = max((a.span for a in after), default=0.0) + task.seconds
    return Trees(grown, (task, *joins), span)


def prepare(engine: Engine, job: Job) -> None:
    """Compile the code for searches of such positions, so that no clock counts it."""
    copying = (copy_subtree,) if job.algorithm.reuse else ()
    engine.prepare(job.state, spread, kernel_of(job.algorithm), *copying)


def grow_tree(engine: Engine, job: Job, scale: Scale | None, number: int, tally: Tally) -> Grown:
    """Grow tree `number` of a search, with its own seed and its share of the simulations.

    Without a `scale`, the rewards get one first, within the limit of time.
    Adds to `tally` the record of each further thread; its worker is only ``+`` and a number.

    Raises: RuleFailed.
    """
    algorithm = job.algorithm
    share, more = divmod(algorithm.simulations, algorithm.trees)
    simulations = share + (number < more)
    if is_terminal(job.game, job.state):
        simulations = min(1, simulations)
    threads = min(algorithm.threads, max(1, simulations)) if engine.native else 1
    stop, clock = Stop(cancellation.scope_of_task()), None
    sampling = Stop(stop)
    stops = [stop] if job.stop is None else [stop, job.stop]
    if job.seconds is not None:
        stop.deadline = monotonic() + job.seconds
        sampling.deadline = stop.deadline - job.seconds * (1 - SAMPLING)
        clock = threading.Timer(job.seconds, stop.set)
        clock.daemon = True
        clock.start()
    try:
        kept = job.kept[number] if job.kept else None
        scale = kept.scale if kept else scale or scale_of(engine, job, sampling, *stops)
        grown = Tree(engine, job, scale, threads, algorithm.memory)
        if kept is not None:
            grown.adopt(kept)
        if job.made is not None:
            job.made[number] = grown.made
        if engine.native:
            work = partial(grown.grow, simulations, number, stops)
            shares = interruptible(work, stop, tally.spend)
            tally.joins += (joined(number, k, s) for k, s in enumerate(shares, 1))
        else:
            grown.grow(simulations, number, stops)
    except Exception as error:
        raise_failure(failure_below(job.game, job.state, error), error)
    finally:
        if clock is not None:
            clock.cancel()
    found = grown.result()
    if job.made is not None:
        begun = grown.made()  # a few more than were made, but progress never goes back
        job.made[number] = lambda: begun  # this releases the memory of the tree
    return found


def joined(tree: int, thread: int, share: Share) -> Record:
    """Return the record of a further thread of a tree, which counts as a worker that joined."""
    done = Tally(share.nodes, share.simulations)
    begun, ended = share.begun, share.ended
    found = record(("join", (tree,)), "join", begun, done)
    return found._replace(end=ended.wall, cpu=ended.cpu - begun.cpu, worker=f"+{thread}")


PLAYS: Final = 32
"""The number of random plays that sample the range of values."""
LOOSE: Final = 1024
"""A declared range more than so many times as wide as that of the sample is not the scale."""


def decided(game: Game[Any, Any]) -> bool:
    """Return whether plays end with a win, a loss or a draw, as by the rules of `Game`."""
    return type(game).utility is Game.utility


def scale_of(engine: Engine, job: Job, *stops: Stop) -> Scale:
    """Return the range of values that the game declares, or a sample of it: the range of random
    rollouts from the position, of those made before one of `stops` is set.

    Raises: RuleFailed; AlgorithmError if random plays do not end.
    """
    plies = plies_of(job.algorithm)
    args = job.algorithm.seed, plies, job.algorithm.rollout == "policy", PLAYS
    try:
        with ExitStack() as stack:
            control = cells(1)
            for stop in stops:
                stack.enter_context(stop.watching(control))
            least, most, wins, endless = engine.call(spread, job.state, *args, control)
        least, most = float(least), float(most)  # rules may return something that is not a number
    except Exception as error:
        raise_failure(failure_below(job.game, job.state, error), error)
    if endless:
        raise AlgorithmError(
            f"random plays of {type(job.game).__name__} do not end within {LONGEST_PLAY:,} plies; "
            "use the estimate after fewer, as in mcts(rollout=100), or at once: rollout='estimate'"
        )
    known = job.game.value_range
    if wins or decided(job.game) or (known is not None and max(known) >= WIN):
        reach = 2.0 * max(abs(least), abs(most)) if least <= most else 0.0
        return Scale(-(reach or 1.0), reach or 1.0, True)
    if least > most:  # no time for a sample
        least = most = 0.0
    if known is not None and -WIN < known[0] < known[1] < WIN:
        low, high = map(float, known)
        if most == least or high - low <= LOOSE * (most - least):
            return Scale(low, high, False)
    return Scale(least, most if most > least else least + 1, False, adapts=True)
