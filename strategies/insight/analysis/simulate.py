"""Simulation: a search on virtual workers, its tasks run for real, one at a time."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from math import inf
from typing import Any

from strategies.insight.analysis.coroutines import Turn, VirtualCells
from strategies.insight.analysis.list_scheduling import list_schedule
from strategies.insight.analysis.overhead import FREE, Burden
from strategies.insight.analysis.recorded import joined, kind_of
from strategies.insight.analysis.simulation import Simulation, simulation
from strategies.native.memory.cells import Stop
from strategies.running.plans.lowering import Graph, Key
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import Record
from strategies.running.records.run import Run


def simulate(
    answer: SearchGraph, workers: int, burden: Burden = FREE, *, limit: float = inf
) -> Simulation:
    """Runs a search on so many virtual workers, under the ordered runner.

    Every task runs when its virtual start comes, in the window that live cells hold at that time;
    the processor time that it takes is its virtual duration.  Results are seen when their virtual
    time has come, and a search whose window closes half-way is given up there.

    Requires: the search has no limit of time or nodes.
    Ensures: value and move are those of any run; for fixed windows the nodes are too.  A table is
    shared in the order of virtual starts.
    Raises: ValueError; what a task raises; TooLong after `limit` virtual seconds.
    No thread is left, at Ctrl-C neither.
    Cost: one search on one worker, and the search of what was given up half-way.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, jamboree, search
    >>> answer = search(HANDOUT_BIG, alphabeta(4), using=jamboree(0.5).everywhere)
    >>> s = simulate(answer, workers=64)
    >>> s.result.move, s.result.nodes == answer.compute().nodes, s.result.sparks.balanced()
    (0, True, True)
    """
    if answer.plan.limits is not None:
        raise ValueError("a search that deepens until a limit is one task: nothing to simulate")
    return _Run(answer.tasks()).run(workers, burden, limit)


class _Run:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.keys: list[Key] = list(graph)
        self.values: dict[Key, Any] = {}
        self.stop = Stop()
        self.threads: Executor
        self.now: Turn | None = None
        self.turns: list[Turn] = []
        self.shares: dict[int, float] = {}

    def run(self, workers: int, burden: Burden, limit: float) -> Simulation:
        number = {key: i for i, key in enumerate(self.keys)}
        after = [tuple(number[d] for d in task.dependencies) for task in self.graph.values()]
        with ThreadPoolExecutor(len(after), "virtual") as self.threads:
            try:
                placed = list_schedule(after, self.start, self.done, workers, burden, limit)
            finally:
                self.stop.set()
                for turn in self.turns:
                    turn.abandon()
        result: Run = self.values[self.keys[-1]]
        dag = joined(self.graph, result.records)
        records = [self.cut(i, t.record) for i, t in enumerate(dag.tasks) if t.record is not None]
        return simulation(result, dag, records, placed, workers, burden, again=True)

    def start(self, i: int) -> Turn:
        key = self.keys[i]
        task = self.graph[key]
        turn = _Task(lambda: task({d: self.values[d] for d in task.dependencies}), self)
        self.turns.append(turn)
        return turn

    def done(self, i: int, turn: Any) -> None:
        key, value = self.keys[i], turn.value
        if kind_of(key) == "start":
            value = VirtualCells(self.turn), value[1]
        self.values[key] = value
        self.turns.remove(turn)
        if turn.share < 1:
            self.shares[i] = turn.share

    def turn(self) -> Turn:
        """The task whose turn it is."""
        assert self.now is not None
        return self.now

    def cut(self, i: int, r: Record) -> Record:
        """A record without what was searched after the task would have been stopped."""
        share = self.shares.get(i, 1.0)
        return r._replace(
            nodes=round(r.nodes * share), leaves=round(r.leaves * share), cpu=r.cpu * share
        )


class _Task(Turn):
    """A turn that says when it is its turn."""

    def __init__(self, call: Any, run: _Run) -> None:
        super().__init__(call, run.stop, run.threads)
        self.of = run

    def step(self) -> float:
        self.of.now = self
        return super().step()
