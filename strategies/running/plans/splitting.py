"""Divide tasks by the work that they have done: the search of a tree gives open branches away.

A task that has visited as many nodes as its strategy's `to_size` says ends.  Its path leads from
its node to where it was; all to the left of the path is done.  At the highest nodes of the path,
the branches to the right become tasks, and another task goes on below.  No node is visited twice.
In a tree whose nodes have one large branch each, one node's branches would not keep workers busy.

Source: the budget skeleton of Archibald and others, YewPar (2020).
"""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve, frozen
from dask.task_spec import Task, TaskRef

from strategies.algebra.strategy import Kind, Layer, unfolded
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.windows import bounds_of
from strategies.running.execution.branches import Branch, BranchJob
from strategies.running.execution.iteration import Grown, Path, TooLarge
from strategies.running.plans.lowering import lower_more
from strategies.running.plans.plan import Node, Plan
from strategies.running.runtime import ordered_scheduler as runner

ENOUGH: Final = 16
"""The number of open branches from which on no further node of the path is opened."""


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
        node, way, opened = _open_nodes(job, b, done)
        window, known = large.window, (done.value, done.value)
        if job.algorithm.narrows:
            known = bounds_of(done.value, window)
            window = (max(window[0], known[0]), window[1])
        plan = Plan(
            job.game, job.algorithm, b.inner, b.state, None, window, job.engine, growth=self
        )
        place = (*(() if b.whole else (*job.path, b.index)), *way)
        graph, last = lower_more(plan, "split", node, job, window, begun, (place, opened))
        key = "joined-split", place
        joined = Task(key, _joined, known, done.line, way, TaskRef(last))
        return Grown({**graph, key: joined}, key)


def _open_nodes(job: BranchJob, b: Branch, done: Found) -> tuple[Node, Path, int]:
    """Return the highest node of a path that has open branches, the way to it, and the number of
    nodes opened: those of the path below it are, too, until there are `ENOUGH` open branches."""
    game, state, path, inner = job.game, b.state, done.path, b.inner
    opened: list[tuple[Kind, int, Any, Layer, list[tuple[Any, float, Any]]]] = []
    count = 0
    for level, index in enumerate(path):
        kind = kind_of(game, state)
        left = children(game, state, kind)[index:]
        if opened or len(left) > 1 or level == len(path) - 1:
            layer = unfolded(inner, kind, len(left))
            opened.append((kind, level, state, layer, left))
            inner, count = layer.inner[0], count + len(left) - 1
            if count >= ENOUGH or inner.inlined:
                break
        state = left[0][2]
    node, rest = None, path[opened[-1][1] + 1 :]
    for kind, level, state, layer, left in reversed(opened):
        branches = tuple(
            Branch(
                path[level] + turn, chance, move, child, is_terminal(game, child),
                layer.inner[turn], turn=turn, path=() if turn or node is not None else rest,
            )
            for turn, (move, chance, child) in enumerate(left)
        )  # fmt: skip
        node = Node(
            (*job.way(b), *path[:level]), kind, job.depth - level, layer.groups, layer.sparks,
            branches, (node, *(None,) * (len(branches) - 1)), job.reach, game.player(state),
        )  # fmt: skip
    assert node is not None
    own = done.value if job.algorithm.rule(game).combine is not None else None
    return evolve(node, own=own), path[: opened[0][1]], len(opened)


def _joined(known: Interval, line: Path, way: Path, fold: Fold) -> Fold:
    """Return the fold of a branch: what was known when its task was divided, and the rest."""
    if fold.rule.combine is not None:
        return fold
    best = line if known[0] >= fold.lo else (*way, *fold.line)
    return evolve(
        fold, lo=max(known[0], fold.lo), hi=max(known[1], fold.hi), line=best,
        move=best[0] if best else None,
    )  # fmt: skip
