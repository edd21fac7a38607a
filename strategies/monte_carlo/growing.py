"""Growing trees: what one task of a Monte Carlo search does."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any, Final

from attrs import frozen

from games import WIN, Game
from games.words import U64
from strategies import stopping
from strategies.monte_carlo.algorithm import MonteCarlo
from strategies.native import Engine, RuleFailed, Stop, engine_for, tree, uct
from strategies.native.cells import cells
from strategies.native.failures import failure_at
from strategies.native.hooks import mix
from strategies.native.rollouts import LONGEST_PLAY, spread
from strategies.native.table import zeros
from strategies.records import Record, Role, Tally, record

PLAYS: Final = 32
"""Random plays that tell in which range values lie."""


@frozen
class Scale:
    """How values of a game become rewards: `low` counts 0, `high` counts `tree.ONE`."""

    low: float
    high: float
    decisive: bool
    """Whether there are wins and losses; then a loss counts 0 and a win `tree.ONE`."""

    @property
    def factor(self) -> float:
        """The reward of one unit of value."""
        return tree.ONE / (self.high - self.low)

    def value(self, mean: float) -> float:
        """A mean reward, from 0 to 1, as a value: a win counts 1, a loss -1, if there are any."""
        return 2 * mean - 1 if self.decisive else self.low + mean * (self.high - self.low)


@frozen
class Job:
    """What the tasks of a search have in common."""

    game: Game[Any, Any]
    state: Any
    algorithm: MonteCarlo
    engine: str = "auto"
    seconds: float | None = None
    """The limit of a search; in its tasks, of each tree."""
    stop: Stop | None = None
    """Ends all trees, where the search runs in this process."""
    made: dict[int, Callable[[], int]] | None = None
    """There, how many simulations each tree has made."""


@frozen
class Grown:
    """A tree: for each branch of the root its visits, its rewards, and its value if it is proven.

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


def scale_of(engine: Engine, job: Job) -> Scale:
    """The range of the values that random plays from the position end with.

    Raises: RuleFailed.
    """
    plies = plies_of(job.algorithm)
    args = job.algorithm.seed, plies, guided(job.algorithm), PLAYS
    try:
        least, most, wins = engine.call(spread, job.state, *args)
    except Exception as error:
        raise _failed(job, error) from error
    known = job.game.value_range
    if wins or (known is not None and max(known) >= WIN):
        reach = 2.0 * max(abs(least), abs(most)) if least <= most else 0.0
        return Scale(-(reach or 1.0), reach or 1.0, True)
    return Scale(float(least), float(most if most > least else least + 1), False)


def plies_of(algorithm: MonteCarlo) -> int:
    """The random plies from a leaf."""
    rollout = algorithm.rollout
    if isinstance(rollout, str):
        return 0 if rollout == "estimate" else LONGEST_PLAY
    return min(rollout, LONGEST_PLAY)


def guided(algorithm: MonteCarlo) -> bool:
    """Whether plays are drawn from the game's `rollout_moves`."""
    return algorithm.rollout == "policy"


def grow_trees(
    job: Job, start: int, stop: int, role: Role, *after: Any
) -> tuple[tuple[Grown, ...], Record]:
    """The trees of one task, one after the other; `after` is what had to be done before."""
    engine = engine_for(job.game, job.engine)
    prepare(engine, job)
    scale = scale_of(engine, job)
    begun = perf_counter()
    grown = tuple(grow_tree(engine, job, scale, number) for number in range(start, stop))
    tally = Tally()
    tally.add(sum(t.nodes for t in grown), sum(t.simulations for t in grown))
    outcome = "converted" if role == "spark" else "done"
    return grown, record(("tree", (start,)), role, begun, tally, outcome=outcome)  # type: ignore[arg-type]


def prepare(engine: Engine, job: Job) -> None:
    """Compiles what a task calls, so that no clock counts it."""
    engine.prepare(job.state, spread, uct.grow)


