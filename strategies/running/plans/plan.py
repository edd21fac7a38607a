"""Plans: game x algorithm x strategy, as immutable data.  No Dask here.

A plan opens the tree only as far as the strategy sparks; a branch with no node of its own is
searched inside a task.  So planning needs the game: how many branches, who moves, what is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from attrs import field, frozen

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Group, Window
from strategies.algebra.strategy import Kind, Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.limits import Limits
from strategies.native.fingerprint import fingerprint
from strategies.running.execution.branches import Branch
from strategies.running.records.request import SearchRequest


class PlanError(ValueError):
    """A plan that cannot be made: the message says why, and what to do instead."""


@frozen(eq=False)
class Node:
    """A node that the plan opened."""

    path: tuple[int, ...]
    """Branch numbers from the root."""
    moves: tuple[str, ...]
    """The moves from the root, as errors tell them."""
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

    @property
    def attempts(self) -> int:
        """Count how often the strategy asks for branches in parallel."""
        return 0 if self.root is None else _attempts(self.root)

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
        algorithm = self.algorithm if depth is None else self.algorithm.at_depth(depth)
        return SearchRequest(self.game, algorithm, self.using, self.state, self.engine, workers)

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
    run: list[Branch] = []
    for b in node.branches[group.start : group.stop]:
        if node.nodes[b.index] is None:
            run.append(b)
            continue
        if run:
            yield tuple(run)
        yield (b,)
        run = []
    if run:
        yield tuple(run)


def _attempts(node: Node) -> int:
    """Sparks asked for at a node and below: the runs of its sparked groups, and those of opened
    branches, twice where a branch is first tested and then searched."""
    own = sum(
        node.nodes[run[0].index] is None
        for g, spark in zip(node.groups, node.sparks, strict=True)
        if spark
        for run in runs(node, g)
    )
    tested = {g.start for g in node.groups if g.window is Window.ZERO}
    return own + sum(
        _attempts(below) * (1 + (i in tested))
        for i, below in enumerate(node.nodes)
        if below is not None
    )
