"""Tune: find the best strategy for a number of workers, by simulation and by measurement."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from statistics import median
from time import perf_counter
from typing import Any

import dask
from attrs import evolve

from games import Game
from games.game import check_game
from graphs.arguments import (
    MOST_WORKERS,
    check_flags,
    check_integers,
    check_kind,
    check_progress,
    row_of,
)
from graphs.errors import ArgumentError
from graphs.limits import MOST_TASKS
from strategies.algebra.combinators import (
    by_type,
    jamboree,
    par_list,
    pv_split,
    scout,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm, check_algorithm
from strategies.algorithms.names import algorithm_of
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.simulate import processor_time, simulate
from strategies.insight.analysis.simulation import Burden, TooLong
from strategies.insight.selection.tuning import Trial, Tuning
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.running.plans.plan import PlanError
from strategies.running.plans.search_graph import SearchGraph, graph

POLICIES: tuple[Strategy, ...] = (
    young_brothers_wait, jamboree(0.25), jamboree(0.5), jamboree(0.75), par_list.live(), par_list,
    scout,
)  # fmt: skip
"""The policies that are tried at one ply and at two; the best of them are tried at more."""
LEFTMOST = pv_split.everywhere, by_type(pv=scout).to_ply(4), by_type(pv=scout).to_ply(8)
"""Strategies that spark only along the leftmost path, where more plies cost few tasks."""
DEEPER = (3, 4)
FINALISTS = 3
"""The number of policies that are tried at more plies, and of strategies that are measured."""
PLANNING = 20e-6
"""The least seconds that planning takes per task: no plan is made that would take longer than the
best run so far."""


def tune(
    game: Game[Any, Any], algorithm: Algorithm | str, *, workers: int, state: Any = None,
    candidates: Sequence[Strategy] | Strategy | None = None, burden: Burden | None = None,
    measure: bool | None = None, repeat: int = 3, engine: str = "auto",
    progress: Callable[[Trial], None] | None = None,
) -> Tuning:  # fmt: skip
    """Find the best strategy for one search on a number of workers.

    The algorithm may be text, such as ``"alphabeta(depth=8)"``.

    Each candidate is simulated (see `simulate`), and abandoned once it takes longer than the best
    so far.  If the machine has enough cores, the best few are then measured, unless `measure` is
    False.  Without `candidates`, policies are tried at one ply and at two, and the best of them at
    more plies.  `seq` is always among them.

    Requires: workers >= 1; `measure` only with as many cores.
    Ensures: `best` of the result is a fixed expression, which can be pasted into code.  With more
    workers than cores, all times are simulated: a prediction that assumes workers like these.
    Raises: AlgorithmError, StrategyError of a given candidate, ValueError.
    Cost: a sequential search for each of some twenty candidates; `progress` is called after each.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, jamboree
    >>> found = tune(HANDOUT_BIG, alphabeta(4), workers=8, candidates=[jamboree(0.5)])
    >>> [r.strategy for r in found.rows], found.best in (seq, jamboree(0.5))
    ([seq, jamboree(0.5)], True)
    """
    game = kept_snapshot(check_game(game))
    rule = algorithm_of(algorithm)
    check_algorithm(rule)
    check_integers(1, MOST_WORKERS, workers=workers, repeat=repeat)
    check_progress(progress)
    if measure is not None:
        check_flags(measure=measure)
    if burden is not None:
        check_kind(Burden, "a Burden, such as Burden(task=50e-6)", burden=burden)
    if isinstance(candidates, Strategy):
        candidates = (candidates,)
    elif candidates is not None:
        candidates = row_of("candidates", candidates, "strategies, as [par_list.to_ply(1)]")
    cores = os.cpu_count() or 1
    if measure and workers > cores:
        raise ArgumentError(
            f"{workers} workers cannot be measured on {cores} cores, only simulated: leave out "
            "measure=True"
        )
    engine_for(game, engine).warm()
    if burden is None:
        burden = measured_burden(game, engine=engine)
    tuner = _Tuner(game, rule, state, workers, burden, engine, progress)
    for s in (seq, young_brothers_wait.to_ply(1)):  # the first plans of a process take longer
        with suppress(PlanError, StrategyError):
            tuner.of(s).tasks()
    tuner.attempt(seq)
    for s in _staged(tuner) if candidates is None else candidates:
        tuner.attempt(s, given=candidates is not None)
    rows = list(tuner.rows.values())
    if measure or (measure is None and workers <= cores):
        rows = tuner.measured(rows, repeat)
    return Tuning(repr(tuner.of(seq)), workers, cores, burden, tuple(rows))


def _staged(tuner: _Tuner) -> Iterator[Strategy]:
    """Yield policies at one ply and at two, then the best of them at more plies."""
    for n in (1, 2):
        yield from (p.to_ply(n) for p in POLICIES)
    yield from LEFTMOST
    best = sorted(POLICIES, key=lambda p: tuner.expected(p.to_ply(2)))
    for p in best[:FINALISTS]:
        for n in DEEPER:
            if tuner.expected(p.to_ply(n - 1)) < inf and n < tuner.algorithm.depth:
                yield p.to_ply(n)


def _worth(best: float) -> int:
    """Return the most tasks of a plan that could still be better than `best` seconds."""
    return MOST_TASKS if best == inf else min(MOST_TASKS, max(1_000, int(best / PLANNING)))


class _Tuner:
    def __init__(
        self, game: Game[Any, Any], algorithm: Algorithm, state: Any, workers: int, burden: Burden,
        engine: str, progress: Callable[[Trial], None] | None,
    ) -> None:  # fmt: skip
        self.game, self.algorithm, self.state = game, algorithm, state
        self.workers, self.burden, self.engine = workers, burden, engine
        self.progress = progress
        self.rows: dict[Strategy, Trial] = {}

    def of(self, strategy: Strategy, most: int = MOST_TASKS) -> SearchGraph:
        """Return the search under a strategy."""
        return graph(
            self.game, self.algorithm, state=self.state, using=strategy, engine=self.engine,
            most_tasks=most,
        )  # fmt: skip

    def expected(self, strategy: Strategy) -> float:
        """Return the expected seconds under a strategy; infinite if unknown."""
        row = self.rows.get(strategy)
        return inf if row is None or row.expected is None else row.expected

    def attempt(self, strategy: Strategy, given: bool = False) -> None:
        """Simulate a strategy once; errors are ignored unless the caller has `given` it."""
        if strategy in self.rows:
            return
        best = min(map(self.expected, self.rows), default=inf)
        start = processor_time()  # that of the simulated tasks: other programs count in neither
        try:
            answer = self.of(strategy, MOST_TASKS if given else _worth(best))
            tasks = len(answer.tasks())
        except (PlanError, StrategyError):
            if given:
                raise
            return
        planning = processor_time() - start
        answer.warm()
        try:
            s = simulate(answer, self.workers, self.burden, limit=max(0.0, best - planning))
        except TooLong:
            row = Trial(strategy, self.workers, tasks, planning, None, None, None, None)
        else:
            r = s.result
            row = Trial(
                strategy, self.workers, tasks, planning, s.seconds, r.nodes, r.parallelism, None
            )
        self.rows[strategy] = row
        if self.progress:
            self.progress(row)

    def measured(self, rows: list[Trial], repeat: int) -> list[Trial]:
        """Return the rows after measuring the best of them, and `seq`, in turns."""
        judged = sorted((r for r in rows if r.expected), key=lambda r: r.expected or 0.0)
        chosen = {seq, *(r.strategy for r in judged[:FINALISTS])}
        times: dict[Strategy, list[float]] = {s: [] for s in chosen}
        with dask.config.set(scheduler=None):
            for _ in range(repeat):
                for r in rows:
                    if r.strategy in chosen:
                        start = perf_counter()
                        self.of(r.strategy).compute(num_workers=self.workers)
                        times[r.strategy].append(perf_counter() - start)
        return [
            evolve(r, measured=median(times[r.strategy])) if r.strategy in chosen else r
            for r in rows
        ]