def grow_tree(engine: Engine, job: Job, scale: Scale, number: int) -> Grown:
    """Tree `number` of a search: from its own seed, with its share of the simulations.

    Raises: RuleFailed.
    """
    algorithm = job.algorithm
    share, more = divmod(algorithm.simulations, algorithm.trees)
    simulations = share + (number < more)
    threads = min(algorithm.threads, max(1, simulations)) if engine.native else 1
    grown = _Tree(engine, job, scale, threads, algorithm.memory)
    if job.made is not None:
        job.made[number] = grown.made
    stop = Stop(stopping.current())
    clock = threading.Timer(job.seconds, stop.set) if job.seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    try:
        grown.grow(simulations, number, [s for s in (stop, job.stop) if s is not None])
    except Exception as error:
        raise _failed(job, error) from error
    finally:
        if clock is not None:
            clock.cancel()
    found = grown.result()
    if job.made is not None:
        job.made[number] = lambda: found.simulations  # and the memory of the tree is let go
    return found


def _failed(job: Job, error: Exception) -> Exception:
    """A failure of a rule, told."""
    found = failure_at(job.game, job.state, error)
    if isinstance(found, RuleFailed):
        return found
    return RuleFailed("a play", (), job.state, f"{type(error).__name__}: {error}")


class _Tree:
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
        self.controls = [self._control(number) for number in range(threads)]
        self.done = [0] * threads
        self.asked = 0

    def _control(self, number: int) -> Any:
        control = cells(tree.CONTROL)
        counts = tree.SHAPE + self.capacity
        mine = counts + number * self.capacity
        settings = {
            tree.CAPACITY: self.capacity,
            tree.PROVES: int(self.job.game.players <= 2),
            tree.WON: tree.ONE if self.scale.decisive else tree.FAR,
            tree.LOST: 0 if self.scale.decisive else -tree.FAR,
            tree.THREADS: self.threads,
            tree.COUNTS: counts,
            tree.MINE: mine,
            tree.VIEW: mine if self.threads == 1 else mine + self.threads * self.capacity,
        }
        for cell, value in settings.items():
            control[cell] = value
        return control

    def made(self) -> int:
        """How many simulations were begun so far."""
        return min(self.cells[tree.TAKEN], self.asked)

    def grow(self, simulations: int, number: int, stops: list[Stop]) -> None:
        """Make the simulations, unless one of `stops` is set."""
        self.asked = simulations
        with ExitStack() as stack:
            for stop in stops:
                for control in self.controls:
                    stack.enter_context(stop.watching(control))
            seeds = (number * self.threads + k for k in range(self.threads))
            _together([self._work(k, simulations, seed) for k, seed in enumerate(seeds)])

    def _work(self, thread: int, simulations: int, seed: int) -> Callable[[], None]:
        algorithm, scale = self.job.algorithm, self.scale
        known = self.job.game.value_range
        least, most = known if known is not None else (-float(WIN), float(WIN))
        word = int(mix(mix(U64(algorithm.seed)) + seed) >> 1)

        def work() -> None:
            self.done[thread] = self.engine.call(
                uct.grow, self.job.state, simulations, word, plies_of(algorithm),
                guided(algorithm), algorithm.rollouts, algorithm.allocate == "uniform",
                algorithm.c / 2, float(scale.low), scale.factor, float(max(least, -WIN)),
                float(min(most, WIN)), self.controls[thread], self.cells,
            )  # fmt: skip

        return work

    def result(self) -> Grown:
        """What the tree says of the branches of the root."""
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
        return tree.value_in(bits) if bits else None

    def _line(self, node: int) -> list[int]:
        line = []
        while branches := self._children(node):
            visits = [self._sum(n, tree.VISITS) for n in branches]
            if not any(visits):
                break
            line.append(visits.index(max(visits)))
            node = branches[line[-1]]
        return line


def _together(works: list[Callable[[], None]]) -> None:
    """Runs all, each but the first in a thread of its own; raises what one of them raises."""
    failed: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(w,), daemon=True) for w in works[1:]]
    for t in threads:
        t.start()
    guarded(works[0])
    for t in threads:
        t.join()
    if failed:
        raise failed[0]
