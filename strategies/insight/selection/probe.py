"""A probe: one shallow search under one strategy, and how much of its time was search."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from attrs import frozen

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.list_scheduling import schedule_recorded
from strategies.insight.analysis.overhead import FREE
from strategies.insight.analysis.recorded import in_a_row, joined
from strategies.running.plans.opening import MOST_TASKS, iterates, plan
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.search_run import SearchRun
from strategies.running.runtime import ordered_scheduler as runner


@frozen
class Probe:
    """The cost of a search; times are in seconds."""

    seconds: float
    """The time from the call to the answer, planning included."""
    work: float
    nodes: int
    tasks: int
    critical: float
    """The nodes that one worker searches, or waits for, until the answer is known."""


def run(
    game: Game[Any, Any], algorithm: Algorithm, state: Any, using: Strategy | Driver, engine: str,
    workers: int, most_tasks: int = MOST_TASKS,
) -> Probe:  # fmt: skip
    """Search on this machine with a number of workers, whatever scheduler is configured.

    Raises: PlanError, StrategyError, RuleFailed, NoEstimate.
    """
    start = perf_counter()
    answer = SearchGraph(plan(game, algorithm, using, state, engine=engine, most_tasks=most_tasks))
    p, critical = answer.plan, 0.0
    if isinstance(using, Driver) or iterates(p.request()):
        import dask

        with dask.config.set(scheduler=None):
            result = answer.compute(num_workers=workers)
        if isinstance(using, Driver):
            critical = max(r.nodes for r in result.records)
    else:
        graph = answer.tasks()
        result = runner.get(graph, answer.__dask_keys__()[0], num_workers=workers)
    seconds = perf_counter() - start
    if not critical:
        critical = _scheduled(answer, result, workers)
    return Probe(seconds, result.work, result.nodes, result.tasks, critical)


def _scheduled(answer: SearchGraph, result: SearchRun, workers: int) -> float:
    """Return the length in nodes of the run's tasks, scheduled on a number of workers."""
    if workers == 1 or len(result.records) == 1:
        return result.nodes
    if result.graphs:
        dag = in_a_row(result.graphs, result.records)
    else:
        dag = joined(answer.tasks(), result.records)
    nodes = [t.record.nodes if t.record else 0 for t in dag.tasks]
    placed = schedule_recorded([t.after for t in dag.tasks], nodes, workers, FREE)
    return max(p.end for p in placed)
