"""Make a plan: open the tree as far as a strategy sparks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from games import CHANCE, MAXIE, Game, against_all
from games.failed import RuleFailed
from games.game import check_game
from graphs.arguments import check_integers, check_kind, shown
from graphs.errors import ArgumentError
from graphs.limits import GRAPH_TASKS, ITERATED_TASKS, MOST_TASKS
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Window, after_known
from strategies.algebra.strategy import (
    Kind,
    Layer,
    Strategy,
    StrategyError,
    seq,
    unfolded,
    uses_sizes,
)
from strategies.algorithms import positions
from strategies.algorithms.algorithm import Algorithm, check_algorithm
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.limits import Limits, check, check_limits, to_deepen
from strategies.algorithms.positions import (
    branches_named,
    check_branches,
    expand,
    is_terminal,
    start_of,
)
from strategies.native.calls.run_kernel import Child, children
from strategies.native.engine import Engine, check_choice
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.kernels.steps import child as compiled_child
from strategies.running.execution.branches import Branch, BranchJob
from strategies.running.execution.dispatch import may_test, without_windows
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.plan import Node, Plan, PlanError, opened, planning
from strategies.running.plans.splitting import Splitting
from strategies.running.records.request import SearchRequest
from strategies.values.for_search import check_using, for_search

if TYPE_CHECKING:
    from strategies.running.plans.knowledge import Knowledge


def plan(
    game: Game[Any, Any], algorithm: Algorithm, strategy: Strategy | Driver, state: Any = None, *,
    window: Interval | None = None, engine: str = "auto", most_tasks: int = MOST_TASKS,
    limits: Limits | None = None,
) -> Plan:  # fmt: skip
    """Plan a search: open the tree as far as the strategy sparks.

    Raises: AlgorithmError if the algorithm would be wrong for the game; StrategyError if the
    strategy makes no sense with it; PlanError if there would be more than `most_tasks` tasks;
    RuleFailed if a rule fails, or contradicts another, at a position that the plan opens;
    ArgumentError if an argument is not a game, an algorithm or a strategy.
    """
    game = kept_snapshot(check_game(game, ": write p.game, …, state=p.state"))
    check_algorithm(algorithm)
    check_using(strategy)
    check_integers(1, most_tasks=most_tasks)
    if limits is not None:
        check_kind(Limits, "Limits(time=…) or Limits(nodes=…)", limits=limits)
    window = algorithm.window if window is None else window
    _check_window(window)
    check_choice(engine)
    algorithm.check(game)
    driver = strategy if isinstance(strategy, Driver) else None
    strategy = seq if isinstance(strategy, Driver) else for_search(strategy)
    state = start_of(game) if state is None else state
    game = searched_game(game, algorithm, state)
    if not is_terminal(game, state) and algorithm.depth:
        check_branches(game, state)  # so that every search reports contradicting rules
    _check_suited(strategy, algorithm, limits)
    if uses_sizes(strategy) and algorithm.depth:
        _check_sizes(SearchRequest(game, algorithm, strategy, state, limits=limits))
    if driver is not None:
        check(algorithm, repr(driver))
        return Plan(game, algorithm, seq, state, None, window, engine, limits=limits, driver=driver)
    if limits is not None:
        _check_limits(strategy, algorithm, limits)
        return Plan(game, algorithm, strategy, state, None, window, engine, limits=limits)
    if strategy == seq:  # one task: the tree is not opened
        return Plan(game, algorithm, strategy, state, None, window, engine)
    with branches_named(game, state), planning("the plan", algorithm.depth) as poll:
        iterated = iterates(SearchRequest(game, algorithm, strategy, state))
        most = min(most_tasks, ITERATED_TASKS) if iterated else most_tasks
        opener = _Opener(game, algorithm, most, strategy, poll)
        try:
            found = opener.node(state, algorithm.depth, strategy, (), 1.0)
        except PlanError:
            if not iterated:
                raise
            return Plan(game, algorithm, strategy, state, None, window, engine, rows=True)
    root = found if isinstance(found, Node) else None
    if root is not None and not algorithm.narrows and _zero(root):
        raise without_windows(strategy, algorithm)
    inner = seq if isinstance(found, Node) else found
    return Plan(
        game, algorithm, strategy, state, root, window, engine, inner, growth=opener.splitting
    )


def _check_suited(strategy: Strategy, algorithm: Algorithm, limits: Limits | None) -> None:
    """Raise the errors of `plan` for a strategy that makes no sense with an algorithm or limits."""
    if strategy.is_joined and not deepens(algorithm, limits):
        raise StrategyError(
            f"{shown(strategy)}: workers can join only a search that deepens over a table: "
            f"{to_deepen(algorithm)}leave out .joined()"
        )
    asks = algorithm.splits and algorithm.window != OPEN
    if asks and may_test(strategy, algorithm.depth):
        raise StrategyError(
            f"{shown(strategy)} tests branches with null windows, and {algorithm.name} is one such "
            "test: use a strategy such as par_list.live()"
        )
    if not algorithm.narrows and may_test(strategy, algorithm.depth):
        raise without_windows(strategy, algorithm)


def _check_sizes(request: SearchRequest) -> None:
    """Raise PlanError for a strategy that uses sizes, in a search that does not know them."""
    strategy, algorithm = request.strategy, request.algorithm
    if algorithm.splits or iterates(request) or is_terminal(request.game, request.state):
        return
    chance = deepens(algorithm, request.limits)
    raise without_sizes(strategy, algorithm, ", and none does while chance moves" * chance)


def without_sizes(strategy: Strategy | Driver, algorithm: Algorithm, why: str = "") -> PlanError:
    """Return the error for a strategy that uses sizes, in a search that does not know them."""
    ways = "" if why else to_deepen(algorithm)
    return PlanError(
        f"{shown(strategy)} uses sizes, which only a search that deepens knows{why}: {ways}use "
        "plies, as in .to_ply(2)"
    )


def _check_limits(strategy: Strategy, algorithm: Algorithm, limits: Limits) -> None:
    """Raise the errors of `plan` for limits."""
    check_limits(algorithm, limits)
    if strategy != seq and limits.nodes is not None:
        raise PlanError(
            f"a limit of nodes is only for seq, a search in one task: leave out {strategy}, or "
            "give a limit of time"
        )


def iterates(request: SearchRequest) -> bool:
    """Return whether a search is a row of graphs: it deepens under a strategy, not at chance."""
    game, algorithm, state = request.game, request.algorithm, request.state
    if isinstance(request.strategy, Driver) or request.strategy == seq or algorithm.depth == 0:
        return False
    if not deepens(algorithm, request.limits):
        return False
    return not is_terminal(game, state) and game.player(state) != CHANCE


def deepens(algorithm: Algorithm, limits: Limits | None) -> bool:
    """Return whether an algorithm deepens over a table, with move ordering."""
    if algorithm.windows is None:
        return False
    return limits is not None or (algorithm.table > 0 and algorithm.iterates)


def open_iteration(
    game: Game[Any, Any], algorithm: Algorithm, strategy: Strategy, state: Any, guide: Knowledge,
    iteration: Iteration, window: Interval, engine: str, ties: bool,
    tied: Collection[int] = (),
) -> Plan:  # fmt: skip
    """Plan one iteration of a deepening search.

    Branches are in the order of the guide; nodes are opened as far as the strategy sparks and they
    are large enough.  The `tied` branches of the root are tested first for being as good as the
    leader.

    Requires: the strategy is one for searches.
    Ensures: at most `GRAPH_TASKS` tasks: if there would be more, the guide opens fewer nodes.
    Raises: the errors of `plan`, except PlanError.
    """
    found: Node | Strategy | None = None
    with planning("the plan", algorithm.depth) as poll:
        while found is None:
            opener = _Opener(
                game, algorithm, GRAPH_TASKS, strategy, poll, guide, tied,
                engine_for(game, engine),
            )  # fmt: skip
            try:
                found = opener.node(state, algorithm.depth, strategy, (), 1.0)
            except PlanError:
                guide.coarsen()
    root = found if isinstance(found, Node) else None
    return Plan(
        game, algorithm, strategy, state, root, window, engine, iteration=iteration, ties=ties
    )


def open_further(plan: Plan, job: BranchJob, guide: Knowledge) -> Node | None:
    """Open the node of a job's only branch, as far as the strategy sparks and nodes are large
    enough; return None if it would have no tasks.

    Requires: the plan is that of an iteration.
    Raises: the errors of `plan`.
    """
    (b,) = job.branches
    with planning("the plan", job.depth) as poll:
        opener = _Opener(
            plan.game, plan.algorithm, GRAPH_TASKS, plan.strategy, poll, guide,
            engine=engine_for(plan.game, plan.engine),
        )  # fmt: skip
        found = opener.node(b.state, job.depth, b.ahead, job.way(b), job.reach)
    return found if isinstance(found, Node) else None


def searched_game(game: Game[Any, Any], algorithm: Algorithm, state: Any) -> Game[Any, Any]:
    """Return the game that is searched: for `paranoid`, one player against a coalition."""
    if algorithm.coalition and game.players > 2:
        return against_all(game, max(MAXIE, game.player(state)))
    return game


def _check_window(window: Any) -> None:
    """Raise ArgumentError unless `window` is a pair of bounds."""
    numbers = isinstance(window, tuple) and all(isinstance(x, (int, float)) for x in window)
    if not numbers or len(window) != 2 or not window[0] <= window[1]:
        raise ArgumentError(
            f"window must be a pair of bounds, such as (-1, 1), not {shown(window)}"
        )


class _Opener:
    """The opener of nodes, which counts branches, so that too large a plan is refused early."""

    def __init__(
        self, game: Game[Any, Any], algorithm: Algorithm, most: int, strategy: Strategy,
        poll: Callable[[], None], guide: Knowledge | None = None, tied: Collection[int] = (),
        engine: Engine | None = None,
    ) -> None:  # fmt: skip
        self.poll, self.engine = poll, engine
        self.game, self.algorithm, self.most, self.strategy = game, algorithm, most, strategy
        self.guide, self.tied = guide, tied
        self.seen = self.deepest = 0
        self.splitting: Splitting | None = None

    def node(
        self, state: Any, depth: int, strategy: Strategy, path: tuple[int, ...], reach: float
    ) -> Node | Strategy:
        """Open a node; or return the strategy for it, if one task searches all of it.

        Raises: Stopped, as soon as the searches of this thread should stop.
        """
        self.poll()
        if self.guide is None and strategy.least is not None and depth:
            if self.over(state, path):
                return seq
            return self.divided(strategy)
        if depth == 0 or strategy.inlined:
            return strategy if strategy.inlined else seq
        if self.guide is not None and not self.guide.opens(path, strategy.least):
            return seq  # before any rule is called, because most nodes are not opened
        if self.over(state, path) or self.algorithm.cuts(self.game, state, reach):
            return seq
        try:
            kind, below = expand(self.game, state, self.branches)
            own = self.algorithm.own_value(self.game, state)
        except RuleFailed as error:
            raise error.below(*path) from error
        order: Sequence[int] = range(len(below))
        known = 0
        if self.guide is not None:
            if kind == "chance":  # no window passes, so its outcomes are searched in one task
                return seq
            order, known = self.guide.order(path, state, kind, below)
        below = [below[i] for i in order]
        more = max(0, known - 1)
        layer = unfolded(strategy, kind, len(below) - more)
        if more:
            layer = Layer(after_known(layer.groups, more), (layer.inner[0],) * more + layer.inner)
        self.deepest = max(self.deepest, len(path))
        self.count(len(layer.groups))
        found = [
            seq if turn < known else self.node(
                b.state, depth - 1, inner, (*path, i), reach * b.chance
            )
            for turn, (i, b, inner) in enumerate(zip(order, below, layer.inner, strict=True))
        ]  # fmt: skip
        nodes = tuple(x if isinstance(x, Node) else None for x in found)
        if path and len(layer.groups) == 1 and not any(nodes):
            return seq if all(x == seq for x in found) else strategy
        branches = tuple(
            self.branch(path, turn, order[turn], b, seq if isinstance(x, Node) else x, ahead)
            for turn, (b, x, ahead) in enumerate(zip(below, found, layer.inner, strict=True))
        )
        return Node(
            path, kind, depth, layer.groups, layer.sparks, branches, nodes, reach,
            self.game.player(state), own,
        )  # fmt: skip

    def divided(self, strategy: Strategy) -> Strategy:
        """Return a strategy that uses sizes, which divides tasks while they run.

        Raises: PlanError if the algorithm's tasks cannot be divided.
        """
        if self.algorithm.splits:
            self.splitting = Splitting()
            return strategy
        raise without_sizes(self.strategy, self.algorithm)

    def count(self, groups: int) -> None:
        """Count the groups of a node.

        Raises: PlanError if there are too many by now.
        """
        self.seen += groups
        if 2 * self.seen > self.most:
            fewer = (
                "search several branches in one task, as par_list_chunk(100) does",
                "spark at fewer plies, as in .to_ply(1)",
                "spark at fewer plies, as in .to_ply(2), or limit its grain, as in .grain(plies=3)",
            )[min(self.deepest, 2)]
            raise PlanError(
                f"{shown(self.strategy)} makes more than {self.most} tasks here: {fewer}"
            )

    def branch(
        self, path: tuple[int, ...], turn: int, i: int, b: Child, inner: Strategy, ahead: Strategy
    ) -> Branch:
        """Return branch `i` of the node at a path, which has the given turn."""
        ends = self.guide is None or self.guide.needs_ends
        over, tied = ends and self.ends(b, (*path, i)), not path and i in self.tied
        return Branch(i, b.chance, b.move, b.state, over, inner, ahead, turn, tied)

    def branches(self, game: Game[Any, Any], state: Any, kind: Kind) -> list[Child]:
        """Return the branches of a position, by machine code if there is any."""
        if kind != "chance" and self.engine and self.engine.compiled(compiled_child, state):
            return children(self.engine, state)
        return [Child(*branch) for branch in positions.children(game, state, kind)]

    def ends(self, b: Child, path: tuple[int, ...]) -> bool:
        """Return whether a branch of a position ends the game."""
        return self.over(b.state, path) if b.over is None else b.over

    def over(self, state: Any, path: tuple[int, ...]) -> bool:
        try:
            return is_terminal(self.game, state)
        except RuleFailed as error:
            raise error.below(*path) from error


def _zero(root: Node) -> bool:
    return any(g.window is Window.ZERO for n in opened(root) for g in n.groups)
