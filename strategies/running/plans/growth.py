"""Tasks of an iteration that turn out too large become more tasks, as the strategy says.

How large a branch is tells the last iteration, and where the value falls or a guess was wrong, it
may tell a hundredth.  One such task would keep all other workers waiting.  What it has done is not
lost: the table has it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

from strategies.algebra.strategy import seq
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.running.execution.branches import BranchJob
from strategies.running.execution.iteration import Grown, Path
from strategies.running.plans.knowledge import Knowledge
from strategies.running.plans.lowering import Graph, Key, lower_more
from strategies.running.plans.opening import open_further
from strategies.running.plans.plan import Node, Plan, PlanError
from strategies.running.records.iterations import Waits
from strategies.running.records.record import branch_numbers

SHALLOW: Final = 3
"""A task that searches fewer plies never becomes more."""


class Growing:
    """What makes more tasks of one that turns out too large, in the graph of one plan."""

    def __init__(
        self, knowledge: Knowledge, token: str, planning: threading.Lock | None = None
    ) -> None:
        """Whoever makes a plan meanwhile, in another thread, holds the lock `planning`."""
        self.knowledge, self.token = knowledge, token
        self.plan: Plan
        self.nodes: dict[Path, Node] = {}
        """The nodes of the branches that have become more."""
        self.graphs: dict[Key, Graph] = {}
        """Their graphs, by the task that each has been."""
        self.planning = planning or threading.Lock()

    def limit(self, job: BranchJob) -> int:
        """How many nodes a task may take before it is to become more."""
        b = job.branches[0]
        alone = len(job.branches) > 1 or b.ahead == seq or b.ahead.inlined
        if alone or job.depth < SHALLOW:
            return UNLIMITED
        iteration = job.iteration
        assert iteration
        return self.knowledge.most(path_of(job), b.ahead.least, iteration.visited)

    def grow(self, job: BranchJob, window: Interval, spent: int, begun: Any) -> Grown | None:
        """The graph of a task that has spent so many nodes for its branch, and the last key; None
        where it has no tasks, or too many."""
        path = path_of(job)
        with self.planning:
            self.knowledge.outgrown(path, spent)
            try:
                node = open_further(self.plan, job, self.knowledge)
            except PlanError:
                node = None
            if node is None:
                return None
            graph, last = lower_more(self.plan, self.token, node, job, window, begun)
            self.nodes[path] = node
            place = *job.path, job.branches[0].index
            self.graphs[f"{job.role}-{self.token}", place] = {**graph}
        return Grown(graph, last)

    def waits(self, graph: Graph) -> Waits:
        """Kind and place of each task of a graph and of what its tasks have become, in order, and
        the numbers of those that it waited for."""
        number: dict[Key, int] = {}
        rows = []
        for key, after in self.tasks(graph):
            waits = tuple(sorted(number[k] for k in after))
            kind = "grown" if key in number else key[0].rpartition("-")[0]
            rows.append(((kind, key[1]), waits))
            number[key] = len(rows) - 1
        return tuple(rows)

    def tasks(self, graph: Graph) -> Iterator[tuple[Key, tuple[Key, ...]]]:
        """The keys of a graph's tasks and of those that they wait for, in order: of one that has
        become more its own, those that it has become, and its own again."""
        for key, task in graph.items():
            yield key, tuple(task.dependencies)
            if key in self.graphs:
                more = self.graphs[key]
                yield from self.tasks(more)
                yield key, (next(reversed(more)),)


def path_of(job: BranchJob) -> Path:
    """The branch numbers from the root to the first branch of a job."""
    return *branch_numbers(job.path), job.branches[0].index
