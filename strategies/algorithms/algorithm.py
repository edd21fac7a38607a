"""Search algorithms: what is computed at a node.  A strategy says how it is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any, Final

from attrs import evolve, field, frozen

from games import CHANCE, WIN, Game, Status
from games.game import LONGEST
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import Interval, Rule
from strategies.algorithms.monte_carlo import MonteCarlo, unplanned
from strategies.native.kernels.control import nearer_win
from strategies.native.kernels.star_bounds import roomy
from strategies.native.memory.transposition_table import parse_size, show_size, table_size

DEEPEST = 400
"""The greatest depth of a search; a deeper recursion could overflow a thread's stack."""


def _depth(_instance: object, _attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= DEEPEST:
        raise AlgorithmError(
            f"depth must be a whole number from 0 to {DEEPEST}, not {shown(value)}"
        )


def _cutoff(_instance: object, _attribute: object, value: float, most: float = inf) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise AlgorithmError(
            f"cutoff must be a probability from 0 to 1, such as 1e-4, not {shown(value)}"
        )


def _flag(_instance: object, attribute: Any, value: object) -> None:
    if not isinstance(value, bool):
        raise AlgorithmError(f"{attribute.name} must be True or False, not {shown(value)}")


def _name(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, str):
        raise AlgorithmError(f"name must be the name of an algorithm, not {shown(value)}")


PRUNINGS = ("star1", "star2")


def _pruning(_instance: object, _attribute: object, value: str | None) -> None:
    if value is not None and value not in PRUNINGS:
        raise AlgorithmError(f"pruning must be 'star1', 'star2' or None, not {shown(value)}")


@frozen(repr=False)
class Algorithm:
    """A search algorithm with its depth in plies; a chance move counts as a ply.

    At depth 0, the value is the estimate of the position, and there is no move.
    """

    name: str = field(validator=_name)
    depth: int = field(validator=_depth)
    narrows: bool = True
    """Whether windows narrow: False visits every node."""
    nearer_wins: bool = field(default=True, validator=_flag)
    """Whether to prefer the nearer of two forced wins, and the later of two forced losses."""
    table: int = 0
    """The bytes of the transposition table that the tasks of a process share; 0 for none."""
    usual_table: int = field(default=0, repr=False)
    """The default size of the table, which the repr leaves out."""
    cutoff: float = field(default=0.0, validator=_cutoff)
    """The least probability of a chance node that is still expanded; above 1 if that is counted
    from a position above the root."""
    rounded: bool = field(default=False, validator=_flag)
    """Whether to round each term of a mean to a whole number."""
    pruning: str | None = field(default=None, validator=_pruning)
    """How windows pass through chance nodes: ``star1``, ``star2``, or not at all."""
    tuples: bool = False
    """Whether values are tuples with a number for each player, who maximizes that number."""
    deepens: bool = True
    """Whether the algorithm can deepen iteratively, so that it can stop at any time."""
    many: bool = False
    """Whether the game may have three players or more."""
    method: str = field(default="", repr=False)
    """The entry in METHODS of `running.execution.dispatch`; "" for the one of the same name."""

    @property
    def coalition(self) -> bool:
        """Return whether all other players are treated as one opponent."""
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
        """Return whether all options except depth and `nearer_wins` have their defaults."""
        return not (self.tuples or self.table or self.cutoff or self.rounded or self.pruning)

    def cuts(self, game: Game[Any, Any], state: Any, reach: float) -> bool:
        """Return whether a position in play, reached with probability `reach`, is not expanded."""
        return reach < self.cutoff and game.player(state) == CHANCE

    def leaf_value(self, game: Game[Any, Any], state: Any, depth: int) -> float:
        """Return the value of a leaf; with `nearer_wins`, a win gains the plies left."""
        if game.status(state) == Status.IN_PLAY:
            return game.estimate(state)
        return nearer_win(game.utility(state), depth if self.nearer_wins else 0)

    def rule(self, game: Game[Any, Any], scouts: bool = False) -> Rule:
        """Return the rule that combines branches; `scouts` adds null-window tests."""
        bounds = roomy(*self.bounds(game)) if self.pruning else None
        return Rule(self.narrows, self.rounded, self.tuples, bounds, scouts)

    def bounds(self, game: Game[Any, Any]) -> Interval:
        """Return the bounds of all values.

        Raises: AlgorithmError if the game does not define them.
        """
        known = game.value_range
        if known is None:
            raise AlgorithmError(
                f"{self.pruning} needs bounds of all values, but {type(game).__name__} has no "
                "value_range; leave out pruning"
            )
        if not (isinstance(known, tuple) and len(known) == 2 and -inf < known[0] <= known[1] < inf):
            raise AlgorithmError(
                f"value_range of {type(game).__name__} must be two finite numbers, the lower first,"
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
        """Return the algorithm without its depth and table; only equal ones may share a table.

        The depth is left out because each entry of a table has its own.  New options count without
        being named here.

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
                f"{self.name} is for three players or more, but {named} has {game.players}; "
                "use alphabeta, or expectimax if the game has chance moves"
            )
        if not self.many and game.players > 2:
            raise AlgorithmError(
                f"{self.name} is for one player or two opponents, but {named} has {game.players} "
                "players; use maxn or paranoid"
            )
        if self.pruning:
            self.bounds(game)


def minimax(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Search every branch of every node: maxima, minima, and means at chance nodes.

    Raises: AlgorithmError if depth is not a whole number from 0 to 400.

    >>> minimax(4)
    minimax(depth=4)
    """
    return Algorithm("minimax", depth, False, nearer_wins, deepens=False)


def alphabeta(depth: int, *, nearer_wins: bool = True, table: int | str | None = None) -> Algorithm:
    """Search by fail-soft alpha-beta; chance nodes open the window for their branches.

    With a `table` (its size in bytes, or such as "64MB"), a position is searched only once to the
    same depth: the same value and move, fewer nodes.
    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975).

    >>> alphabeta(depth=8, nearer_wins=False)
    alphabeta(depth=8, nearer_wins=False)
    >>> alphabeta(8, table="64MB")
    alphabeta(depth=8, table='64MB')
    """
    return Algorithm("alphabeta", depth, True, nearer_wins, _size(table))


def pvs(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search by principal variation search: alpha-beta with iterative deepening, move ordering and
    null-window tests of all branches but the first.

    Ensures: the value and the move of alpha-beta, in most games with far fewer nodes.  If tasks
    share the table in parallel, the number of nodes varies from run to run.
    Source: Marsland and Campbell (1982); Reinefeld (1983).

    >>> pvs(depth=12)
    pvs(depth=12)
    """
    return Algorithm("pvs", depth, True, nearer_wins, _size(table), parse_size("16MB"))


def mtdf(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search by MTD(f): null-window searches only, each placed by the result of the one before.

    Ensures: the value and the move of alpha-beta.  It visits few nodes if the game has few
    different values; an estimate with many fine steps takes many searches.
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
        kept = "; pass a kept table to solve(game, memory=…) or compute(memory=…)"
        hint = "" if isinstance(table, (int, float, str)) else kept
        raise AlgorithmError(f"table: {error}{hint}") from None


def expectimax(
    depth: int, *, nearer_wins: bool = True, table: int | str | None = None, cutoff: float = 0,
    rounded: bool = False, pruning: str | None = None,
) -> Algorithm:  # fmt: skip
    """Search every branch of every node, with means at chance nodes; without chance, it is minimax.

    With a `table` (its size in bytes, or such as "64MB"), the result of a position is reused when
    it is met again with the same plies left (and, with a `cutoff`, the same probability): the same
    value and move, fewer nodes.
    With a `cutoff`, a chance node whose probability from the root is below it gets its estimate and
    is not expanded.  The value is then an approximation, the same for every strategy, table and
    number of workers.  0 means no cutoff.
    With `rounded`, each outcome's share of a mean is rounded to a whole number, a half to the even
    one, as in programs that use integers.
    With `pruning`, windows narrow as in alpha-beta and pass through chance nodes: the same value
    and move, fewer nodes.  "star1" cuts a chance node off when its other outcomes cannot bring the
    mean back into the window; "star2" first probes the first move of each outcome, for earlier
    bounds.  With a table, the results of probes are reused.
    Requires: for `pruning`, a game with a `value_range`, no `cutoff` and not `rounded`.
    Sources: for `cutoff`, R. Xiao, 2048-ai (2014), whose depth limit n is 2 n + 1 plies; for
    `pruning`, Ballard, The star-minimax search procedure for trees containing chance nodes (1983).

    >>> expectimax(7, cutoff=1e-4, table="1MB")
    expectimax(depth=7, table='1MB', cutoff=0.0001)
    >>> expectimax(9, pruning="star2")
    expectimax(depth=9, pruning='star2')
    """
    size = _size(table)
    _cutoff(None, None, cutoff, most=1)
    if pruning and (cutoff or rounded):
        raise AlgorithmError("pruning cannot be combined with cutoff or rounded; leave one out")
    return Algorithm(
        "expectimax", depth, bool(pruning), nearer_wins, size, cutoff=cutoff, rounded=rounded,
        pruning=pruning,
    )  # fmt: skip


def maxn(depth: int, *, table: None = None) -> Algorithm:
    """Search by max^n: each player takes the branch that is best for them, the leftmost of equals.

    Requires: a game of three players or more, whose values are tuples, a number for each player.
    Ensures: the value is such a tuple.  Pruning is done only inside a task, by the game's
    `value_range` and `value_sum`: the same value and move, fewer nodes.
    Source: Luckhardt and Irani, An algorithmic solution of n-person games (1986); Korf,
    Multi-player alpha-beta pruning (1991).

    >>> maxn(6)
    maxn(depth=6)
    """
    _no_table("maxn", table)
    return Algorithm("maxn", depth, False, tuples=True, many=True)


def paranoid(depth: int, *, table: None = None) -> Algorithm:
    """Search by alpha-beta for the player to move at the root, against a coalition of all others.

    Requires: as `maxn`.
    Ensures: the value is the largest that this player can secure, whatever the others do.
    Source: Sturtevant and Korf, On pruning techniques for multi-player games (2000).

    >>> paranoid(6)
    paranoid(depth=6)
    """
    _no_table("paranoid", table)
    return Algorithm("paranoid", depth, many=True, method="pvs")


def _no_table(name: str, table: object) -> None:
    if table is not None:
        raise AlgorithmError(f"{name} searches without a table: leave out table={shown(table)}")


ALGORITHMS: Final[dict[str, Callable[..., Algorithm]]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "expectimax": expectimax,
    "pvs": pvs,
    "mtdf": mtdf,
    "maxn": maxn,
    "paranoid": paranoid,
}
"""The names that the text of an algorithm may use."""


def check_algorithm(algorithm: Any) -> None:
    """Check that an argument is an algorithm that searches to a depth.

    Raises: ArgumentError; AlgorithmError for `mcts`, which has no plan.

    >>> check_algorithm(8)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: an algorithm is needed, as alphabeta(depth=8), not 8
    """
    if isinstance(algorithm, MonteCarlo):
        raise unplanned()
    if not isinstance(algorithm, Algorithm):
        text = isinstance(algorithm, str) and algorithm
        hint = f"; write parse_algorithm({shown(algorithm)})" if text else ""
        raise ArgumentError(
            f"an algorithm is needed, as alphabeta(depth=8), not {shown(algorithm)}{hint}"
        )
