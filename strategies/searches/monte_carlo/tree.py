"""The memory of one tree, the threads that grow it, and the statistics read from it.

The scale of rewards maps values to whole numbers.  If plays are won or lost, a win counts 1 and a
loss -1.  If the game declares the range of its values, that is the scale, unless it is so much
wider than the values met that all moves would look alike.  Else random plays give a first scale,
which widens during the search; a search that meets a value which this scale cannot hold begins
again with one that can.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from contextlib import ExitStack
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple

from attrs import frozen

from games import WIN, Game
from games.u64 import U64
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import is_terminal
from strategies.native.engine import Engine
from strategies.native.failures import failure_below, raise_failure
from strategies.native.hashing import GOLDEN, mix
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import mcts_tree as tree
from strategies.native.kernels.mcts_selection import ENTRIES, PUCT, UCB
from strategies.native.kernels.mcts_tree import copy_subtree
from strategies.native.kernels.rollout import LONGEST_PLAY, spread
from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import zeros
from strategies.running.records.record import Moment, Outcome, Record, Role, Tally, now, record
from strategies.running.runtime import cancellation
from strategies.running.runtime.aside import interruptible
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
        self.cells[tree.GREATEST] = scale.top
        self.controls = [self._control(number) for number in range(threads)]
        self.done = [0] * threads
        self.requested = self.carried = self.copied = self.far = 0

    def _control(self, number: int) -> Any:
        algorithm, learns = self.job.algorithm, self.job.algorithm.rave > 0
        control = cells(tree.CONTROL + 2 * ENTRIES * learns)
        extra = tree.SHAPE + self.plain * self.capacity
        counts = tree.SHAPE + self.capacity
        mine = counts + number * self.capacity
        settings = {
            tree.CAPACITY: self.capacity,
            tree.PROVES: int(self.job.game.players <= 2),
            tree.WON: self.scale.top,
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
        if not self.scale.decisive:
            most = SUMS // max(1, simulations + self.carried)
            self.far = min(tree.FAR, max(tree.ONE, most))
            for control in self.controls:
                control[tree.WON], control[tree.LOST] = self.far, -self.far
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
        """Make simulations in one thread; if a rule fails or a value has no place in the scale, the
        others end."""
        algorithm, scale, control = self.job.algorithm, self.scale, self.controls[thread]
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
                float(algorithm.rave), control, self.cells,
            )  # fmt: skip
        except Exception:
            self.end()
            raise
        if control[tree.OUTSIDE] != 0:
            self.end()

    def end(self) -> None:
        """Let no thread begin another simulation."""
        for control in self.controls:
            control[tree.STOP] = 1

    @property
    def outside(self) -> float | None:
        """Return a value that ended the search, as the scale cannot hold it; None if all fit."""
        found = (control[tree.OUTSIDE] for control in self.controls)
        return next((tree.proven_value(cell) for cell in found if cell != 0), None)

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


SUMS: Final = 1 << 61
"""The limit on a sum of rewards, which is an int of 64 bits."""
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
        while True:
            grown, shares = Tree(engine, job, scale, threads, algorithm.memory), list[Share]()
            if kept is not None:
                grown.adopt(kept)
            if job.made is not None:
                job.made[number] = grown.made
            if engine.native:
                work = partial(grown.grow, simulations, number, stops)
                shares = interruptible(work, stop, tally.spend)
            else:
                grown.grow(simulations, number, stops)
            if grown.outside is None or any(one.is_set for one in stops):
                break
            kept, scale = None, scale.holding(grown.outside, grown.far)
    except Exception as error:
        raise_failure(failure_below(job.game, job.state, error), error)
    finally:
        if clock is not None:
            clock.cancel()
    tally.joins += (joined(number, k, s) for k, s in enumerate(shares, 1))
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
        return Scale.with_wins(max(abs(least), abs(most)) if least <= most else 0.0)
    if least > most:  # no time for a sample
        least = most = 0.0
    if known is not None and -WIN < known[0] < known[1] < WIN:
        low, high = map(float, known)
        if most == least or high - low <= LOOSE * (most - least):
            return Scale(low, high, False)
    return Scale(least, most if most > least else least + 1, False, adapts=True)
