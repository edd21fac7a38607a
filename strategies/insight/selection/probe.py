"""A probe: one shallow search under one strategy; the time of deeper ones that it lets expect."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from attrs import frozen

from games import Game, NoEstimate
from games.failed import RuleFailed
from graphs.limits import MOST_TASKS
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.recorded import in_a_row, joined
from strategies.insight.analysis.simulation import FREE, schedule_recorded
from strategies.running.plans.opening import iterates, plan
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


STEADY = 1e-3
"""Seconds. A shorter search cannot be measured well, but costs next to nothing."""


@frozen
class Growth:
    """Sequential searches to smaller depths, all odd or all even like the target depth."""

    depth: int
    """The target depth: that of the search whose time is estimated."""
    runs: tuple[tuple[int, Probe], ...]
    """The depths and runs, at least one, in order of depth."""

    @property
    def last(self) -> Probe:
        """Return the deepest run."""
        return self.runs[-1][1]

    @property
    def at(self) -> int:
        """Return the depth of the deepest run."""
        return self.runs[-1][0]

    @property
    def rate(self) -> float:
        """Return the seconds per node."""
        return self.last.work / max(1, self.last.nodes)

    @property
    def step(self) -> float:
        """Return how many times as many nodes two plies more take.

        It is the mean of the last two steps, because a single one may be far off; the first step is
        left out, because it is by far the largest.  Odd and even depths are not compared.
        """
        nodes = [run.nodes for _, run in self.runs[1:][-3:]]
        if len(nodes) < 2:
            nodes = [run.nodes for _, run in self.runs]
        steps = len(nodes) - 1
        return float((nodes[-1] / nodes[0]) ** (1 / steps)) if steps and nodes[0] else 1.0

    @property
    def times(self) -> float:
        """Estimate the time of the search at the target depth divided by that of the deepest run,
        if each two plies more take `step` times as long."""
        return float(self.step ** ((self.depth - self.at) / 2))

    @property
    def expected(self) -> float:
        """Estimate the seconds of the search at the target depth."""
        return self.times * self.last.work


def grow(
    game: Game[Any, Any], algorithm: Algorithm, state: Any, engine: str, share: float
) -> Growth | None:
    """Search deeper and deeper, as long as a run takes less than `share` of the expected time.

    Returns: None if no smaller depth can be searched, as in a tree whose inner positions have no
    estimate.
    """
    found: list[tuple[int, Probe]] = []
    depth = algorithm.depth
    for d in range(depth % 2 or 2, depth - 1, 2):
        try:
            found.append((d, run(game, algorithm.at_depth(d), state, seq, engine, 1)))
        except (NoEstimate, RuleFailed):  # the search itself raises it, if it gets there
            continue
        so_far = Growth(depth, tuple(found))
        if len(found) < 2 or so_far.last.work < STEADY:
            continue
        if so_far.step * so_far.last.work > share * so_far.expected:
            break
    return Growth(depth, tuple(found)) if found else None
