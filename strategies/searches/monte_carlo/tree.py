"""The memory of one tree, the threads that grow it, and the statistics read from it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

from attrs import frozen

from games import WIN
from games.u64 import U64
from strategies.native.engine import Engine
from strategies.native.hooks import mix
from strategies.native.kernels import mcts_tree as tree
from strategies.native.kernels import uct
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.transposition_table import zeros
from strategies.running.records.record import Moment, now
from strategies.searches.monte_carlo.job import Job, guided, plies_of
from strategies.searches.monte_carlo.rewards import Scale


class Share(NamedTuple):
    """What one of several threads did for a tree."""

    begun: Moment
    ended: Moment
    nodes: int
    simulations: int


@frozen
class Grown:
    """A grown tree: the visits, rewards and proven value, if any, of each branch of the root.

    Rewards are those of the player who moves at the root.
    """

    visits: tuple[int, ...]
    rewards: tuple[int, ...]
    proven: tuple[float | None, ...]
    lines: tuple[tuple[int, ...], ...]
    """The most visited line below each branch."""
    value: float | None
    """The value of the root, if it is proven."""
    scale: Scale
    simulations: int
    nodes: int
    depth: int
    plies: int
    full: bool


class Tree:
    """The memory of one tree, and the threads that grow it."""

    def __init__(self, engine: Engine, job: Job, scale: Scale, threads: int, size: int) -> None:
        self.engine, self.job, self.scale, self.threads = engine, job, scale, threads
        regions = 2 if threads == 1 else 1 + 2 * threads
        least = 8 * (tree.SHAPE + regions * 2 * tree.CHUNK)
        self.memory = zeros(max(size, least))
        count = len(self.memory) // 8
        self.cells = (ctypes.c_int64 * count).from_buffer(self.memory)
        self.capacity = (count - tree.SHAPE) // regions // 8 * 8
        self.cells[tree.USED] = 8
        self.cells[tree.MOST] = scale.top
        self.controls = [self._control(number) for number in range(threads)]
        self.done = [0] * threads
        self.requested = 0

    def _control(self, number: int) -> Any:
        control = cells(tree.CONTROL)
        counts = tree.SHAPE + self.capacity
        mine = counts + number * self.capacity
        settings = {
            tree.CAPACITY: self.capacity,
            tree.PROVES: int(self.job.game.players <= 2),
            tree.WON: tree.ONE if self.scale.decisive else tree.FAR,
            tree.LOST: 0 if self.scale.decisive else -tree.FAR,
            tree.SUM: self.scale.top,
            tree.ADAPTS: int(self.scale.adapts),
            tree.THREADS: self.threads,
            tree.COUNTS: counts,
            tree.MINE: mine,
            tree.VIEW: mine if self.threads == 1 else mine + self.threads * self.capacity,
        }
        for cell, value in settings.items():
            control[cell] = value
        return control

    def made(self) -> int:
        """Return the number of simulations begun so far."""
        return min(self.cells[tree.TAKEN], self.requested)

    def grow(self, simulations: int, number: int, stops: list[Stop]) -> list[Share]:
        """Make the simulations until one of `stops` is set.

        Returns: what each thread other than this one did.
        """
        self.requested = simulations
        with ExitStack() as stack:
            for stop in stops:
                for control in self.controls:
                    stack.enter_context(stop.watching(control))
            seeds = (number * self.threads + k for k in range(self.threads))
            times = _together([self._work(k, simulations, seed) for k, seed in enumerate(seeds)])
        nodes = (control[tree.NODES] for control in self.controls[1:])
        return [Share(*t, n, d) for t, n, d in zip(times, nodes, self.done[1:], strict=True)]

    def _work(self, thread: int, simulations: int, seed: int) -> Callable[[], None]:
        algorithm, scale = self.job.algorithm, self.scale
        known = self.job.game.value_range
        least, most = known if known is not None else (-float(WIN), float(WIN))
        word = int(mix(mix(U64(algorithm.seed)) + seed) >> 1)

        def work() -> None:
            try:
                self.done[thread] = self.engine.call(
                    uct.grow, self.job.state, simulations, word, plies_of(algorithm),
                    guided(algorithm), algorithm.rollouts, algorithm.allocate == "uniform",
                    algorithm.c / 2, float(scale.low), scale.factor, float(max(least, -WIN)),
                    float(min(most, WIN)), self.controls[thread], self.cells,
                )  # fmt: skip
            except Exception:
                for control in self.controls:
                    control[tree.STOP] = 1
                raise

        return work

    def result(self) -> Grown:
        """Return the statistics of the root's branches."""
        branches = self._children(tree.ROOT)
        return Grown(
            visits=tuple(self._sum(n, tree.VISITS) for n in branches),
            rewards=tuple(self._sum(n, tree.TOTAL) for n in branches),
            proven=tuple(self._known(n) for n in branches),
            lines=tuple(tuple(self._line(n)) for n in branches),
            value=self._known(tree.ROOT),
            scale=self.scale,
            simulations=sum(self.done),
            nodes=1 + sum(c[tree.NODES] for c in self.controls),
            depth=max(c[tree.DEEPEST] for c in self.controls),
            plies=sum(c[tree.PLIES] for c in self.controls),
            full=any(c[tree.FULL] for c in self.controls),
        )

    def _children(self, node: int) -> range:
        first, count = divmod(self.cells[tree.LINKS + node], tree.BRANCHES)
        return range(first, first + tree.NODE * count, tree.NODE) if first else range(0)

    def _sum(self, node: int, cell: int) -> int:
        start = self.controls[0][tree.COUNTS] + node + cell
        return sum(self.cells[start + k * self.capacity] for k in range(self.threads))

    def _known(self, node: int) -> float | None:
        bits = self.cells[tree.KNOWN + node]
        return tree.proven_value(bits) if bits else None

    def _line(self, node: int) -> list[int]:
        line = []
        while branches := self._children(node):
            visits = [self._sum(n, tree.VISITS) for n in branches]
            if not any(visits):
                break
            line.append(visits.index(max(visits)))
            node = branches[line[-1]]
        return line


def _together(works: list[Callable[[], None]]) -> list[tuple[Moment, Moment]]:
    """Run all works at once, all but the first in new threads.

    Returns: when each of the new threads began and ended.
    Raises: what one of the works raises.
    """
    failed: list[BaseException] = []
    times: dict[int, tuple[Moment, Moment]] = {}

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    def run_here(number: int) -> None:
        begun = now()
        run(works[number])
        times[number] = begun, now()

    numbers = range(1, len(works))
    threads = [threading.Thread(target=run_here, args=(n,), daemon=True) for n in numbers]
    for t in threads:
        t.start()
    run(works[0])
    for t in threads:
        t.join()
    if failed:
        raise failed[0]
    return [times[n] for n in numbers]
