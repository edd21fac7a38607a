"""Plans: game x algorithm x strategy, as immutable data.  No Dask here.

A plan opens the tree only as far as the strategy sparks; a branch with no node of its own is
searched inside a task.  So planning needs the game: how many branches, who moves, what is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from attrs import field, frozen

from games import MAXIE, Game, against_all
from games.whole import check_whole
from strategies import deepening
from strategies.algorithms import Algorithm
from strategies.asked import Asked
from strategies.collector import resting_collector
from strategies.deepening import Limits
from strategies.drivers.driver import Driver
from strategies.explore import Branch
from strategies.fingerprint import fingerprint
from strategies.fold import OPEN, Interval
from strategies.groups import Group, Window, sparks
from strategies.native import RuleFailed, check_choice
from strategies.policy import may_test, without_windows
from strategies.positions import is_over, look, start_of, told
from strategies.strategy import Everywhere, Kind, Strategy, seq, unfolded
from strategies.values.basic import for_search

MOST_TASKS = 250_000
"""A plan of more tasks is refused."""


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
        """How often the strategy asks for branches in parallel."""
        return 0 if self.root is None else _attempts(self.root)

    def inners(self) -> Iterator[Strategy]:
        """The strategies but `seq` that tasks follow inside."""
        nodes = () if self.root is None else opened(self.root)
        inside = (b.inner for node in nodes for b in node.branches)
        return (s for s in chain([self.inner], inside) if s is not seq and s != seq)

    @property
    def using(self) -> Strategy | Driver:
        """How it is evaluated, as `search` was told."""
        return self.driver or self.strategy

    def asked(self, workers: int | None = None, depth: int | None = None) -> Asked:
        """What was asked for, without the plan; `depth` is how deep it was searched, if not all."""
        algorithm = self.algorithm if depth is None else self.algorithm.at_depth(depth)
        return Asked(self.game, algorithm, self.using, self.state, self.engine, workers)

    def _repr_svg_(self) -> str:
        """How a notebook shows it: the task graph, large subtrees folded."""
        from strategies.collection import Search

        return Search(self)._repr_svg_()

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        what = self.game, self.state, self.algorithm, self.using
        return "Plan", fingerprint((*what, self.window, self.engine, self.limits))


def plan(
    game: Game[Any, Any], algorithm: Algorithm, strategy: Strategy | Driver, state: Any = None, *,
    window: Interval = OPEN, engine: str = "auto", most_tasks: int = MOST_TASKS,
    limits: Limits | None = None,
) -> Plan:  # fmt: skip
    """The plan of one search.

    Raises: AlgorithmError if the algorithm would be wrong for the game; StrategyError if the
    strategy makes no sense with it; PlanError if there would be more than `most_tasks` tasks;
    RuleFailed if a rule fails, or contradicts another, at a position that the plan opens; TypeError
    for what is no game, algorithm or strategy.
    """
    _check_types(game, algorithm, strategy)
    check_whole(1, most_tasks=most_tasks)
    check_choice(engine)
    algorithm.check(game)
    driver = strategy if isinstance(strategy, Driver) else None
    strategy = seq if isinstance(strategy, Driver) else for_search(strategy)
    state = start_of(game) if state is None else state
    game = searched_game(game, algorithm, state)
    if not is_over(game, state) and algorithm.depth:
        look(game, state)  # so that rules that contradict each other are told, whoever searches
    if not algorithm.narrows and may_test(strategy, algorithm.depth):
        raise without_windows(strategy, algorithm)
    if driver is not None:
        deepening.check(algorithm, repr(driver))
        return Plan(game, algorithm, seq, state, None, window, engine, limits=limits, driver=driver)
    if limits is not None:
        deepening.check_limits(algorithm, limits)
        if strategy != seq and limits.nodes is not None:
            raise PlanError(
                f"a limit of nodes is for seq, a search in one task: leave out {strategy}, or give "
                "a limit of time"
            )
        return Plan(game, algorithm, strategy, state, None, window, engine, limits=limits)
    with resting_collector():
        opener = _Opener(game, algorithm, most_tasks, strategy)
        found = opener.node(state, algorithm.depth, strategy, (), (), 1.0)
    root = found if isinstance(found, Node) else None
    if root is not None and not algorithm.narrows and _zero(root):
        raise without_windows(strategy, algorithm)
    inner = seq if isinstance(found, Node) else found
    return Plan(game, algorithm, strategy, state, root, window, engine, inner)


def searched_game(game: Game[Any, Any], algorithm: Algorithm, state: Any) -> Game[Any, Any]:
    """The game that is searched from a position: by `paranoid`, one player against all others."""
    if algorithm.name == "paranoid" and game.players > 2:
        return against_all(game, max(MAXIE, game.player(state)))
    return game


def _check_types(game: object, algorithm: object, strategy: object) -> None:
    if not isinstance(game, Game):
        hint = f"; write {game.__name__}()" if isinstance(game, type) else ""
        raise TypeError(f"a game is needed, not {game!r}{hint}")
    if not isinstance(algorithm, Algorithm):
        raise TypeError(f"an algorithm is needed, as alphabeta(depth=8), not {algorithm!r}")
    if not isinstance(strategy, (Strategy, Driver)):
        hint = f"; write parse_strategy({strategy!r})" if isinstance(strategy, str) else ""
        raise TypeError(f"a strategy is needed, as jamboree(0.5).to_ply(2), not {strategy!r}{hint}")


class _Opener:
    """Opens nodes, and counts the branches so that a plan that grows too large stops early."""

    def __init__(
        self, game: Game[Any, Any], algorithm: Algorithm, most: int, strategy: Strategy
    ) -> None:
        self.game, self.algorithm, self.most, self.strategy = game, algorithm, most, strategy
        self.seen = 0

    def node(
        self,
        state: Any,
        depth: int,
        strategy: Strategy,
        path: tuple[int, ...],
        moves: tuple[str, ...],
        reach: float,
    ) -> Node | Strategy:
        """The node; or, where the strategy puts all of it in one task, how that task searches."""
        if depth == 0 or strategy.inlined or self.over(state, moves):
            return strategy if strategy.inlined else seq
        if self.algorithm.cuts(self.game, state, reach):
            return seq
        try:
            kind, below = look(self.game, state)
        except RuleFailed as error:
            raise error.after(*moves) from error
        layer = unfolded(strategy, kind, len(below))
        self.seen += len(layer.groups)
        if 2 * self.seen > self.most:
            grain = ", or coarsen the same policy, as in .everywhere.grain(plies=3)"
            raise PlanError(
                f"{self.strategy!r} makes more than {self.most} tasks here: spark at fewer plies, "
                f"as in .to_ply(2){grain if isinstance(self.strategy, Everywhere) else ''}"
            )
        found = [
            self.node(
                child, depth - 1, inner, (*path, i), (*moves, told(move, kind == "chance")),
                reach * chance,
            )
            for i, ((move, chance, child), inner) in enumerate(zip(below, layer.inner, strict=True))
        ]  # fmt: skip
        nodes = tuple(x if isinstance(x, Node) else None for x in found)
        if path and len(layer.groups) == 1 and not any(nodes):
            return seq if all(x == seq for x in found) else strategy
        branches = tuple(
            Branch(
                i,
                p,
                m,
                c,
                self.over(c, (*moves, told(m, kind == "chance"))),
                seq if isinstance(x, Node) else x,
            )
            for i, ((m, p, c), x) in enumerate(zip(below, found, strict=True))
        )
        sparked = sparks(layer.groups)
        player = self.game.player(state)
        return Node(
            path, moves, kind, depth, layer.groups, sparked, branches, nodes, reach, player
        )  # fmt: skip

    def over(self, state: Any, moves: tuple[str, ...]) -> bool:
        try:
            return is_over(self.game, state)
        except RuleFailed as error:
            raise error.after(*moves) from error


def opened(node: Node) -> Iterator[Node]:
    """All nodes of a plan, in move order."""
    yield node
    for below in node.nodes:
        if below is not None:
            yield from opened(below)


def runs(node: Node, group: Group) -> Iterator[tuple[Branch, ...]]:
    """The group as runs of branches that one task can search, and single opened branches."""
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


def _zero(root: Node) -> bool:
    return any(g.window is Window.ZERO for n in opened(root) for g in n.groups)


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
