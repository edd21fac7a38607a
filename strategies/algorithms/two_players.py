"""Searches for one player or two opponents: minimax, and alpha-beta with and without ordering."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import field, frozen

from strategies.algorithms.algorithm import Algorithm, PositionSearch, or_none, size_of
from strategies.native.calls.alphabeta import Found
from strategies.native.calls.deepening import search_deepening
from strategies.native.calls.windows import aspiration, whole
from strategies.native.calls.windows import mtdf as from_guess
from strategies.native.kernels.alphabeta import alphabeta as alphabeta_kernel
from strategies.native.kernels.fixed_depth import search as fixed_depth_kernel

USUAL_TABLE = "16MB"
"""The size of the table of a search with move ordering."""


@frozen(repr=False)
class Minimax(Algorithm):
    """Minimax: every branch of every node."""

    name = "minimax"
    kernel = staticmethod(fixed_depth_kernel)
    narrows = False
    deepens = False
    plain = True
    follows = True


@frozen(repr=False)
class AlphaBeta(Algorithm):
    """Alpha-beta, over a table if it has one, with the branches in the game's order."""

    name = "alphabeta"
    kernel = staticmethod(alphabeta_kernel)
    follows = True
    windows: ClassVar[Any] = staticmethod(whole)

    @property
    def plain(self) -> bool:
        """Return whether it searches without a table."""
        return not self.table

    def search(self, at: PositionSearch) -> Found:
        """Search one position over a table."""
        return at.by(*at.ordered, nearer=self.nearer_wins, stop=at.stop)


@frozen(repr=False)
class Ordered(AlphaBeta):
    """Principal variation search: iterative deepening, with move ordering and null windows."""

    table: int = field(default=size_of(USUAL_TABLE), converter=or_none, kw_only=True)

    name = "pvs"
    iterates = True
    windows: ClassVar[Any] = staticmethod(aspiration)
    last: ClassVar[Any] = staticmethod(whole)
    """The `Approach` at the requested depth."""

    def search(self, at: PositionSearch) -> Found:
        """Search one position by iterative deepening to the requested depth."""
        return search_deepening(
            *at.ordered, last=self.last, by=at.by, stride=at.stride,
            nearer=self.nearer_wins, stop=at.stop,
        )  # fmt: skip


@frozen(repr=False)
class FromGuess(Ordered):
    """MTD(f): null windows only, each placed by the result of the one before."""

    name = "mtdf"
    nulls = True
    windows = last = staticmethod(from_guess)


def minimax(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Search every branch of every node: maxima, minima, and means at chance nodes.

    Raises: AlgorithmError if depth is not a whole number from 0 to 1,000,000.

    >>> minimax(4)
    minimax(depth=4)
    """
    return Minimax(depth, nearer_wins=nearer_wins)


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
    return AlphaBeta(depth, nearer_wins=nearer_wins, table=size_of(table))


def pvs(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search by principal variation search: alpha-beta with iterative deepening, move ordering and
    null-window tests of all branches but the first.

    Ensures: the value and the move of alpha-beta, in most games with far fewer nodes.  If tasks
    share the table in parallel, the number of nodes varies from run to run.
    Source: Marsland and Campbell (1982); Reinefeld (1983).

    >>> pvs(depth=12)
    pvs(depth=12)
    """
    return Ordered(depth, nearer_wins=nearer_wins, table=size_of(table))


def mtdf(depth: int, *, nearer_wins: bool = True, table: int | str = "16MB") -> Algorithm:
    """Search by MTD(f): null-window searches only, each placed by the result of the one before.

    Ensures: the value and the move of alpha-beta.  It visits few nodes if the game has few
    different values; an estimate with many fine steps takes many searches.
    Source: Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms (1996).

    >>> mtdf(depth=12, table="1GB")
    mtdf(depth=12, table='1GB')
    """
    return FromGuess(depth, nearer_wins=nearer_wins, table=size_of(table))
