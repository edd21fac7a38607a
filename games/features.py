"""Estimates as weighted sums of named features, whose weights can be read and tuned."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar

from games.attributes import evolved
from games.game import Game
from graphs.arguments import check_kind, row_of, shown
from graphs.errors import MalformedError

S = TypeVar("S")
M = TypeVar("M")
G = TypeVar("G", bound="Weighted[Any, Any]")


HEAVIEST: Final = 10**9
"""The greatest weight, so that an estimate stays below a win."""


def check_weight(name: str, weight: Any) -> Any:
    """Check a weight, and returns it.

    Raises: ValueError, with the name, unless it is a number in range.

    >>> check_weight("corners", 0.5)
    0.5
    """
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not abs(weight) <= HEAVIEST:
        raise MalformedError(
            f"{name}: a weight must be a number from -10^9 to 10^9, not {shown(weight)}"
        )
    return weight


def plain(weights: Any) -> tuple[float, ...]:
    """Return weights as compiled rules need them: all ints if all are ints, else all floats.

    Raises: ValueError if one is not a weight.

    >>> plain([1, 2]), plain([1, 0.5])
    ((1, 2), (1.0, 0.5))
    """
    row = row_of("weights", weights, "numbers, such as (0, 1, 12)")
    given = [check_weight(f"weight {k}", weight) for k, weight in enumerate(row, 1)]
    if all(isinstance(weight, int) for weight in given):
        return tuple(int(weight) for weight in given)
    return tuple(float(weight) for weight in given)


class Weighted(Game[S, M]):
    """A game whose estimate is the weighted sum of its features.

    A feature is a number about a position, from Maxie's side.  Derive a frozen attrs class with a
    field ``weights: tuple[float, ...] = field(default=…, converter=plain)``.

    Requires: one name, one weight and one feature each; all features ints, or all floats.
    """

    feature_names: ClassVar[tuple[str, ...]] = ()
    weights: tuple[float, ...] = ()

    def features(self, state: S) -> tuple[float, ...]:
        """Return the features of a position in play, one number for each name."""
        raise NotImplementedError

    def estimate(self, state: S) -> float:
        return self.weighted(state)

    def weighted(self, state: S) -> float:
        """Return the weighted sum of the features."""
        total = self.weights[0] * 0
        found = self.features(state)
        for k in range(len(found)):
            total += self.weights[k] * found[k]
        return total


def weights_of(game: Weighted[Any, Any]) -> dict[str, float]:
    """Return the weights of a game by the names of its features.

    >>> from games import Othello
    >>> weights_of(Othello())
    {'discs': 0, 'mobility': 1, 'corners': 12}
    """
    check_kind(Weighted, "a game with weighted features, such as Othello()", game=game)
    return dict(zip(game.feature_names, game.weights, strict=True))


def with_weights(game: G, **weights: float) -> G:
    """Return the game with other weights; features that are not named keep theirs.

    Raises: ValueError for an unknown feature, with the known names, and for an invalid weight; if
    the constructor of the game would change another field.

    >>> from games import Othello
    >>> weights_of(with_weights(Othello(), discs=0.5))
    {'discs': 0.5, 'mobility': 1.0, 'corners': 12.0}
    """
    unknown = [name for name in weights if name not in weights_of(game)]
    if unknown:
        names = " ".join(game.feature_names)
        raise MalformedError(f"there is no feature {shown(unknown[0])}; features: {names}")
    for name, weight in weights.items():
        check_weight(name, weight)
    weights = weights_of(game) | weights
    made: G = evolved(game, weights=tuple(weights.values()))
    return made
