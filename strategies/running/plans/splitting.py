"""Divide tasks by the work that they have done: the search of a tree gives open branches away.

A task that has visited as many nodes as its strategy's `to_size` says ends.  Its path leads from
its node to where it was; all to the left of the path is done.  At the highest node of the path with
branches to the right, these become tasks, and another task goes on below.  No node is visited
twice.

Source: the budget skeleton of Archibald and others, YewPar (2020).
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen
from dask.task_spec import Task, TaskRef

from strategies.algebra.strategy import unfolded
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.windows import bounds_of
from strategies.running.execution.branches import Branch, BranchJob
from strategies.running.execution.iteration import Grown, Path, TooLarge
from strategies.running.plans.lowering import lower_more
from strategies.running.plans.plan import Node, Plan
from strategies.running.runtime import ordered_scheduler as runner


@frozen
class Splitting:
    """Divides tasks that have visited as many nodes as `to_size` says."""

    everywhere: bool = False
    """Whether tasks may become more in any thread: the graph runs in waves."""

    def limit(self, job: BranchJob) -> int:
        """Return the number of nodes after which a task is divided, where it can be."""
        inner = job.branches[0].inner
        if len(job.branches) > 1 or inner.least is None or not self.may_grow:
            return UNLIMITED
        return max(1, inner.least)

    @property
    def may_grow(self) -> bool:
        """Return whether a task of this thread may become more."""
        return self.everywhere or runner.may_grow()

    def grow(self, job: BranchJob, large: TooLarge, begun: Any) -> Grown:
        """Return the graph of the tasks that go on, and its last key."""
        (b,) = job.branches
        done = large.found
        assert done is not None
        node, way = _open_node(job, b, done)
        window, known = large.window, (done.value, done.value)
        if job.algorithm.narrows:
            known = bounds_of(done.value, window)
            window = (max(window[0], known[0]), window[1])
        plan = Plan(
            job.game, job.algorithm, b.inner, b.state, None, window, job.engine, growth=self
        )
        place = (*(() if b.whole else (*job.path, b.index)), *way)
        graph, last = lower_more(plan, "split", node, job, window, begun, place)
        key = "joined-split", place
        joined = Task(key, _joined, known, done.line, way, TaskRef(last))
        return Grown({**graph, key: joined}, key)


def _open_node(job: BranchJob, b: Branch, done: Found) -> tuple[Node, Path]:
    """Return the highest node of a path that has open branches, and the way to it."""
    game, state, path = job.game, b.state, done.path
    for level, index in enumerate(path):
        kind = kind_of(game, state)
        below = children(game, state, kind)
        if len(below) > index + 1 or level == len(path) - 1:
            break
        state = below[index][2]
    way, rest = path[:level], path[level + 1 :]
    left = below[index:]
    layer = unfolded(b.inner, kind, len(left))
    branches = tuple(
        Branch(
            index + turn, chance, move, child, is_terminal(game, child), inner, turn=turn,
            path=rest if turn == 0 else (),
        )
        for turn, ((move, chance, child), inner) in enumerate(zip(left, layer.inner, strict=True))
    )  # fmt: skip
    own = done.value if job.algorithm.rule(game).combine is not None else None
    node = Node(
        (*job.way(b), *way), kind, job.depth - level, layer.groups, layer.sparks, branches,
        (None,) * len(branches), job.reach, game.player(state), own,
    )  # fmt: skip
    return node, way


def _joined(known: Interval, line: Path, way: Path, fold: Fold) -> Fold:
    """Return the fold of a branch: what was known when its task was divided, and the rest."""
    if fold.rule.combine is not None:
        return fold
    best = line if known[0] >= fold.lo else (*way, *fold.line)
    return evolve(
        fold, lo=max(known[0], fold.lo), hi=max(known[1], fold.hi), line=best,
        move=best[0] if best else None,
    )  # fmt: skip
