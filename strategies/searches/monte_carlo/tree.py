"""The memory of one tree, the threads that grow it, and the statistics read from it."""

from __future__ import annotations

import ctypes
from collections import deque
from contextlib import ExitStack
from typing import Any, NamedTuple

from attrs import frozen

from games import WIN
from games.u64 import U64
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.engine import Engine
from strategies.native.hooks import GOLDEN, mix
from strategies.native.kernels import mcts_tree as tree
from strategies.native.kernels.mcts_selection import ENTRIES, PUCT, UCB
from strategies.native.kernels.mcts_tree import copy_subtree
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import zeros
from strategies.running.records.record import Moment, now
from strategies.running.runtime.together import threads, together
from strategies.searches.monte_carlo.counted import Branches, Counted, Path, Scale
from strategies.searches.monte_carlo.job import Job, Kept, extra_regions, kernel_of, plies_of


class Share(NamedTuple):
    """What one of several threads did for a tree."""

    begun: Moment
    ended: Moment
    nodes: int
    simulations: int


@frozen
class Grown:
    """A grown tree: its statistics, where rewards are those of the player who moves."""

    top: dict[Path, Branches]
    """The branches of the most visited positions, by the branches to them; `()` is the root."""
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
    carried: int = 0
    """The visits that the root had before this search."""
    kept: Kept | None = None


class Tree:
    """The memory of one tree, and the threads that grow it."""

    def __init__(self, engine: Engine, job: Job, scale: Scale, threads: int, size: int) -> None:
        self.engine, self.job, self.scale, self.threads = engine, job, scale, threads
        self.extra = extra_regions(job)
        self.plain = 2 if threads == 1 else 1 + 2 * threads
        regions = self.plain + self.extra
        halves = tree.NODE * regions + threads  # the gaps have a cell a node
        least = 8 * (tree.SHAPE + halves * tree.CHUNK)
        self.memory = zeros(max(size, least))
        count = len(self.memory) // 8
        self.cells = (ctypes.c_int64 * count).from_buffer(self.memory)
        self.capacity = (count - tree.SHAPE) // halves * tree.NODE // 16 * 16
        self.gaps = tree.SHAPE + regions * self.capacity
        self.cells[tree.USED] = 8
        self.cells[tree.MOST] = scale.top
        self.controls = [self._control(number) for number in range(threads)]
        self.done = [0] * threads
        self.requested = self.carried = self.copied = 0

    def _control(self, number: int) -> Any:
        algorithm, learns = self.job.algorithm, self.job.algorithm.rave > 0
        control = cells(tree.CONTROL + 2 * ENTRIES * learns)
        extra = tree.SHAPE + self.plain * self.capacity
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
            tree.GAPS: self.gaps + number * self.capacity // tree.NODE,
            tree.SELECTS: algorithm.guided * (PUCT if algorithm.allocate == "puct" else UCB),
            tree.GUIDES: extra if self.extra else 0,
            tree.AMAF: extra + self.capacity if learns else 0,
            tree.NOTES: tree.CONTROL if learns else 0,
        }
        for cell, value in settings.items():
            control[cell] = value
        return control

    @property
    def counted(self) -> Counted:
        """Return the statistics of this tree."""
        counts, gaps = self.controls[0][tree.COUNTS], self.gaps
        return Counted.of(self.cells, counts, gaps, self.capacity, self.threads)

    def adopt(self, kept: Kept) -> None:
        """Begin with a copy of a tree.

        Requires: this tree is empty.
        """
        source = kept.source  # named, so that it outlasts the call, which passes its address
        self.copied = self.engine.call(
            copy_subtree, self.job.state, kept.root, kept.threads, self.threads, self.extra,
            kept.stride, self.capacity, source, self.cells,
        )  # fmt: skip
        self.carried = self.counted.visits(tree.ROOT)

    def keep(self) -> Kept:
        """Return a copy of this tree as plain data."""
        used, regions = self.cells[tree.USED], [*range(1 + self.threads)]
        regions += range(self.plain, self.plain + self.extra)
        parts = [(tree.SHAPE + region * self.capacity, used) for region in regions]
        parts += [(c[tree.GAPS], used // tree.NODE) for c in self.controls]
        kept = (self.memory[8 * start : 8 * (start + cells)] for start, cells in parts)
        whole = b"".join([self.memory[: 8 * tree.SHAPE], *kept])
        return Kept(whole, self.threads, self.extra, self.scale)

    def made(self) -> int:
        """Return the number of simulations begun so far."""
        return min(self.cells[tree.TAKEN], self.requested)

    def grow(self, simulations: int, number: int, stops: list[Stop]) -> list[Share]:
        """Make the simulations until one of `stops` is set.

        Returns: what each thread other than this one did.
        """
        self.requested = simulations
        shares: dict[int, Share] = {}
        others = deque(range(1, self.threads))

        def work(thread: int) -> bool:
            begun = now()
            self._grow(thread, simulations, number * self.threads + thread)
            nodes = self.controls[thread][tree.NODES]
            shares[thread] = Share(begun, now(), nodes, self.done[thread])
            return True

        with ExitStack() as stack:
            for stop in stops:
                for control in self.controls:
                    stack.enter_context(stop.watching(control))
            help = threads(len(others))
            together(lambda _: work(0), Stop(), help, lambda _: work(others.popleft()))
        return [shares[thread] for thread in range(1, self.threads)]

    def _grow(self, thread: int, simulations: int, seed: int) -> None:
        """Make simulations in one thread; if a rule fails, the others end."""
        algorithm, scale = self.job.algorithm, self.scale
        known = self.job.game.value_range
        least, most = known if known is not None else (-float(WIN), float(WIN))
        first = mix(U64(algorithm.seed)) + U64(self.carried) * GOLDEN
        word = int(mix(first + seed) >> 1)
        try:
            self.done[thread] = self.engine.call(
                kernel_of(algorithm), self.job.state, simulations, word, plies_of(algorithm),
                algorithm.rollout == "policy", algorithm.rollouts,
                algorithm.allocate == "uniform", algorithm.c / 2, float(scale.low), scale.factor,
                float(max(least, -WIN)), float(min(most, WIN)), urgency(algorithm),
                float(algorithm.rave), self.controls[thread], self.cells,
            )  # fmt: skip
        except Exception:
            for control in self.controls:
                control[tree.STOP] = 1
            raise

    def result(self) -> Grown:
        """Return the statistics of the root's branches."""
        counted = self.counted
        return Grown(
            top=counted.top(),
            lines=tuple(map(counted.line, counted.nodes(tree.ROOT))),
            value=counted.known(tree.ROOT),
            scale=self.scale,
            simulations=sum(self.done),
            nodes=max(1, self.copied) + sum(c[tree.NODES] for c in self.controls),
            depth=max(c[tree.DEEPEST] for c in self.controls),
            plies=sum(c[tree.PLIES] for c in self.controls),
            full=any(c[tree.FULL] for c in self.controls),
            carried=self.carried,
            kept=self.keep() if self.job.algorithm.reuse else None,
        )


def urgency(algorithm: MonteCarlo) -> float:
    """Return the mean reward that a branch without visits counts as, from 0 to 1: that of `fpu`."""
    if algorithm.fpu is not None:
        return (float(algorithm.fpu) + 1) / 2
    return 0.5 if algorithm.allocate == "puct" else INFINITY
