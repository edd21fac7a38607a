"""Compare a run with another strategy: which of the visited positions were needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import field, frozen

from games import Game
from graphs.arguments import check_integers
from graphs.errors import ArgumentError
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Kind, Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import UNKNOWN, Fold, Interval, Searched, in_order
from strategies.algorithms.positions import expand, is_terminal, kind_of
from strategies.running.execution.branches import BranchJob, job_of
from strategies.running.plans.plan import Node, opened
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.record import Record, branch_numbers, by_task
from strategies.running.records.search_run import SearchRun
from strategies.support.printing import Printed, brief
from strategies.support.stacks import room_for
from strategies.values.for_search import check_using


@frozen
class Comparison(Printed):
    """The positions that a run visited, compared with those that another strategy visits in order.

    A position is a place in the tree: branch numbers from the root.  A position that both visit is
    *useful*.  All other visits of the run are *wasted*: visits of positions that the other strategy
    does not visit, and repeated visits, as by a test and the search after it.  Positions that only
    the other strategy visits are *missed*.

    Ensures: ``useful + wasted == nodes`` and ``useful + missed == theirs``.
    """

    strategy: Strategy
    """The other strategy, run in one task with fixed windows."""
    nodes: int
    """The visits of the run."""
    theirs: int
    useful: int
    exact: bool
    """False if the run was too large to walk again, its windows were not recorded, or it used a
    table; `useful` is then an upper bound."""
    useful_paths: frozenset[Path] | None = field(default=None, repr=False, eq=False)
    wasted_paths: frozenset[Path] | None = field(default=None, repr=False, eq=False)
    """The positions that only the run visited; None if not `exact`."""

    @property
    def wasted(self) -> int:
        """Return the number of visits that the other strategy does without."""
        return self.nodes - self.useful

    @property
    def missed(self) -> int:
        """Return the number of positions that only the other strategy visits."""
        return self.theirs - self.useful

    @property
    def overhead(self) -> float:
        """Return the visits of the run divided by those of the other strategy."""
        return self.nodes / self.theirs if self.theirs else 1.0

    __repr__ = brief

    def parts(self) -> list[str]:
        """Return the line to print."""
        most = "" if self.exact else "at most "
        return [
            f"{self.nodes:,} nodes, {self.overhead:.3g} times the {self.theirs:,} of "
            f"{self.strategy}: {most}{self.useful:,} useful, "
            f"{'' if self.exact else 'at least '}{self.wasted:,} wasted"
        ]


def against(result: SearchRun, strategy: Strategy = seq, most: int = 50_000) -> Comparison:
    """Search again in one task under `strategy`, and compare the visited positions.

    Both searches are walked position by position if neither has more than `most` nodes.  Larger
    ones are only counted.  That is still exact if `strategy` is `seq` and the run had fixed windows
    and no tests: such a run visits every position that alpha-beta visits, and each only once.

    Raises: ValueError if the result does not know its search, or is that of a driver.
    Cost: one search; walking takes some 20 µs per node.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, par_list, search
    >>> print(against(search(HANDOUT_BIG, alphabeta(4), using=par_list.to_ply(2)).compute()))
    24 nodes, 1.5 times the 16 of seq: 16 useful, 8 wasted
    """
    check_integers(0, most=most)
    check_using(strategy)
    plan = graph_of(result.request).plan
    if plan.driver is not None or plan.limits is not None:
        raise ArgumentError(
            "against() takes the result of a search under a strategy without limits, not of a "
            "driver or of a search within a limit"
        )
    theirs = graph_of(result.request, strategy).compute(num_workers=1)
    if plan.algorithm.plain and max(result.nodes, theirs.nodes) <= most:
        with room_for(plan.algorithm.depth):
            found = _walked(result, strategy)
        if found is not None:
            return found
    same = strategy == seq and plan.algorithm.plain and _nested(plan.root)
    return Comparison(strategy, result.nodes, theirs.nodes, min(result.nodes, theirs.nodes), same)


def _nested(root: Node | None) -> bool:
    """Return whether a run visits every position that alpha-beta visits, and none twice."""
    return root is None or (
        all(g.window is Window.FIXED for node in opened(root) for g in node.groups)
        and all(b.inner == seq for node in opened(root) for b in node.branches)
    )


def _walked(result: SearchRun, strategy: Strategy) -> Comparison | None:
    """Return the comparison by positions; None if the walk differs from the recorded visits."""
    answer = graph_of(result.request)
    p = answer.plan
    theirs: set[Path] = set()
    walker = Walker(p.game, p.algorithm, theirs.add)
    walker.walk(p.state, strategy, p.algorithm.depth, p.window, ())
    graph = answer.tasks()
    ours: Counter[Path] = Counter()
    for key, r in by_task(graph, result.records).items():
        job = job_of(graph[key])
        if job is not None and r.nodes:
            seen = _of_task(job, r, p.state)
            if len(seen) != r.nodes:
                return None
            ours.update(seen)
    useful, wasted = ours.keys() & theirs, ours.keys() - theirs
    return Comparison(
        strategy, ours.total(), len(theirs), len(useful), True,
        frozenset(useful), frozenset(wasted),
    )  # fmt: skip


def _of_task(job: BranchJob, r: Record, state: Any) -> list[Path]:
    """Return the positions that a recorded task visited, in its order."""
    seen: list[Path] = []

    def visit(path: Path) -> None:
        if len(seen) == r.nodes:
            raise Enough
        seen.append(path)

    with suppress(Enough):
        visited(job, kind_at(job, state), r, Walker(job.game, job.algorithm, visit))
    return seen


Path = tuple[int, ...]
"""Branch numbers from the root."""


class Enough(Exception):
    """The walk has visited as many positions as the run did."""


@frozen
class Walker:
    """A walk over the positions of a search, in its order, that calls `visit` with each path."""

    game: Game[Any, Any]
    algorithm: Algorithm
    visit: Callable[[Path], None]

    def walk(
        self, state: Any, strategy: Strategy, depth: int, window: Interval, path: Path
    ) -> Interval:
        """Search a position under a strategy in one task; return the bounds on its value."""
        self.visit(path)
        over = is_terminal(self.game, state)
        if over or depth == 0:
            value = self.algorithm.leaf_value(self.game, state, depth)
            return value, value
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        rule, player = self.algorithm.rule(self.game), self.game.player(state)
        entered = Fold.enter(kind, window, rule, player)

        def branch(i: int, window: Interval) -> Searched:
            _, chance, child = below[i]
            if window[0] >= window[1]:
                return Searched(i, chance, UNKNOWN)
            found = self.walk(child, layer.inner[i], depth - 1, window, (*path, i))
            return Searched(i, chance, found)

        fold = in_order(layer.groups, entered, [chance for _, chance, _ in below], branch)
        return fold.lo, fold.hi


def visited(job: BranchJob, kind: Kind, r: Record, walker: Walker) -> None:
    """Visit what a recorded task visited: the opened nodes that it entered first, and its branches.

    Raises: Enough, from `walker.visit`, at the point where the task was stopped half-way.
    """
    path = branch_numbers(job.path)
    for above in reversed(range(job.entered)):
        walker.visit(path[: len(path) - above])
    fold = Fold.enter(kind, r.window, walker.algorithm.rule(walker.game))
    for b in job.branches:
        window = fold.child_window(b.chance)
        interval = UNKNOWN
        if window[0] < window[1]:
            at = path if b.whole else (*path, b.index)
            interval = walker.walk(b.state, b.inner, job.depth, window, at)
        fold = fold.with_child(Searched(b.index, b.chance, interval))


def kind_at(job: BranchJob, state: Any) -> Kind:
    """Return who moves at the node of a task, starting from the position at the root."""
    for branch in branch_numbers(job.path):
        _, below = expand(job.game, state)
        state = below[branch][2]
    return kind_of(job.game, state)
