"""Alpha-beta values as a handout on Jamboree defines them: a bare estimate, or a move with one.

With these, Jamboree(p) is a few lines, as the example of `split_moves` shows; `search` does the
same by plans, tasks and kernels.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from games import Estimate, Game
from games.game import MAXIE_WINS, MINNIE_WINS
from graphs.errors import ArgumentError
from strategies.algebra.combinators import share


@frozen
class Leaf:
    """The value of a finished position, or of one at the last ply: an estimate without a move."""

    estimate: Estimate

    def __str__(self) -> str:
        return f"Leaf({self.estimate})"


@frozen
class Step:
    """The value of a position in which a move reaches it."""

    move: Any
    estimate: Estimate

    def __str__(self) -> str:
        return f"Step({self.move}, {self.estimate})"


Value = Leaf | Step
INITIAL_AB: Final[tuple[Value, Value]] = (Leaf(MINNIE_WINS), Leaf(MAXIE_WINS))
"""The first window: the least and the greatest value, without moves."""


def value_of(value: Value) -> Estimate:
    """Return the estimate of a value."""
    return value.estimate


def move_of(value: Value) -> Any:
    """Return the move of a value.

    Raises: ArgumentError for a `Leaf`.
    """
    if isinstance(value, Leaf):
        raise ArgumentError(f"{value} has no move: it is a finished position, or at the last ply")
    return value.move


def value_cmp(a: Value, b: Value) -> int:
    """Compare two values by their estimates: return -1, 0 or 1.

    >>> value_cmp(Step(0, Estimate(3)), Leaf(Estimate(3))), value_cmp(*INITIAL_AB)
    (0, -1)
    """
    return (a.estimate > b.estimate) - (a.estimate < b.estimate)


def max_alpha(a: Value, b: Value) -> Value:
    """Return the greater value; of equal ones a `Step`, and of two steps the first.

    >>> print(max_alpha(Leaf(Estimate(3)), Step(1, Estimate(3))))
    Step(1, Guess: 3)
    """
    return b if _wins(value_cmp(b, a), b, a) else a


def min_beta(a: Value, b: Value) -> Value:
    """Return the smaller value; of equal ones a `Step`, and of two steps the first.

    >>> print(min_beta(Step(0, Estimate(3)), Step(1, Estimate(3))))
    Step(0, Guess: 3)
    """
    return b if _wins(value_cmp(a, b), b, a) else a


def _wins(better: int, new: Value, old: Value) -> bool:
    return better > 0 or (better == 0 and isinstance(new, Step) and isinstance(old, Leaf))


def split_moves(
    game: Game[Any, Any], state: Any, p: float
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Split the moves of a position: the first floor(p n) of n, which are searched in order, and
    the others, which are searched in parallel.

    Requires: a share `p` from 0 to 1, taken as the decimal that is written.

    >>> from games import HANDOUT_SMALL
    >>> split_moves(HANDOUT_SMALL, HANDOUT_SMALL.start(), 0.5)
    ((0,), (1, 2))

    Jamboree(p) with it, in which the calls for `parallel` share one window:

    >>> from functools import reduce
    >>> from games import MAXIE
    >>> def best(game, depth, state, ab, p):
    ...     if depth == 0 or game.status(state):
    ...         return Leaf(Estimate(game.estimate(state)))
    ...     (alpha, beta), maxie = ab, game.player(state) == MAXIE
    ...     def child(move, ab):
    ...         after = game.make_move(state, move)
    ...         return Step(move, value_of(best(game, depth - 1, after, ab, p)))
    ...     in_order, parallel = split_moves(game, state, p)
    ...     for move in in_order:
    ...         if value_cmp(alpha, beta) < 0 and maxie:
    ...             alpha = max_alpha(alpha, child(move, (alpha, beta)))
    ...         elif value_cmp(alpha, beta) < 0:
    ...             beta = min_beta(beta, child(move, (alpha, beta)))
    ...     closed = value_cmp(alpha, beta) >= 0
    ...     rest = [] if closed else [child(move, (alpha, beta)) for move in parallel]
    ...     return reduce(max_alpha, rest, alpha) if maxie else reduce(min_beta, rest, beta)
    >>> print(best(HANDOUT_SMALL, 2, HANDOUT_SMALL.start(), INITIAL_AB, 0.5))
    Step(1, Guess: 4)
    """
    moves = tuple(game.moves(state))
    first = int(share(p).of * len(moves))
    return moves[:first], moves[first:]
