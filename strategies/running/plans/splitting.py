"""Divide tasks by the work that they have done: the search of a tree gives open branches away.

A task that has visited as many nodes as its strategy's `to_size` says ends.  Its path leads from
its node to where it was; all to the left of the path is done.  At the highest nodes of the path,
the branches to the right become tasks, and another task goes on below.  No node is visited twice.
In a tree whose nodes have one large branch each, one node's branches would not keep workers busy.

How large these branches are is not known, and most are small.  So neighbours are *parts* of their
node, each searched by one call of the kernel; a part that turns out too large is divided again.

Source: the budget skeleton of Archibald and others, YewPar (2020), where each branch is a task.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from attrs import evolve, frozen
from dask.task_spec import Task, TaskRef

from games import Game
from strategies.algebra.groups import Group, sparks
from strategies.algebra.strategy import Layer, Strategy, seq, unfolded
from strategies.algorithms.fold import Fold, Interval
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.windows import bounds_of
from strategies.native.hooks import defines
from strategies.running.execution.branches import Branch, BranchJob
from strategies.running.execution.iteration import Grown, Path, TooLarge
from strategies.running.plans.lowering import lower_more
from strategies.running.plans.plan import Node, Plan
from strategies.running.runtime import ordered_scheduler as runner

ENOUGH: Final = 8
"""The number of open branches from which on no further node of the path is opened."""
PIECES: Final = 4
"""The number of sparks that they become, or a few more, if they are of several nodes."""
RAMP: Final = (8, 2)
"""While workers wait for the first tasks, these end sooner: the first one after an eighth of the
size, those that it becomes after half of it, and all later ones after the whole."""


@frozen
class Splitting:
    """Divides tasks that have visited as many nodes as `to_size` says."""

    everywhere: bool = False
    """Whether tasks may become more in any thread: the graph runs in waves."""
    divisions: int = 0
    """How many divisions led to its tasks, one below the other."""

    def limit(self, job: BranchJob) -> int:
        """Return the number of nodes after which a task is divided, where it can be."""
        inner = job.branches[0].inner
        if len(job.branches) > 1 or inner.least is None or not self.may_grow:
            return UNLIMITED
        return max(1, inner.least // (RAMP[self.divisions] if self.divisions < len(RAMP) else 1))

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
        later = evolve(self, divisions=self.divisions + 1)
        plan = Plan(
            job.game, job.algorithm, b.inner, b.state, None, window, job.engine, growth=later
        )  # fmt: skip
        place = (*(() if b.whole and b.until is None else job.place), *way)
        graph, last = lower_more(plan, "split", node, job, window, begun, (place, opened))
        key = "joined-split", place
        joined = Task(key, _joined, known, done.line, way, TaskRef(last))
        return Grown({**graph, key: joined}, key)


def _open_nodes(job: BranchJob, b: Branch, done: Found) -> tuple[Node, Path, int]:
    """Return the highest node of a path that has open branches, the way to it, and the number of
    nodes opened: those of the path below it are, too, until there are `ENOUGH` open branches."""
    game, state, path, inner, until = job.game, b.state, done.path, b.inner, b.until
    opened: list[tuple[int, Any, Any, Strategy, Layer]] = []
    count = 0
    for level, index in enumerate(path):
        stop, child = _branch(game, state, index)
        left = (stop if until is None else until) - index
        if opened or left > 1 or level == len(path) - 1:
            layer = unfolded(inner, kind_of(game, state), left)
            opened.append((level, state, child, inner, layer))
            inner, count = layer.inner[0], count + left - 1
            if count >= ENOUGH or inner.inlined:
                break
        state, until = child, None
    node, rest = None, path[opened[-1][0] + 1 :]
    for level, state, child, inner, layer in reversed(opened):
        first = Branch(
            path[level], 1, None, child, is_terminal(game, child), layer.inner[0], path=rest, turn=0
        )  # fmt: skip
        pieces, groups = _pieces(layer, -(-count // PIECES))
        parts = [_part(path[level], p, turn, state, inner, layer) for turn, p in pieces]
        node = Node(
            (*job.way(b), *path[:level]), kind_of(game, state), job.depth - level, groups,
            sparks(groups), (first, *parts), (node, *(None for _ in parts)), job.reach,
            game.player(state),
        )  # fmt: skip
        rest = ()
    assert node is not None
    own = done.value if job.algorithm.rule(game).combine is not None else None
    return evolve(node, own=own), path[: opened[0][0]], len(opened)


def _branch(game: Game[Any, Any], state: Any, index: int) -> tuple[int, Any]:
    """Return the number of branches of a node, and the node below one of them."""
    if defines(game, "children"):
        below = children(game, state, "max")
        return len(below), below[index][2]
    moves = tuple(game.moves(state))
    return len(moves), game.make_move(state, moves[index])


def _part(first: int, piece: range, turn: int, state: Any, inner: Strategy, layer: Layer) -> Branch:
    """Return the part of a node that one task searches, without more tasks if its strategy has no
    size; branch `first` is at turn 0."""
    start, until = first + piece.start, first + piece.stop
    below = inner if layer.inner[piece.start].least is not None else seq
    return Branch(
        start, 1, None, state, False, below, turn=turn, whole=True, path=(start,), until=until
    )


def _pieces(layer: Layer, most: int) -> tuple[list[tuple[int, range]], tuple[Group, ...]]:
    """Divide the branches of a node but the first into pieces: return them with their turns, and
    the groups of all turns.

    Sparks that are alike become one of at least `most` branches, if there are so many.
    """
    after = {g.after for g in layer.groups}
    groups: list[Group] = []
    last = False
    for g, sparked in zip(layer.groups, layer.sparks, strict=True):
        old = groups[-1] if groups else g
        like = last and sparked and (old.after, old.window) == (g.after, g.window)
        if like and old.start and old.stop - old.start < most and old.stop not in after:
            g = groups.pop()._replace(stop=g.stop)
        groups.append(g)
        last = sparked
    sized = [inner.least is not None for inner in layer.inner]
    cuts = {1, *(g.stop for g in groups), *(after - {0})}
    cuts |= {i for i, (one, other) in enumerate(pairwise(sized), 1) if one != other}
    turns = {cut: turn for turn, cut in enumerate(sorted({0, *cuts}))}
    return (
        [(turns[start], range(start, stop)) for start, stop in pairwise(sorted(cuts))],
        tuple(Group(turns[g.start], turns[g.stop], turns[g.after], g.window) for g in groups),
    )


def _joined(known: Interval, line: Path, way: Path, fold: Fold) -> Fold:
    """Return the fold of a branch: what was known when its task was divided, and the rest."""
    if fold.rule.combine is not None:
        return fold
    best = line if known[0] >= fold.lo else (*way, *fold.line)
    return evolve(
        fold, lo=max(known[0], fold.lo), hi=max(known[1], fold.hi), line=best,
        move=best[0] if best else None,
    )  # fmt: skip
