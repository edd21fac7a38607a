"""Choose a strategy for a search by a short probe.

For a solver, the choice is a rule: a proof to the end of a game has no shallower search that could
be probed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from attrs import field, frozen

from games import Game
from games.game import check_game
from graphs.arguments import check_kind
from strategies.algebra.combinators import (
    by_type,
    jamboree,
    par_list,
    par_list_chunk,
    pv_split,
    scout,
    young_brothers_wait,
)
from strategies.algebra.drivers import Auto, Driver, abdada
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm, check_algorithm
from strategies.algorithms.positions import start_of
from strategies.insight.selection.probe import Growth, grow, run
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.running.execution.dispatch import warm
from strategies.running.plans.grain import ENOUGH, MANY, TASKS
from strategies.running.plans.opening import iterates
from strategies.running.plans.plan import PlanError
from strategies.running.records.request import SearchRequest
from strategies.running.runtime.schedulers import chosen_scheduler, client_of
from strategies.support.printing import Printed, brief

SMALL = 0.02
"""Seconds. A shorter search is left to one worker."""
SHARE = 0.04
"""The share of the search's expected time under the best strategy so far that probing may take.
One strategy is always tried."""
SHARE_OF_ONE = 0.003
"""The share of the sequential search's expected time that a shallow search may take."""
at_all_nodes = by_type(
    pv=young_brothers_wait, cut=young_brothers_wait, all=par_list.live()
).everywhere
"""Young brothers wait, except at all-nodes, whose branches must all be searched anyway.  So the
longest chain of tasks grows by a constant with each ply; otherwise two plies would double it."""
FEW = 200
"""A plan of at most this many tasks may always be tried."""
TASK = 150e-6
"""The approximate seconds that a task of a probe takes, from planning to replay."""
JOINT = 1.1
"""The nodes that a few workers visit who make one search together, if one worker visits 1.  It was
1.06 for two workers in the mean of 70 random positions.  A probe is too small to measure it."""
CLEAR = 0.95
"""A strategy replaces one tried before only if it takes less than this share of its time."""


@frozen
class Tried:
    """One strategy, with the expected seconds of the search under it."""

    strategy: Strategy | Driver
    tasks: int
    expected: float


@frozen
class Choice(Printed):
    """The strategies that a probe tried, and the best of them; `print` it."""

    best: Strategy | Driver
    workers: int
    seconds: float
    """The duration of the probe."""
    depth: int | None
    """The depth of the probe's searches; None if there was nothing to probe."""
    tried: tuple[Tried, ...] = field(repr=False)
    """The strategies in the order in which they were tried, `seq` first."""

    __repr__ = brief

    def parts(self) -> list[str]:
        """Return the lines to print: the best strategy, and each that was tried."""
        wide = max((len(repr(t.strategy)) for t in self.tried), default=0)
        rows = [
            f"  {t.strategy!r:{wide}}  {t.tasks:6,} tasks  {t.expected:9.3g} s" for t in self.tried
        ]
        probe = f"chosen for {self.workers} workers in {self.seconds:.3g} s"
        depth = "" if self.depth is None else f", by searches to depth {self.depth}"
        return [f"{self.best}, {probe}{depth}", *rows]


def choose(
    wish: Auto, game: Game[Any, Any], algorithm: Algorithm, state: Any = None, engine: str = "auto"
) -> Choice:
    """Choose a strategy for a search by a short probe; `best` of the choice is a fixed expression.

    Cost: some 4 % of the time of the search, or some milliseconds.
    """
    check_kind(Auto, "auto(), or auto(workers=2)", wish=wish)
    game = kept_snapshot(check_game(game))
    check_algorithm(algorithm)
    workers = wish.workers or os.cpu_count() or 1
    state = start_of(game) if state is None else state
    used = engine_for(game, engine)
    warm(algorithm, used, state)
    start = perf_counter()
    growth = grow(game, algorithm, state, engine, SHARE_OF_ONE)
    if growth is None:
        return Choice(seq, workers, perf_counter() - start, None, ())
    tried = [Tried(seq, 1, growth.expected)]
    if growth.expected > SMALL:
        at_once = workers if used.native else 1
        on_cluster = client_of(chosen_scheduler(None)) is not None  # of several machines, perhaps
        if not on_cluster and joins(algorithm, workers, used.native):
            tried.append(Tried(seq.joined(), 1, growth.expected * JOINT / workers))
        for strategy in candidates(algorithm, workers, wish.drivers, used.native):
            fastest = min(t.expected for t in tried)
            left = start + SHARE * fastest - perf_counter()
            if len(tried) > 1 and left < growth.last.work:
                break
            try:
                shallow = algorithm.at_depth(growth.at)
                most = max(FEW, int(left / TASK))
                tried_as = strategy
                request = SearchRequest(game, algorithm, strategy, state)
                if isinstance(strategy, Strategy) and iterates(request):
                    part = growth.last.nodes // (TASKS * workers)  # as at full depth
                    tried_as = strategy.to_size(part)
                loaded = used.loaded
                ran = run(game, shallow, state, tried_as, engine, at_once, most)
                if used.loaded > loaded:  # its time includes that of compiling
                    ran = run(game, shallow, state, tried_as, engine, at_once, most)
            except (PlanError, StrategyError):  # too many tasks to try, or to be useful
                continue
            tried.append(Tried(strategy, ran.tasks, _deeper(ran.seconds, ran.critical, growth)))
    best = tried[0]
    for t in tried:
        best = t if t.expected < CLEAR * best.expected else best
    return Choice(best.strategy, workers, perf_counter() - start, growth.at, tuple(tried))


