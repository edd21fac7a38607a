"""Plans: game x algorithm x strategy, as immutable data.  No Dask here.

A plan opens the tree only as far as the strategy sparks; a branch with no node of its own is
searched inside a task.  So planning needs the game: how many branches, who moves, what is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple

from attrs import field, frozen

from games import Game
from graphs.errors import JamboreeError
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Group, Window
from strategies.algebra.strategy import Kind, Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.limits import Limits
from strategies.native.fingerprint import fingerprint
from strategies.running.execution.branches import Branch
from strategies.running.execution.iteration import Iteration
from strategies.running.records.request import SearchRequest


class PlanError(JamboreeError, ValueError):
    """A plan that cannot be made: the message says why, and what to do instead."""


class SparkCounts(NamedTuple):
    """What a strategy asks for at the nodes that a plan opens.

    A *spark* is a group of branches that is unordered with another group, a *step* any other group:
    what `explain` counts.  A spark is *opened* if all its branches are nodes of the plan: it has no
    task, only what it is made of has.  Any other is an *attempt*, once for each of its tasks.
    """

    attempts: int = 0
    opened: int = 0
    steps: int = 0

    @property
    def sparks(self) -> int:
        """All sparks, those of opened nodes too."""
        return self.attempts + self.opened


@frozen(eq=False)
class Node:
    """A node that the plan opened."""

    path: tuple[int, ...]
    """Branch numbers from the root."""
    kind: Kind
    depth: int
    """Plies left, this one included."""
    groups: tuple[Group, ...]
    sparks: tuple[bool, ...]
    branches: tuple[Branch, ...]
    nodes: tuple[Node | None, ...]
    """The node of each branch, or None where the branch is searched inside a task."""
    reach: float = 1.0
    """The probability with which the search comes here."""
    player: int = 0
    """Who moves."""


@frozen(eq=False)
class Plan:
    """A search, ready to be lowered, drawn, counted or run."""

    game: Game[Any, Any]
    algorithm: Algorithm
    strategy: Strategy
    state: Any
    root: Node | None = field(repr=False)
    """None where the whole search is one task."""
    window: Interval = OPEN
    engine: str = "auto"
    inner: Strategy = seq
    """How the one task searches, where there is one."""
    limits: Limits | None = None
    """When the search is to end, if it deepens until then."""
    driver: Driver | None = None
    """How threads share the search, if it is shared so; then `strategy` is `seq`."""
    iteration: Iteration | None = None
    """The iteration of a deepening search that it plans."""
    rows: bool = False
    """Whether only a row of graphs can be made of it, one for each iteration."""
    ties: bool = True
    """Whether of equal branches of the root the leftmost is to lead, as they end in any order."""

    def __repr__(self) -> str:
        return f"<Plan: {self.request().written}>"

    @property
    def counts(self) -> SparkCounts:
        """What the strategy asks for."""
        return SparkCounts() if self.root is None else counts_of(self.root, self.iteration is None)

    @property
    def attempts(self) -> int:
        """Count how many sparks are asked for that are to be tasks."""
        return self.counts.attempts

    def inners(self) -> Iterator[Strategy]:
        """Return the strategies but `seq` that tasks follow inside."""
        nodes = () if self.root is None else opened(self.root)
        inside = (b.inner for node in nodes for b in node.branches)
        return (s for s in chain([self.inner], inside) if s is not seq and s != seq)

    @property
    def using(self) -> Strategy | Driver:
        """Return how the search is evaluated, as `search` was told."""
        return self.driver or self.strategy

    def request(self, workers: int | None = None, depth: int | None = None) -> SearchRequest:
        """Return the search's request, without the plan; `depth` is the depth reached."""
        wanted = self.algorithm
        algorithm = wanted if depth is None else wanted.at_depth(depth)
        return SearchRequest(
            self.game, algorithm, self.using, self.state, self.engine, workers, self.limits,
            None if algorithm == wanted else wanted.depth,
        )  # fmt: skip

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        what = self.game, self.state, self.algorithm, self.using
        return "Plan", fingerprint((*what, self.window, self.engine, self.limits))


def opened(node: Node) -> Iterator[Node]:
    """Return all nodes of a plan, in move order."""
    yield node
    for below in node.nodes:
        if below is not None:
            yield from opened(below)


def runs(node: Node, group: Group) -> Iterator[tuple[Branch, ...]]:
    """Split a group into runs of branches that one task can search, and single opened branches."""
    branches = node.branches[group.start : group.stop]
    for unopened, run in groupby(branches, lambda b: node.nodes[b.turn] is None):
        if unopened:
            yield tuple(run)
        else:
            yield from ((b,) for b in run)


def counts_of(node: Node, again: bool) -> SparkCounts:
    """What is asked for at a node and below, twice where a branch is tested and then searched
    `again` in the same graph."""
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
