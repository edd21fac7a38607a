"""Calibration: how far two searches that share nothing get in each other's way on this machine."""

from __future__ import annotations

import threading
from time import perf_counter
from typing import Any

from attrs import frozen

from games import NoEstimate
from strategies.algorithms import Algorithm
from strategies.native import Engine, RuleFailed
from strategies.stopping import current

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

    Requires: threads >= 1.
    Ensures: the threads share no data, so what they lose is the machine's (clock, caches, other
    programs), or Python's where the rules are interpreted.
    """
    alone = _timed(engine, algorithm, state, 1)
    return Scaling(threads, alone, _timed(engine, algorithm, state, threads))


def _timed(engine: Engine, algorithm: Algorithm, state: Any, threads: int) -> float:
    stop = current()

    def search() -> None:
        engine.search(
            state, algorithm.depth,
            narrow=algorithm.narrows, nearer=algorithm.nearer_wins, stop=stop,
        )  # fmt: skip

    others = [threading.Thread(target=search, daemon=True) for _ in range(threads - 1)]
    start = perf_counter()
    for t in others:
        t.start()
    search()
    for t in others:
        t.join()
    return perf_counter() - start


def deepen(engine: Engine, algorithm: Algorithm, state: Any, limit: float) -> Algorithm:
    """The same algorithm, as deep as one can search in about `limit` seconds.

    Ensures: where the whole tree takes less, the depth that reaches all of it.  The time of the
    next depth is foretold from the growth at the last two, because odd and even depths differ.
    """
    best = algorithm.at_depth(1)
    times: list[float] = []
    nodes = same = 0
    for depth in range(1, DEEPEST_TRIED):
        start = perf_counter()
        try:
            found = engine.search(
                state, depth, narrow=algorithm.narrows, nearer=algorithm.nearer_wins,
                stop=current(),
            )  # fmt: skip
        except (NoEstimate, RuleFailed):  # a tree that may only be searched to its leaves
            continue
        times.append(perf_counter() - start)
        same = same + 1 if found.nodes == nodes else 0
        nodes = found.nodes
        if same == 2:
            break
        best = best if same else algorithm.at_depth(depth)
        growth = max((b / a for a, b in zip(times[-3:], times[-2:], strict=False)), default=1.0)
        if times[-1] * growth > limit:
            break
    return best
