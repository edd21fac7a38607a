"""Measure the overhead that this machine adds to tasks."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

import dask
from attrs import evolve

from games import ConnectFour, Game
from strategies.algebra.combinators import par_list
from strategies.algorithms.several_players import maxn
from strategies.algorithms.two_players import alphabeta
from strategies.insight.analysis.scaling import calibrate, deepen
from strategies.insight.analysis.simulation import Burden
from strategies.native.compiling import compiled_to
from strategies.native.kept_engines import engine_for
from strategies.running.plans.search_graph import graph

REPEAT = 5
LIGHT = 0.05
"""The length in seconds of the search that measures how workers slow each other down."""
THREADS = (None, "threads", "threading")
"""Schedulers whose workers are threads of one process."""

_known: dict[Any, Burden] = {}


def measured_burden(
    game: Game[Any, Any] | None = None, *, scheduler: str | None = None,
    workers: int | None = None, engine: str = "auto", fresh: bool = False,
) -> Burden:  # fmt: skip
    """Measure what this machine adds to a task, on graphs whose tasks do next to nothing.

    `task` and `dispatch` are the minima over several runs of such a graph, on one worker and on
    `workers`; `together` is the relative speed of that many independent searches of `game`.
    `workers` defaults to all cores, `scheduler` to the ordered scheduler.

    Cost: about a second, once per process for each game, scheduler and number of workers; `fresh`
    measures again.
    """
    cores = min(workers or os.cpu_count() or 1, os.cpu_count() or 1)
    game = game or ConnectFour()
    used = engine_for(game, engine).warm()
    known = type(game), repr(game), scheduler, cores, used.native
    if fresh or known not in _known:
        with compiled_to("measure what a task costs on this machine"):
            empty = _empty(scheduler, cores, "auto" if used.native else "interpreted")
        one = alphabeta(1) if game.players < 3 else maxn(1)
        light = deepen(used, one, game.start(), LIGHT)
        ratios = [calibrate(used, light, game.start(), cores).ratio for _ in range(REPEAT)]
        serial = not used.native and scheduler in THREADS
        together = 1.0 if serial else min(1.0, max(ratios) / cores)
        _known[known] = evolve(empty, together=together, cores=cores, serial=serial)
    return _known[known]


def _empty(scheduler: str | None, workers: int, engine: str) -> Burden:
    """Measure the cost of a task that has next to nothing to search."""
    answer = graph(ConnectFour(), alphabeta(3), using=par_list.to_ply(3), engine=engine)
    n = len(answer.tasks())
    alone: list[float] = []
    apart: list[float] = []
    with dask.config.set(scheduler=scheduler):
        for _ in range(REPEAT):
            start = perf_counter()
            result = answer.compute(num_workers=1)
            alone.append((perf_counter() - start - result.work) / n)
            start = perf_counter()
            answer.compute(num_workers=workers)
            apart.append((perf_counter() - start) / n)
    return Burden(task=max(0.0, min(alone)), dispatch=min(apart))
