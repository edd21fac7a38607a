"""Elo ratings by maximum likelihood, with confidence intervals of scores and ratings.

The unit of all errors is the *pair* of games of one opening from both seats, because its two games
are not independent trials.  The score of a pair is 0, ¼, ½, ¾ or 1 (pentanomial), and errors come
from the variation of scores between pairs, not from counts of wins and draws.  For every two
players who met, half a won pair and half a lost pair are added before ratings and intervals are
computed; so a match in which one player won every game has a finite rating and a finite interval.
The interval of a score is that of the corresponding rating.

Sources: R. Bradley and M. Terry (1952), with a draw as half a win; the added draw as the prior of
BayesElo; the variance of pairs as in test tools for chess engines; H. White (1982) for the errors
of a model that may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, exp, inf, isfinite, log, sqrt
from typing import Final, NamedTuple

Z: Final = 1.959964
"""The standard errors to each side of a 95% interval."""
FEW: Final = (12.7062, 4.30265, 3.18245)
"""The same for a mean with 1 to 3 degrees of freedom."""
TERMS: Final = (2.372271, 2.822499, 2.555850, 1.589534)
"""How much more there are with n, as the coefficients of 1/n, 1/n² and so on."""
ADDED: Final = 0.5
"""The pairs added as won, and as lost."""
POINTS: Final = 400 / log(10)
"""The Elo points of one unit of the logistic model."""


class Pair(NamedTuple):
    """The score of one player against another in one opening, from both seats or one."""

    one: int
    other: int
    games: int
    score: float
    """The first player's score, from 0 to `games`; a win is 1, a draw 0.5."""


class Interval(NamedTuple):
    """An estimate, and the ends of its 95% confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"

    def text(self, form: str) -> str:
        """Return the estimate in words.

        >>> Interval(2, 1, 3).text("+g")
        '+2, +1 to +3 (95%)'
        """
        if not isfinite(self.low):
            return f"{self.value:{form}}, no interval from one sample"
        return f"{self.value:{form}}, {self.low:{form}} to {self.high:{form}} (95%)"

    def to_dict(self) -> dict[str, float | None]:
        """Return the numbers by name for JSON, None for an end that is not known."""
        return {name: x if isfinite(x) else None for name, x in self._asdict().items()}


def score_interval(scores: Sequence[float]) -> Interval:
    """Return the mean of the scores of pairs, each from 0 to 1, with its 95% interval.

    >>> print(score_interval([0.5, 0.75, 1, 0.5, 0.75, 1, 0.5, 1]))
    0.750 [0.515, 0.864]
    """
    return score_of([Pair(0, 1, 2, 2 * score) for score in scores])


def score_of(pairs: Sequence[Pair]) -> Interval:
    """Return the score of player 0 against player 1 per game, with its 95% interval.

    >>> score_of([Pair(0, 1, 2, 2.0), Pair(0, 1, 1, 0.0)]).value == 2 / 3
    True
    """
    if not pairs:
        return Interval(0.5, 0.0, 1.0)
    _, low, high = ratings(2, pairs).difference(0, 1)
    value = sum(p.score for p in pairs) / sum(p.games for p in pairs)
    return Interval(value, min(value, expected(low)), max(value, expected(high)))


def mean_of(numbers: list[float]) -> Interval:
    """Return the mean of numbers with its 95% interval; that of one number has no ends.

    >>> mean_of([1.0, 3.0]).value
    2.0
    """
    count = max(1, len(numbers))
    mean = sum(numbers) / count
    return around(mean, sum((x - mean) ** 2 for x in numbers), count)


def around(mean: float, squares: float, count: int) -> Interval:
    """Return the 95% interval of a mean of `count` numbers, from the sum of the squares of their
    differences from it.

    >>> around(2.0, 2.0, 2) == mean_of([1.0, 3.0])
    True
    """
    if count < 2:
        return Interval(mean, -inf, inf)
    error = t_quantile(count - 1) * sqrt(max(0.0, squares) / (count - 1) / count)
    return Interval(mean, mean - error, mean + error)


def t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t distribution, to three digits after the point.

    Source: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.5.

    >>> round(t_quantile(9), 3)
    2.262
    """
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    return Z + sum(term / float(freedom) ** k for k, term in enumerate(TERMS, 1))


def expected(points: float) -> float:
    """Return the expected score against a player who is `points` points below.

    >>> round(expected(200), 3)
    0.76
    """
    return 1 / (1 + exp(-points / POINTS))


class Ratings(NamedTuple):
    """Ratings in Elo points, with mean 0, and the covariances of their errors."""

    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    def interval(self, player: int) -> Interval:
        """Return a player's rating relative to the mean of all, with its interval."""
        value, error = self.elo[player], Z * sqrt(self.covariance[player][player])
        return Interval(value, value - error, value + error)

    def difference(self, one: int, other: int) -> Interval:
        """Return the points by which one player is above another, with their interval."""
        value, error = self.elo[one] - self.elo[other], Z * self._error(one, other)
        return Interval(value, value - error, value + error)

    def stronger(self, one: int, other: int) -> float:
        """Return the probability that one player is stronger than another, under normal errors."""
        error = sqrt(2) * self._error(one, other)
        return 0.5 * (1 + erf((self.elo[one] - self.elo[other]) / error)) if error else 0.5

    def _error(self, one: int, other: int) -> float:
        c = self.covariance
        return sqrt(max(0.0, c[one][one] + c[other][other] - 2 * c[one][other]))


def ratings(players: int, pairs: Sequence[Pair]) -> Ratings:
    """Estimate the ratings of players by maximum likelihood.

    A player who is d points above another is expected to score 1 / (1 + 10^(-d/400)) on average.

    Cost: O(pairs + players³) for each of some ten steps of Newton's method.

    >>> found = ratings(2, [Pair(0, 1, 2, 1.5)] * 99)
    >>> round(found.elo[0] - found.elo[1])  # a score of 0.75, and a little less for what is added
    189
    """
    import numpy as np

    met = sorted({(p.one, p.other) for p in pairs})
    added = [Pair(one, other, 2, 2.0 * won) for one, other in met for won in (0, 1)]
    every = [*pairs, *added]
    if not every:
        return Ratings((0.0,) * players, ((0.0,) * players,) * players)
    design = np.zeros((len(every), players))
    for row, pair in enumerate(every):
        design[row, pair.one], design[row, pair.other] = 1.0, -1.0
    weights = np.repeat([1.0, ADDED], [len(pairs), len(added)])
    games = np.array([p.games for p in every], float)
    scores = np.array([p.score for p in every], float)
    strength = np.zeros(players)
    # Only differences of ratings are known, so the matrix is singular; its near-0 value is cut off.
    for _ in range(100):
        chance = 1 / (1 + np.exp(-design @ strength))
        left = scores - games * chance
        information = (design.T * (weights * games * chance * (1 - chance))) @ design
        inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)
        step = inverse @ (design.T @ (weights * left))
        if np.abs(step).max() < 1e-9:
            break
        strength = strength + step / max(1.0, float(np.abs(step).max()))
    pulls = design * (np.sqrt(weights) * left)[:, None]
    covariance = POINTS**2 * inverse @ (pulls.T @ pulls) @ inverse
    return Ratings(
        tuple(float(x) for x in POINTS * (strength - strength.mean())),
        tuple(tuple(float(x) for x in row) for row in covariance),
    )
