"""Plans: game x algorithm x strategy, as immutable data without Dask.

A plan opens the tree only as far as the strategy sparks; a branch without a node of its own is
searched inside a task.  So planning needs the game: the branches, the player to move, the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, groupby
from typing import Any, NamedTuple

from attrs import field, frozen

from games import Game
from graphs.errors import JamboreeError
from graphs.lazy_names import late
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Group, Window
from strategies.algebra.strategy import Kind, Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.limits import Limits
from strategies.native.fingerprint import fingerprint
from strategies.running.execution.branches import Branch
from strategies.running.execution.iteration import Growth, Iteration
from strategies.running.execution.live_windows import Place
from strategies.running.records.moves import Moves
from strategies.running.records.record import branch_numbers
from strategies.running.records.request import SearchRequest
from strategies.running.records.wording import outcome_names
from strategies.running.runtime.cancellation import polling
from strategies.support.stacks import gc_paused, room_for


class PlanError(JamboreeError, ValueError):
    """The plan cannot be made; the message says why, and what to do instead."""


class SparkCounts(NamedTuple):
    """The counts of sparks and steps at the nodes that a plan opens.

    As in `explain`, a *spark* is a group of branches that is unordered with another group, and a
    *step* is any other group.  A spark is *opened* if all its branches are nodes of the plan: then
    it has no task itself, only its parts have.  Any other spark is an *attempt*, once for each of
    its tasks.
    """

    attempts: int = 0
    opened: int = 0
    steps: int = 0

    @property
    def sparks(self) -> int:
        """Return the number of all sparks, including opened ones."""
        return self.attempts + self.opened


@frozen(eq=False)
class Node:
    """A node that the plan opened."""

    path: tuple[int, ...]
    """The branch numbers from the root."""
    kind: Kind
    depth: int
    """The number of plies left, this one included."""
    groups: tuple[Group, ...]
    sparks: tuple[bool, ...]
    branches: tuple[Branch, ...]
    nodes: tuple[Node | None, ...]
    """The node of each branch, or None if the branch is searched inside a task."""
    reach: float = 1.0
    """The probability with which the search reaches the node."""
    player: int = 0
    """The player to move."""
    own: Any = None
    """What the node adds to a fold over all nodes; None in other searches."""


@frozen(eq=False)
class Plan:
    """A search, ready to be lowered, drawn, counted or run."""

    game: Game[Any, Any]
    algorithm: Algorithm
    strategy: Strategy
    state: Any
    root: Node | None = field(repr=False)
    """The root; None if the whole search is one task."""
    window: Interval = OPEN
    engine: str = "auto"
    inner: Strategy = seq
    """The strategy inside the task, if there is only one."""
    limits: Limits | None = None
    """The limits of a search that deepens within them."""
    driver: Driver | None = None
    """The driver, if threads share the search; then `strategy` is `seq`."""
    iteration: Iteration | None = None
    """The iteration of a deepening search that it plans."""
    rows: bool = False
    """Whether it can only be run as a row of graphs, one for each iteration."""
    growth: Growth | None = None
    """How tasks are divided that turn out too large; None if they are not, or by the iteration."""
    ties: bool = True
    """Whether the leftmost of equal branches of the root must lead, in whatever order they end."""

    def __repr__(self) -> str:
        return f"<Plan: {self.request().written}>"

    _repr_html_ = late("strategies.insight.pictures.cards", "plan_card")

    @property
    def counts(self) -> SparkCounts:
        """Return the counts of sparks and steps."""
        return SparkCounts() if self.root is None else counts_of(self.root, self.iteration is None)

    @property
    def attempts(self) -> int:
        """Return the number of sparks that will be tasks."""
        return self.counts.attempts

    def inners(self) -> Iterator[Strategy]:
        """Yield the strategies other than `seq` that tasks follow inside."""
        nodes = () if self.root is None else opened(self.root)
        inside = (b.inner for node in nodes for b in node.branches)
        return (s for s in chain([self.inner], inside) if s is not seq and s != seq)

    @property
    def using(self) -> Strategy | Driver:
        """Return the strategy or driver that was given to `search`."""
        return self.driver or self.strategy

    def request(self, workers: int | None = None, depth: int | None = None) -> SearchRequest:
        """Return the request of the search, without the plan; `depth` is the depth reached."""
        return SearchRequest(
            self.game, self.algorithm, self.using, self.state, self.engine, workers, self.limits
        ).reached(depth)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        what = self.game, self.state, self.algorithm, self.using
        return "Plan", fingerprint((*what, self.window, self.engine, self.limits))


@contextmanager
def planning(what: str, depth: int = 0) -> Iterator[Callable[[], None]]:
    """Yield a function that the making of a plan or of its tasks calls often, as `polling` does;
    there is room to call itself for each of so many plies."""
    with room_for(depth), gc_paused(), polling(what) as poll:
        yield poll


def opened(node: Node) -> Iterator[Node]:
    """Yield all nodes of a plan, in move order."""
    yield node
    for below in node.nodes:
        if below is not None:
            yield from opened(below)


def runs(node: Node, group: Group) -> Iterator[tuple[Branch, ...]]:
    """Split a group into runs of branches that one task can search, and single branches that are
    opened, or whose task may be divided."""
    branches = node.branches[group.start : group.stop]

    def together(b: Branch) -> bool:
        return node.nodes[b.turn] is None and not b.whole and (b.over or b.inner.least is None)

    for alike, run in groupby(branches, together):
        if alike:
            yield tuple(run)
        else:
            yield from ((b,) for b in run)


def counts_of(node: Node, again: bool) -> SparkCounts:
    """Count the sparks and steps at a node and below; a branch that is tested and then searched
    `again` in the same graph counts twice."""
    found = [_of_group(node, g, s) for g, s in zip(node.groups, node.sparks, strict=True)]
    tested = {g.start for g in node.groups if again and g.window is Window.ZERO}
    for i, below in enumerate(node.nodes):
        if below is not None:
            found += [counts_of(below, again)] * (1 + (i in tested))
    return SparkCounts(*map(sum, zip(*found, strict=True)))


def _of_group(node: Node, group: Group, sparked: bool) -> SparkCounts:
    if not sparked:
        return SparkCounts(steps=1)
    tasks = sum(node.nodes[run[0].turn] is None for run in runs(node, group))
    return SparkCounts(attempts=tasks) if tasks else SparkCounts(opened=1)


class Names:
    """Names of moves: of a branch, and of the path from the root to a node."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._below = Moves(plan.game, plan.state)
        self._chances: dict[Place, list[str]] = {}
        self._nodes: dict[Place, tuple[Node | None, Any]] = {(): (plan.root, plan.state)}

    def node(self, path: Place) -> Node | None:
        """Return the plan's node at a place; None if the plan did not open it."""
        return self._at(path)[0]

    def move(self, path: Place, index: int) -> str:
        """Return the move that leads from the node at `path` to one of its branches."""
        node, state = self._at(path)
        if node is None:
            return self._below.move(branch_numbers(path), index)
        if node.kind == "chance":
            return self._outcomes(path, node)[index]
        return self.plan.game.move_text(state, node.branches[index].move)

    def _outcomes(self, path: Place, node: Node) -> list[str]:
        if path not in self._chances:
            self._chances[path] = outcome_names([b.chance for b in node.branches])
        return self._chances[path]

    def way(self, path: Place) -> list[str]:
        """Return the moves from the root to the node at `path`."""
        return [self.move(path[:i], step) for i, step in enumerate(branch_numbers(path))]

    def _at(self, path: Place) -> tuple[Node | None, Any]:
        if path not in self._nodes:
            node, _ = self._at(path[:-1])
            index = branch_numbers(path)[-1]
            if node is None:
                self._nodes[path] = None, None
            else:
                self._nodes[path] = node.nodes[index], node.branches[index].state
        return self._nodes[path]
