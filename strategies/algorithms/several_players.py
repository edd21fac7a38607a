"""Searches of games of three players and more: max^n, and alpha-beta against a coalition."""

from __future__ import annotations

from attrs import field, frozen

from graphs.arguments import shown
from strategies.algorithms.algorithm import Algorithm, PositionSearch, or_none
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.two_players import Ordered
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.maxn import search_maxn
from strategies.native.kernels.maxn import maxn as maxn_kernel


@frozen(repr=False)
class MaxN(Algorithm):
    """Max^n: each player takes the branch that is best for them."""

    name = "maxn"
    kernel = staticmethod(maxn_kernel)
    narrows = False
    tuples = True
    many = True

    def search(self, at: PositionSearch) -> Found:
        """Search one position; there is no window."""
        return search_maxn(at.engine, at.state, at.depth, at.stop)


@frozen(repr=False)
class Paranoid(Ordered):
    """Alpha-beta for the player to move at the root, against a coalition of all others."""

    table: int = field(default=0, converter=or_none, kw_only=True)

    name = "paranoid"
    many = True


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
    return MaxN(depth)


def paranoid(depth: int, *, table: None = None) -> Algorithm:
    """Search by alpha-beta for the player to move at the root, against a coalition of all others.

    Requires: as `maxn`.
    Ensures: the value is the largest that this player can secure, whatever the others do.
    Source: Sturtevant and Korf, On pruning techniques for multi-player games (2000).

    >>> paranoid(6)
    paranoid(depth=6)
    """
    _no_table("paranoid", table)
    return Paranoid(depth)


def _no_table(name: str, table: object) -> None:
    if table is not None:
        raise AlgorithmError(f"{name} searches without a table: leave out table={shown(table)}")
