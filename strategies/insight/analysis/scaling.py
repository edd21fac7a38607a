"""Measure how much independent searches slow each other down on this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, thread_time
from typing import Any, Final

from attrs import frozen

from games import NoEstimate
from games.failed import RuleFailed
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN
from strategies.insight.analysis.diagnosis.facts import SHORTEST
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.dispatch import search_position

DEEPEST_TRIED = 60
SAME: Final = 1.01
"""The greatest growth of a tree that is the same."""


@frozen
class Scaling:
    """The wall time of one search alone, and of the same search on several threads at once."""

    threads: int
    alone: float
    together: float

    @property
    def ratio(self) -> float:
        """Return the work done together divided by that of one thread alone: at best `threads`."""
        return self.threads * self.alone / self.together


def calibrate(engine: Engine, algorithm: Algorithm, state: Any, threads: int) -> Scaling:
    """Run one sequential search alone, then one on each thread at the same time.

    A search that is too short to measure is repeated, equally often alone and on each thread.  More
    threads than processors would take turns, so their time is reckoned from as many as there are
    processors.

    Requires: threads >= 1.
    Ensures: the threads share no data, so any loss is due to the machine (clock, caches, other
    programs), or to Python if the rules are interpreted.
    """
    times = 1
    while (alone := _alone(engine, algorithm, state, times)) < SHORTEST:
        times = max(2 * times, int(times * SHORTEST / max(alone, 1e-6)))
    many = min(threads, os.cpu_count() or 1)
    together = _searches(engine, algorithm, state, many, times)[0]
    return Scaling(threads, alone, together * threads / many)


def _alone(engine: Engine, algorithm: Algorithm, state: Any, times: int) -> float:
    """Return the seconds of `times` searches: the smaller of two measurements if they are short."""
    seconds = _searches(engine, algorithm, state, 1, times)[0]
    if seconds < 10 * SHORTEST:
        seconds = min(seconds, _searches(engine, algorithm, state, 1, times)[0])
    return seconds


def _searches(
    engine: Engine, algorithm: Algorithm, state: Any, threads: int, times: int = 1
) -> tuple[float, float, int]:
    """Repeat a search on several threads; return the seconds until all had ended, and the processor
    seconds and the nodes of one of them.

    The caller's thread only waits, so that Ctrl-C reaches it.
    """
    stop = Stop()

    def search() -> tuple[float, int]:
        begun = thread_time()
        for _ in range(times):
            nodes = _nodes(engine, algorithm, state, stop)
        return thread_time() - begun, nodes

    start = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        try:
            found = [f.result() for f in [pool.submit(search) for _ in range(threads)]]
        except BaseException:
            stop.set()
            raise
    return perf_counter() - start, *found[0]


def _nodes(engine: Engine, algorithm: Algorithm, state: Any, stop: Stop) -> int:
    """Return the nodes of one sequential search by the algorithm, with its own table."""
    table = Table(algorithm.table) if algorithm.table else None
    found = search_position(algorithm, engine, state, algorithm.depth, OPEN, stop, table)
    if not found.finished:
        raise Stopped("the search was stopped")
    return found.nodes


def deepen(engine: Engine, algorithm: Algorithm, state: Any, limit: float) -> Algorithm:
    """Return the algorithm with the greatest depth that it searches in about `limit` seconds of
    processor time, on which other programs have little influence.

    Ensures: about the depth of the whole tree, if that takes less.  The growth to the next depth is
    estimated by that of two plies ago, because odd and even depths differ.
    """
    best = algorithm.at_depth(1)
    times: list[float] = []
    nodes: list[int] = []
    same = 0
    for depth in range(1, DEEPEST_TRIED):
        try:
            _, seconds, found = _searches(engine, algorithm.at_depth(depth), state, 1)
        except (NoEstimate, RuleFailed):  # this tree can only be searched to its leaves
            continue
        times.append(seconds)
        nodes.append(found)
        same = same + 1 if _is_whole(nodes, algorithm.iterates) else 0
        if same == 2:
            break
        best = best if same else algorithm.at_depth(depth)
        growth = times[-2] / times[-3] if len(times) > 2 else 1.0
        if times[-1] * growth > limit:
            break
    return best


def _is_whole(nodes: Sequence[int], iterates: bool) -> bool:
    """Return whether a depth more added next to no nodes, so that the tree is probably whole.

    A search that iterates visits the tree again for each depth, so what counts is what its last two
    iterations added.  Tables change the nodes a little from depth to depth.

    >>> _is_whole([10, 36, 163, 163], iterates=False), _is_whole([10, 36, 163], iterates=False)
    (True, False)
    >>> _is_whole([10, 30, 60, 90, 120, 150], iterates=True)
    True
    """
    if iterates:
        nodes = [b - a for a, b in zip(nodes, nodes[2:], strict=False)]
        nodes = nodes[-3::2]
    return len(nodes) > 1 and nodes[-1] <= SAME * nodes[-2]