def _deeper(seconds: float, critical: float, growth: Growth) -> float:
    """Estimate the time of a run at full depth: its search grows, its overhead does not."""
    return seconds + (growth.times - 1) * critical * growth.rate


def joins(algorithm: Algorithm, workers: int, native: bool) -> bool:
    """Return whether a few workers may join each other's tasks, which needs a deepening search."""
    deepens = algorithm.narrows and algorithm.table and algorithm.iterates
    return bool(deepens) and native and 1 < workers < ENOUGH


def candidates(
    algorithm: Algorithm, workers: int, drivers: bool, native: bool = True
) -> Iterator[Strategy | Driver]:
    """Yield the candidates, the most promising first; `native` says whether rules are machine code.

    In a search that deepens, 2 to 7 workers are fastest if they join each other's tasks: they share
    small iterations, and do not wait for each other.  With more workers, tasks are divided instead.
    `seq.joined()` is not among them, because it is not probed.
    """
    if drivers and algorithm.narrows:
        yield abdada(workers)
    if not algorithm.narrows:
        yield from (par_list.to_ply(1), par_list.to_ply(2), par_list_chunk(4).to_ply(2))
        yield from (par_list_chunk(4).to_ply(3), par_list.to_ply(3))
        return
    if algorithm.table and algorithm.iterates:  # earlier iterations tell sizes
        brothers, variation = young_brothers_wait.everywhere, pv_split.everywhere
        if workers >= MANY:
            yield at_all_nodes
        if joins(algorithm, workers, native):
            yield from (brothers.joined(), variation)
        else:
            yield from (brothers, variation) if workers > 4 else (variation, brothers)
        yield from (scout.everywhere, jamboree(0.5).live().everywhere)
        return
    tests = by_type(pv=scout)
    yield tests.to_ply(8)
    few = (scout.to_ply(2), pv_split.to_ply(8), young_brothers_wait.to_ply(2))
    many = (scout.to_ply(3), young_brothers_wait.to_ply(3), jamboree(0.25).to_ply(3))
    yield from (*many, *few) if workers > 4 else (*few, *many)
    yield from (jamboree(0.5).to_ply(2), tests.to_ply(4), scout.to_ply(1))


@frozen
class ProofChoice:
    """How proofs are to be searched, and why; `print` it, or `explain` its `best`."""

    best: Strategy | Driver
    why: str

    def __str__(self) -> str:
        return f"{self.best}: {self.why}"


def choose_for_proofs(
    wish: Auto, *, native: bool = True, cluster_threads: int | None = None
) -> ProofChoice:
    """Choose how a solver's proofs are searched by the workers that it has.

    `native` says whether the rules are machine code; `cluster_threads` is the number of threads of
    the cluster, if a cluster searches the proofs.
    Ensures: `best` is a fixed expression; nothing is run.

    >>> from strategies import auto
    >>> print(choose_for_proofs(auto(workers=1)))
    seq: there is only one worker
    >>> print(choose_for_proofs(auto(workers=2, drivers=True)))
    abdada(workers=2): 2 threads of this machine search each proof together over one table
    >>> print(choose_for_proofs(auto(workers=8)))
    seq.joined(): 8 workers of this machine search each proof together
    """
    workers = cluster_threads or wish.workers or os.cpu_count() or 1
    if workers == 1:
        return ProofChoice(seq, "there is only one worker")
    if cluster_threads is None and not native:
        return ProofChoice(seq, "interpreted rules run in one thread at a time")
    if wish.drivers and cluster_threads is None:
        how = f"{workers} threads of this machine search each proof together over one table"
        return ProofChoice(abdada(workers), how)
    if cluster_threads is None:
        return ProofChoice(
            seq.joined(), f"{workers} workers of this machine search each proof together"
        )
    if workers >= MANY:
        how = f"tasks for {workers} workers; at all-nodes no brother waits, to keep them all busy"
        return ProofChoice(at_all_nodes, how)
    how = f"tasks for {workers} workers; a task is divided when a worker is idle"
    return ProofChoice(young_brothers_wait.everywhere, how)
