"""Search algorithms: what is computed at a node.  How it is evaluated is a strategy's business."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any, Final

from attrs import evolve, field, frozen

from games import CHANCE, WIN, Game, Status
from games.game import LONGEST
from graphs.arguments import shown
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import Interval, Rule
from strategies.native.kernels.control import nearer_win
from strategies.native.kernels.star_bounds import roomy
from strategies.native.memory.transposition_table import parse_size, show_size, table_size

DEEPEST = 400
"""The greatest depth of a search: a deeper recursion could outgrow a thread's stack."""


LINE = 200
"""Characters of a text that an error repeats."""


def _depth(_instance: object, _attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= DEEPEST:
        raise AlgorithmError(f"depth is a whole number from 0 to {DEEPEST}, not {shown(value)}")


def _probability(_instance: object, _attribute: object, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise AlgorithmError(f"cutoff is a probability, 0 to 1, as 1e-4; not {value!r}")


def _flag(_instance: object, attribute: Any, value: object) -> None:
    if not isinstance(value, bool):
        raise AlgorithmError(f"{attribute.name} is True or False, not {shown(value)}")


def _name(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, str):
        raise AlgorithmError(f"name is the text that names an algorithm, not {shown(value)}")


PRUNINGS = ("star1", "star2")


def _pruning(_instance: object, _attribute: object, value: str | None) -> None:
    if value is not None and value not in PRUNINGS:
        raise AlgorithmError(f"pruning is 'star1', 'star2' or None, not {value!r}")


@frozen(repr=False)
class Algorithm:
    """A search algorithm, and the depth in plies to which it searches; chance counts as a ply.

    At depth 0 the estimate of the position is its value, and there is no move.
    """

    name: str = field(validator=_name)
    depth: int = field(validator=_depth)
    narrows: bool = True
    """Whether windows narrow: False visits every node."""
    nearer_wins: bool = field(default=True, validator=_flag)
    """Whether of two forced wins the nearer is chosen (and of two forced losses the later)."""
    table: int = 0
    """Bytes of the transposition table that the tasks of a process share; 0 for none."""
    usual_table: int = field(default=0, repr=False)
    """The table that is not worth saying when the algorithm prints."""
    cutoff: float = field(default=0.0, validator=_probability)
    """Chance nodes that are met with a probability below it are not opened."""
    rounded: bool = field(default=False, validator=_flag)
    """Whether each term of a mean is rounded to a whole number."""
    pruning: str | None = field(default=None, validator=_pruning)
    """How windows pass through chance nodes: ``star1``, ``star2``, or not at all."""
    tuples: bool = False
    """Whether a value is a tuple, a number for each player, who each maximise their own."""
    deepens: bool = True
    """Whether a shallower search is of use, so that it can be ended at any time."""
    many: bool = False
    """Whether three players or more may take part."""
    method: str = field(default="", repr=False)
    """The method of `running.execution.dispatch` that searches so; "" for the one of its name."""

    @property
    def coalition(self) -> bool:
        """Return whether all other players are taken for one opponent."""
        return self.many and not self.tuples

    def __repr__(self) -> str:
        more = "" if self.nearer_wins else ", nearer_wins=False"
        if self.table != self.usual_table:
            more += f", table={show_size(self.table)!r}"
        more += f", cutoff={self.cutoff!r}" if self.cutoff else ""
        more += ", rounded=True" if self.rounded else ""
        more += f", pruning={self.pruning!r}" if self.pruning else ""
        return f"{self.name}(depth={self.depth}{more})"

    @cached_property
    def plain(self) -> bool:
        """Return whether it has no option but its depth, and how wins count."""
        return not (self.tuples or self.table or self.cutoff or self.rounded or self.pruning)

    def cuts(self, game: Game[Any, Any], state: Any, reach: float) -> bool:
        """Return whether a position in play, reached with probability `reach`, is not expanded."""
        return reach < self.cutoff and game.player(state) == CHANCE

    def leaf_value(self, game: Game[Any, Any], state: Any, depth: int) -> float:
        """Evaluate a leaf: a nearer win is worth more, by the plies left."""
        if game.status(state) == Status.IN_PLAY:
            return game.estimate(state)
        return nearer_win(game.utility(state), depth if self.nearer_wins else 0)

    def rule(self, game: Game[Any, Any], scouts: bool = False) -> Rule:
        """Return the rule by which branches are combined; with `scouts` younger ones are tested."""
        bounds = roomy(*self.bounds(game)) if self.pruning else None
        return Rule(self.narrows, self.rounded, self.tuples, bounds, scouts)

    def bounds(self, game: Game[Any, Any]) -> Interval:
        """Return the bounds of all values.

        Raises: AlgorithmError if the game does not say.
        """
        known = game.value_range
        if known is None:
            raise AlgorithmError(
                f"{self.pruning} needs bounds of all values: {type(game).__name__} has no "
                "value_range, so leave out pruning"
            )
        if not (isinstance(known, tuple) and len(known) == 2 and -inf < known[0] <= known[1] < inf):
            raise AlgorithmError(
                f"value_range of {type(game).__name__} is two finite numbers, the lower one first,"
                f" not {shown(known)}"
            )
        low, high = known
        more = LONGEST if self.nearer_wins else 0
        return float(low) - more * (low <= -WIN), float(high) + more * (high >= WIN)

    def at_depth(self, depth: int) -> Algorithm:
        """Return the same algorithm at another depth."""
        return evolve(self, depth=depth)

    @property
    def meaning(self) -> Algorithm:
        """Return what the entries of its table mean: only equal algorithms may share one.

        It is all that the algorithm is but its depth, which each entry says for itself: an option
        that is added counts without being named here.

        >>> alphabeta(3, table="4kB").meaning == alphabeta(8, table="4kB").meaning
        True
        >>> alphabeta(3, table="4kB").meaning == expectimax(3, table="4kB").meaning
        False
        """
        return self.at_depth(0)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if this algorithm would be wrong for `game`."""
        named = type(game).__name__
        if self.tuples and game.players < 3:
            raise AlgorithmError(
                f"{self.name} is for three players or more, each with a value of his own; "
                f"{named} has {game.players}: use alphabeta, or expectimax where chance moves"
            )
        if not self.many and game.players > 2:
            raise AlgorithmError(
                f"{self.name} is for one or two players whose interests are opposed; "
                f"{named} has {game.players} players: use maxn or paranoid"
            )
        if self.pruning:
            self.bounds(game)


def minimax(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Search every branch of every node: maxima, minima, and means at chance nodes.

    >>> minimax(4)
    minimax(depth=4)
    """
    return Algorithm("minimax", depth, False, nearer_wins, deepens=False)


def alphabeta(depth: int, *, nearer_wins: bool = True, table: int | str | None = None) -> Algorithm:
    """Search by fail-soft alpha-beta; no window passes through a chance node (a closed one does).

    With a `table` of so many bytes, a position that was searched before to the same depth is not
    searched again: same value and move, fewer nodes.
    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975).

    >>> alphabeta(depth=8, nearer_wins=False)
    alphabeta(depth=8, nearer_wins=False)
    >>> alphabeta(8, table="64MB")
    alphabeta(depth=8, table='64MB')
    """
    return Algorithm("alphabeta", depth, True, nearer_wins, _size(table))


def pvs(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search the principal variation first: alpha-beta with iterative deepening and move ordering,
    which tests all but the first branch of a node with a null window.

    Ensures: the value and the move of alpha-beta, on most games in far fewer nodes.  (Where many
    tasks share the table, how many depends on who was first.)
    Source: Marsland and Campbell (1982); Reinefeld (1983).

    >>> pvs(depth=12)
    pvs(depth=12)
    """
    return Algorithm("pvs", depth, True, nearer_wins, _size(table), parse_size("16MB"))


def mtdf(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search by null windows alone, each set by the result of the one before, from a first guess.

    Ensures: the value and the move of alpha-beta.  It visits few nodes where there are few
    different values; many fine steps of an estimate take many searches.
    Source: Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms (1996).

    >>> mtdf(depth=12, table="1GB")
    mtdf(depth=12, table='1GB')
    """
    return Algorithm("mtdf", depth, True, nearer_wins, _size(table), parse_size("16MB"))


def _size(table: int | str | None) -> int:
    """Return the bytes of a table."""
    try:
        return 0 if table is None else table_size(table)
    except ValueError as error:
        kept = "; a table that is kept is for solve(game, memory=…) and compute(memory=…)"
        hint = "" if isinstance(table, (int, float, str)) else kept
        raise AlgorithmError(f"table: {error}{hint}") from None


def expectimax(
    depth: int, *, nearer_wins: bool = True, table: int | str | None = None, cutoff: float = 0,
    rounded: bool = False, pruning: str | None = None,
) -> Algorithm:  # fmt: skip
    """Search every branch of every node, with means at chance nodes: without chance, it is minimax.

    With a `table` of so many bytes, what was found of a position is used again where it is met with
    the same plies left (and, under a cut-off, the same probability): same value and move, fewer
    nodes.
    With a `cutoff`, a chance node whose probability from the root is below it is not opened: the
    estimate stands for it.  The value is then an approximation, and the same for every strategy,
    table and number of workers.  0 is no cut-off.
    With `rounded`, each outcome's share of a mean is rounded to a whole number, a half to the even
    one, as in programs that count in whole numbers.
    With `pruning`, windows narrow as in alpha-beta, and pass through chance nodes: same value and
    move, fewer nodes.  "star1" leaves a chance node once its other outcomes cannot bring its mean
    back into the window; "star2" first probes each outcome by the first move there, for bounds that
    come sooner.  With a table, what a probe finds is not searched twice.
    Requires: for `pruning`, a game with a `value_range`, no `cutoff` and not `rounded`.
    Sources: R. Xiao, 2048-ai (2014), whose depth limit n is 2 n + 1 plies, of the cut-off; Ballard,
    The star-minimax search procedure for trees containing chance nodes (1983), of the prunings.

    >>> expectimax(7, cutoff=1e-4, table="1MB")
    expectimax(depth=7, table='1MB', cutoff=0.0001)
    >>> expectimax(9, pruning="star2")
    expectimax(depth=9, pruning='star2')
    """
    size = _size(table)
    if pruning and (cutoff or rounded):
        raise AlgorithmError("pruning goes with neither cutoff nor rounded: leave out one of them")
    return Algorithm(
        "expectimax", depth, bool(pruning), nearer_wins, size, cutoff=cutoff, rounded=rounded,
        pruning=pruning,
    )  # fmt: skip


def maxn(depth: int) -> Algorithm:
    """Search by max^n: each of several players takes his own best branch, of equals the leftmost.

    Requires: a game of three players or more, whose values are tuples, a number for each player.
    Ensures: the value is such a tuple.  Branches are pruned only inside a task, by the game's
    `value_range` and `value_sum`: same value and move, fewer nodes.
    Source: Luckhardt and Irani, An algorithmic solution of n-person games (1986); Korf,
    Multi-player alpha-beta pruning (1991).

    >>> maxn(6)
    maxn(depth=6)
    """
    return Algorithm("maxn", depth, False, tuples=True, many=True)


def paranoid(depth: int) -> Algorithm:
    """Search by alpha-beta for the player who moves first, against a coalition of all others.

    Requires: as `maxn`.
    Ensures: the value is that player's, at least as much as he can be kept from losing.
    Source: Sturtevant and Korf, On pruning techniques for multi-player games (2000).

    >>> paranoid(6)
    paranoid(depth=6)
    """
    return Algorithm("paranoid", depth, many=True, method="pvs")


ALGORITHMS: Final[dict[str, Callable[..., Algorithm]]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "expectimax": expectimax,
    "pvs": pvs,
    "mtdf": mtdf,
    "maxn": maxn,
    "paranoid": paranoid,
}
"""The names that an algorithm's text may use."""
