"""Estimates as a weighted sum of named features, which people read and tuners set."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar

from attrs import evolve

from games.game import Game
from graphs.arguments import check_kind, row_of
from graphs.errors import MalformedError

S = TypeVar("S")
M = TypeVar("M")
G = TypeVar("G", bound="Weighted[Any, Any]")


WEIGHT: Final = "weight"
"""Says that a field of a game is a weight: ``field(default=1, metadata={WEIGHT: True})``.

Compiled rules read its number from memory, so that games of other weights share their code; other
numbers of a game are constants of the code.
"""


TUNED: Final = "tuned"
"""Says that a field of a game is a weight that compiled rules have as a constant of their code, so
that each of its values is compiled anew: ``field(default=0, metadata={TUNED: True})``."""


HEAVIEST: Final = 10**9
"""No weight is greater, so that an estimate stays below a win."""


def check_weight(name: str, weight: Any) -> Any:
    """Checks a weight, and returns it.

    Raises: ValueError, with the name, for what is no number or out of range.

    >>> check_weight("corners", 0.5)
    0.5
    """
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not abs(weight) <= HEAVIEST:
        raise MalformedError(
            f"{name}: a weight must be a number from -10^9 to 10^9, not {weight!r}"
        )
    return weight


def plain(weights: Any) -> tuple[float, ...]:
    """Normalizes weights of one kind, as compiled rules want them: ints if all are, else floats.

    Raises: ValueError for what is no weight.

    >>> plain([1, 2]), plain([1, 0.5])
    ((1, 2), (1.0, 0.5))
    """
    row = row_of("weights", weights, "numbers, as (0, 1, 12)")
    given = [check_weight(f"weight {k}", weight) for k, weight in enumerate(row, 1)]
    if all(isinstance(weight, int) for weight in given):
        return tuple(int(weight) for weight in given)
    return tuple(float(weight) for weight in given)


class Weighted(Game[S, M]):
    """Game whose estimate is linear in its features, each times its weight.

    A feature is a number that tells one thing about a position, from Maxie's side.  Derive a frozen
    attrs class with a field ``weights: tuple[float, ...] = field(default=…, converter=plain)``.

    Requires: one name, one weight and one feature each; all features ints, or all floats.
    """

    feature_names: ClassVar[tuple[str, ...]] = ()
    weights: tuple[float, ...] = ()

    def features(self, state: S) -> tuple[float, ...]:
        """Computes the features of a position in play, one number for each name."""
        raise NotImplementedError

    def estimate(self, state: S) -> float:
        return self.weighted(state)

    def weighted(self, state: S) -> float:
        """Sums the features, each times its weight."""
        total = self.weights[0] * 0
        found = self.features(state)
        for k in range(len(found)):
            total += self.weights[k] * found[k]
        return total


def weights_of(game: Weighted[Any, Any]) -> dict[str, float]:
    """Returns the weights of a game by the names of its features.

    >>> from games import Othello
    >>> weights_of(Othello())
    {'discs': 0, 'mobility': 1, 'corners': 12}
    """
    check_kind(Weighted, "a game with weighted features, such as Othello()", game=game)
    return dict(zip(game.feature_names, game.weights, strict=True))


def with_weights(game: G, **weights: float) -> G:
    """Makes the same game with other weights; a feature that is not named keeps its own.

    Raises: ValueError for a name that is no feature, with the names there are, and for what is no
    weight.

    >>> from games import Othello
    >>> weights_of(with_weights(Othello(), discs=0.5))
    {'discs': 0.5, 'mobility': 1.0, 'corners': 12.0}
    """
    unknown = [name for name in weights if name not in weights_of(game)]
    if unknown:
        names = " ".join(game.feature_names)
        raise MalformedError(f"there is no feature {unknown[0]!r}; features: {names}")
    for name, weight in weights.items():
        check_weight(name, weight)
    weights = weights_of(game) | weights
    return evolve(game, weights=tuple(weights.values()))  # type: ignore[misc]
