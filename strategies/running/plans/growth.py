"""Divide tasks of an iteration that turn out too large, as the strategy says.

The size of a branch is estimated from the last iteration.  If the value falls, or a guess was
wrong, the estimate may be a hundredth of the true size, and one such task would keep all other
workers waiting.  Its work so far is not lost, because it is in the table.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

from strategies.algebra.strategy import seq
from strategies.native.calls.alphabeta import UNLIMITED
from strategies.running.execution.branches import BranchJob
from strategies.running.execution.iteration import Grown, Path, TooLarge
from strategies.running.plans.knowledge import Knowledge
from strategies.running.plans.lowering import Graph, Key, lower_more
from strategies.running.plans.opening import open_further
from strategies.running.plans.plan import Node, Plan, PlanError
from strategies.running.records.record import branch_numbers
from strategies.running.records.search_run import Waits

SHALLOW: Final = 3
"""The least plies of a task that may be divided."""


class Growing:
    """Divides tasks that turn out too large, in the graph of one plan."""

    def __init__(
        self, knowledge: Knowledge, token: str, planning: threading.Lock | None = None
    ) -> None:
        """Use the lock `planning` against plans made in other threads."""
        self.knowledge, self.token = knowledge, token
        self.plan: Plan
        self.nodes: dict[Path, Node] = {}
        """The nodes of the branches whose tasks were divided."""
        self.graphs: dict[Key, Graph] = {}
        """Their graphs, by the task that each has replaced."""
        self.planning = planning or threading.Lock()

    def limit(self, job: BranchJob) -> int:
        """Return the number of nodes after which a task is divided."""
        b = job.branches[0]
        alone = len(job.branches) > 1 or b.ahead == seq or b.ahead.inlined
        if alone or job.depth < SHALLOW:
            return UNLIMITED
        iteration = job.iteration
        assert iteration
        return self.knowledge.most(path_of(job), b.ahead.least, iteration.visited)

    def grow(self, job: BranchJob, large: TooLarge, begun: Any) -> Grown | None:
        """Return the graph for a task that took too many nodes on its branch, and its last key;
        None if it would have no tasks, or too many."""
        assert large.record
        path, spent, window = path_of(job), large.record.nodes, large.window
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
        """Return the kind and place of each task of a graph, including the tasks that replaced
        others, in order, and the numbers of the tasks that it waited for."""
        number: dict[Key, int] = {}
        rows = []
        for key, after in self.tasks(graph):
            waits = tuple(sorted(number[k] for k in after))
            kind = "grown" if key in number else key[0].rpartition("-")[0]
            rows.append(((kind, key[1]), waits))
            number[key] = len(rows) - 1
        return tuple(rows)

    def tasks(self, graph: Graph) -> Iterator[tuple[Key, tuple[Key, ...]]]:
        """Yield the keys of a graph's tasks, with those of their inputs, in order; for a divided
        task its key, those of its tasks, and its key again."""
        for key, task in graph.items():
            yield key, tuple(task.dependencies)
            if key in self.graphs:
                more = self.graphs[key]
                yield from self.tasks(more)
                yield key, (next(reversed(more)),)


def path_of(job: BranchJob) -> Path:
    """Return the branch numbers from the root to the first branch of a job."""
    return *branch_numbers(job.path), job.branches[0].index
