"""Searches of trees that are no games: enumeration, decision, and optimisation.

These are the three kinds of search of Archibald, Maier, Stewart and Trinder, YewPar: Skeletons for
Exact Combinatorial Search (2020).  How a tree is searched in parallel is for a strategy to say.
"""

from __future__ import annotations

from abc import abstractmethod
from math import isfinite
from typing import Any

from attrs import evolve, field, frozen

from games import Game, Status
from games.game import SEARCH_PLIES, has_chance
from graphs.arguments import shown
from strategies.algorithms.algorithm import Algorithm, PositionSearch
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import Interval, Rule
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import control_for, plain
from strategies.native.failures import failure_at, raise_failure
from strategies.native.hooks import bounds_of
from strategies.native.kernels.control import LEAVES, NODES, STOP, Place, cell_of, leaf, row_of
from strategies.native.kernels.trees import (
    BUDGET,
    CUT,
    LIMITED,
    LINES,
    PATH_ENDS,
    SPENT,
    TOP,
    UNTIL,
    best_leaf,
    fold_tree,
)
from strategies.native.memory.floats import INFINITY, below
from strategies.native.memory.shared_cells import at_least, no_incumbent
from strategies.native.memory.transposition_table import Counts
from strategies.native.tree_hooks import combined_of, measure_of

WHOLE = 400
"""The depth that means the whole tree: at first so many plies, and more if the tree goes on."""
MORE = 8
"""The factor by which the plies grow."""


def control_on(at: PositionSearch, whole: bool, place: Place = row_of) -> Any:
    """Create the control cells of a search, with its path, the end of its part of the node, and
    the most nodes; the `whole` tree is to be searched if its depth is not limited, and `place` is
    the cell of a ply."""
    control = control_for(at.depth, LINES, place)
    control[CUT] = 0 if whole else LIMITED
    control[BUDGET] = at.limit
    control[PATH_ENDS] = at.depth - len(at.path) + 1 if at.path else 0
    if at.until is not None:
        control[TOP], control[UNTIL] = at.depth, at.until
    for plies, index in zip(range(at.depth, 0, -1), at.path, strict=False):
        control[place(LINES, plies)] = index
    return control


def found_in(control: Any, depth: int, value: Any, place: Place = row_of) -> Found:
    """Return what a search found, and its path if it has visited as many nodes as it may."""
    path: tuple[int, ...] = ()
    if control[STOP] == SPENT:
        plies = range(depth, control[PATH_ENDS] - 1, -1)
        path = tuple(control[place(LINES, left)] for left in plies)
    return Found(
        value,
        control[NODES],
        control[LEAVES],
        (),
        Counts(),
        not control[STOP],
        path=path,
        cut=control[CUT] == 1,
    )


class TreeSearch(Algorithm):
    """A search of a tree: of a game without opponents and chance."""

    deepens = False
    splits = True

    def value_text(self, value: Any) -> str:
        """Return the value itself: it is no guess."""
        return str(value)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError for a game with opponents or chance."""
        named = type(game).__name__
        if game.players != 1:
            raise AlgorithmError(
                f"{self.name} is for trees, whose nodes have one player, but {named} has "
                f"{game.players} players; use alphabeta, or maxn for three and more"
            )
        if has_chance(type(game)):
            raise AlgorithmError(
                f"{self.name} is for trees without chance, but {named} has outcomes; use expectimax"
            )

    def search(self, at: PositionSearch) -> Found:
        """Search below one node; if the whole tree is asked for, as deep as it goes.

        Raises: AlgorithmError if it is deeper than any search.
        """
        if self.depth != WHOLE:
            return self.search_to(at)
        plies = max(WHOLE, len(at.path))
        while (found := self.search_to(at._replace(depth=plies))).cut:
            if plies == SEARCH_PLIES:
                raise AlgorithmError(
                    f"the tree goes on below {SEARCH_PLIES:,} plies, the most that a search "
                    f"visits: give a smaller depth, as {self.name}(depth=100), to cut it off there"
                )
            plies = min(MORE * plies, SEARCH_PLIES)
        return found

    @abstractmethod
    def search_to(self, at: PositionSearch) -> Found:
        """Search below one node to a depth; the result is `cut` if the whole tree is deeper."""


class BranchAndBound(TreeSearch):
    """A search for a leaf, which cuts off branches by the incumbent."""

    kernel = staticmethod(best_leaf)

    def search_to(self, at: PositionSearch) -> Found:
        """Search below one node, with the incumbent of searches that run at the same time."""
        control = control_on(at, self.depth == WHOLE)
        shared = no_incumbent() if at.incumbent is None else at.incumbent.cell
        at.engine.settle(best_leaf)
        value, line = run_kernel(
            at.engine, best_leaf, at.state, at.depth, *at.window,
            control=control, memory=shared, stop=at.stop, rows=LINES,
            again=(-INFINITY, INFINITY),
        )  # fmt: skip
        return evolve(
            found_in(control, at.depth, plain(float(value))),
            line=line,
            raised=at_least(shared),
        )

    def bounded(self, game: Game[Any, Any], state: Any, alpha: float) -> bool:
        """Return whether the upper bound of a node is no better than the incumbent."""
        return bounds_of(game, state, alpha)[1] <= alpha

    def leaf_value(self, game: Game[Any, Any], state: Any, depth: int) -> float:
        """Return the value of a leaf; at the last ply, of a node, by its upper bound at most."""
        value = leaf(game, state)
        if game.status(state) != Status.IN_PLAY:
            return value
        return min(value, bounds_of(game, state, 0.0)[1])


@frozen(repr=False)
class Optimisation(BranchAndBound):
    """Branch and bound: the best leaf."""

    name = "optimisation"


def _check_number(_instance: object, attribute: Any, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise AlgorithmError(f"{attribute.name} must be a number, not {shown(value)}")


@frozen(repr=False)
class Decision(BranchAndBound):
    """Branch and bound for one question: is there a leaf of at least this value?"""

    target: float = field(validator=_check_number, kw_only=True)

    name = "decision"
    no_move = "no leaf is worth as much"

    def value_text(self, value: Any) -> str:
        """Return the answer: whether there is such a leaf."""
        if value >= self.target:
            return f"a leaf of {value}, which is {self.target} or more"
        return f"no leaf of {self.target} or more, but {value} at most"

    def answer(self, move: Any, value: Any) -> tuple[Any, ...]:
        """Return whether there is such a leaf; which one, and the bound, depend on the strategy."""
        return (value >= self.target,)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Return nothing: the window tells the kernel the target."""
        return ()

    @property
    def window(self) -> Interval:
        """Return the window that the question asks for."""
        return below(self.target), self.target


