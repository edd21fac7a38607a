"""Calibration: how far two searches that share nothing get in each other's way on this machine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from attrs import frozen

from games import NoEstimate
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN
from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.native.engine import Engine
from strategies.native.errors import RuleFailed
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.dispatch import search_position

DEEPEST_TRIED = 60


@frozen
class Scaling:
    """One search alone, and the same search on several threads at once: seconds of wall time."""

    threads: int
    alone: float
    together: float

    @property
    def ratio(self) -> float:
        """How many times the work of one thread was done in the same time: at best `threads`."""
        return self.threads * self.alone / self.together


def calibrate(engine: Engine, algorithm: Algorithm, state: Any, threads: int) -> Scaling:
    """Runs one sequential search alone, then one on each thread at once.

    A search that is too short to be measured is made again and again, as often alone as by each.

    Requires: threads >= 1.
    Ensures: the threads share no data, so what they lose is the machine's (clock, caches, other
    programs), or Python's where the rules are interpreted.
    """
    times = 1
    while (alone := _alone(engine, algorithm, state, times)) < SHORTEST:
        times = max(2 * times, int(times * SHORTEST / max(alone, 1e-6)))
    return Scaling(threads, alone, _searches(engine, algorithm, state, threads, times)[1])


def _alone(engine: Engine, algorithm: Algorithm, state: Any, times: int) -> float:
    """Seconds of so many searches: the less of two, where one time slice could decide it."""
    seconds = _searches(engine, algorithm, state, 1, times)[1]
    if seconds < 10 * SHORTEST:
        seconds = min(seconds, _searches(engine, algorithm, state, 1, times)[1])
    return seconds


def _searches(
    engine: Engine, algorithm: Algorithm, state: Any, threads: int, times: int = 1
) -> tuple[int, float]:
    """The nodes of the same search, made so many times on each of so many threads, and the seconds
    until all had ended.

    Not in the caller's own thread: that one waits, so that Ctrl-C reaches it.
    """
    stop = Stop()

    def search() -> int:
        for _ in range(times - 1):
            _nodes(engine, algorithm, state, stop)
        return _nodes(engine, algorithm, state, stop)

    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        try:
            futures = [pool.submit(search) for _ in range(threads)]
            found = [f.result() for f in futures]
        except BaseException:
            stop.set()
            raise
    return found[0], perf_counter() - start


def _nodes(engine: Engine, algorithm: Algorithm, state: Any, stop: Stop) -> int:
    """The nodes of one search in order, by all that the algorithm says, with a table of its own."""
    table = Table(algorithm.table) if algorithm.table else None
    found = search_position(algorithm, engine, state, algorithm.depth, OPEN, stop, table)
    if not found.finished:
        raise Stopped("the search was stopped")
    return found.nodes


def deepen(engine: Engine, algorithm: Algorithm, state: Any, limit: float) -> Algorithm:
    """The same algorithm, as deep as one can search in about `limit` seconds.

    Ensures: where the whole tree takes less, the depth that reaches all of it.  The growth
    to the next depth is taken to be that of two plies ago, because odd and even depths differ.
    """
    best = algorithm.at_depth(1)
    times: list[float] = []
    nodes = same = 0
    for depth in range(1, DEEPEST_TRIED):
        try:
            found, seconds = _searches(engine, algorithm.at_depth(depth), state, 1)
        except (NoEstimate, RuleFailed):  # a tree that may only be searched to its leaves
            continue
        times.append(seconds)
        same = same + 1 if found == nodes else 0
        nodes = found
        if same == 2:
            break
        best = best if same else algorithm.at_depth(depth)
        growth = times[-2] / times[-3] if len(times) > 2 else 1.0
        if times[-1] * growth > limit:
            break
    return best
