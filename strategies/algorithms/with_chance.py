"""Searches of games with chance moves: expectimax, with and without pruning at chance nodes."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import field, frozen

from games import WIN, Game
from games.game import SEARCH_PLIES
from graphs.arguments import shown
from strategies.algorithms.algorithm import Algorithm, PositionSearch, size_of
from strategies.algorithms.errors import AlgorithmError, flag
from strategies.algorithms.fold import Interval, Rule
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.expectimax import search_expectimax, search_star
from strategies.native.kernels.expectimax import expectimax as expectimax_kernel
from strategies.native.kernels.star import roomy
from strategies.native.kernels.star import star as star_kernel

PRUNINGS = ("star1", "star2")


def _cutoff(_instance: object, _attribute: object, value: float, most: float = inf) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise AlgorithmError(
            f"cutoff must be a probability from 0 to 1, such as 1e-4, not {shown(value)}"
        )


def _pruning(_instance: object, _attribute: object, value: str) -> None:
    if value not in PRUNINGS:
        raise AlgorithmError(f"pruning must be 'star1', 'star2' or None, not {shown(value)}")


@frozen(repr=False)
class Expectimax(Algorithm):
    """Expectimax: every branch of every node, with means at chance nodes."""

    cutoff: float = field(default=0.0, validator=_cutoff, kw_only=True)
    rounded: bool = field(default=False, validator=flag, kw_only=True)

    name = "expectimax"
    kernel = staticmethod(expectimax_kernel)
    narrows = False
    follows = True

    @property
    def plain(self) -> bool:
        """Return whether it has no options."""
        return not (self.table or self.cutoff or self.rounded)

    def search(self, at: PositionSearch) -> Found:
        """Search one position with the options: a cut-off, rounded means, a table."""
        return search_expectimax(
            at.engine, at.state, at.depth, cutoff=self.cutoff, rounded=self.rounded,
            reach=at.reach, table=at.table, nearer=self.nearer_wins, stop=at.stop,
        )  # fmt: skip


@frozen(repr=False)
class Star(Algorithm):
    """Expectimax with windows that pass through chance nodes."""

    pruning: str = field(default="star1", validator=_pruning, kw_only=True)

    name = "expectimax"
    kernel = staticmethod(star_kernel)

    @property
    def options(self) -> dict[str, Any]:
        """Return the options, and always how it prunes."""
        return {**super().options, "pruning": self.pruning}

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if the game does not define the bounds of its values."""
        super().check(game)
        self.bounds(game)

    def rule(self, game: Game[Any, Any], scouts: bool = False) -> Rule:
        """Return the rule that combines branches, with the bounds of all values."""
        return Rule(self.narrows, self.rounded, self.tuples, roomy(*self.bounds(game)), scouts)

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
        more = SEARCH_PLIES if self.nearer_wins else 0
        return float(low) - more * (low <= -WIN), float(high) + more * (high >= WIN)

    def search(self, at: PositionSearch) -> Found:
        """Search one position with windows at chance nodes: Star1, or with probes Star2."""
        return search_star(
            at.engine, at.state, at.depth, self.bounds(at.engine.game), *at.window,
            probes=self.pruning == "star2", table=at.table, nearer=self.nearer_wins, stop=at.stop,
        )  # fmt: skip


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
    size = size_of(table)
    _cutoff(None, None, cutoff, most=1)
    if pruning is None:
        return Expectimax(
            depth, nearer_wins=nearer_wins, table=size, cutoff=cutoff, rounded=rounded
        )
    if rounded:
        raise AlgorithmError(
            "pruning cannot be combined with rounded, because a rounded mean may lie outside the "
            "bounds of all values: two halves of 3 are 2 each, 4 in all; leave one out"
        )
    if cutoff:
        raise AlgorithmError("pruning cannot be combined with cutoff; leave one out")
    return Star(depth, nearer_wins=nearer_wins, table=size, pruning=pruning)