@frozen(repr=False)
class Enumeration(TreeSearch):
    """A fold over all nodes."""

    name = "enumeration"
    kernel = staticmethod(fold_tree)
    no_move = "all nodes count"
    narrows = False
    tuples = True

    def search_to(self, at: PositionSearch) -> Found:
        """Fold over the nodes below one."""
        control = control_on(at, self.depth == WHOLE, cell_of)
        at.engine.settle(fold_tree)
        value, _ = run_kernel(
            at.engine, fold_tree, at.state, at.depth,
            control=control, stop=at.stop, rows=LINES, place=cell_of,
        )  # fmt: skip
        return found_in(control, at.depth, value, cell_of)

    def own_value(self, game: Game[Any, Any], state: Any) -> Any:
        """Return what a node itself adds to the fold.

        Raises: `RuleFailed`.
        """
        try:
            return measure_of(game, state)
        except Exception as error:
            raise_failure(failure_at(game, state, error), error)

    def leaf_value(self, game: Game[Any, Any], state: Any, depth: int) -> Any:
        """Return the value of a leaf, its measure."""
        return measure_of(game, state)

    def rule(self, game: Game[Any, Any], scouts: bool = False) -> Rule:
        """Return the rule that combines branches by the tree's own operation."""
        return Rule(False, many=True, combine=Combine(game))


@frozen
class Combine:
    """The operation of a tree that combines two results of a fold."""

    game: Game[Any, Any]

    def __call__(self, first: Any, second: Any) -> Any:
        return combined_of(self.game, first, second)


def optimisation(depth: int = WHOLE) -> Algorithm:
    """Search a tree for its best leaf by branch and bound, at most `depth` plies deep.

    The default searches the whole tree, however deep, in memory of 4 kB a ply.

    Requires: a game of one player, such as a `SearchTree`; `utility` values a leaf.  A branch is
    cut off if the upper of its `bounds` is no better than the best leaf so far, the *incumbent*.
    At the last ply, a node is worth its `estimate`, or its upper bound if that is less.
    Ensures: the value and the leftmost best line.  Fixed windows visit the same nodes on every run;
    under a strategy with live windows, tasks share the incumbent.
    Source: Land and Doig (1960); Archibald and others, YewPar (2020).

    >>> optimisation()
    optimisation(depth=400)
    """
    return Optimisation(depth)


def decision(target: float, depth: int = WHOLE) -> Algorithm:
    """Search a tree for a leaf whose value is at least `target`; end everywhere if one is found.

    Requires: as `optimisation`.
    Ensures: a value of at least `target`, with the line to such a leaf; or a lower value, an upper
    bound of all leaves.  Which leaf is found depends on the strategy; whether there is one does
    not.

    >>> decision(21)
    decision(depth=400, target=21)
    """
    return Decision(depth, target=target)


def enumeration(depth: int = WHOLE) -> Algorithm:
    """Fold over all nodes of a tree, down to `depth` plies: combine what each node measures.

    Requires: a game of one player; its `measure` of a node and its associative `combine` are those
    of `SearchTree`, unless it defines others.  The default counts nodes.
    Ensures: the same value under every strategy, since nodes keep their order: each before those
    below it, from left to right.

    >>> enumeration(12)
    enumeration(depth=12)
    """
    return Enumeration(depth)
