"""Narrows windows through chance nodes, if all values lie between known bounds (Star1).

A mean lies between the means that result if every unknown outcome has the least value, or the
greatest.  An outcome matters only while its value can bring the mean inside the window.

Source: Ballard, The star-minimax search procedure for trees containing chance nodes (1983).
"""

from __future__ import annotations

from typing import Final

from strategies.native.memory.floats import INFINITY

SLACK: Final = 2.0**-19
"""The relative error of a mean that is allowed for: probabilities sum to 1 only within 1e-6, and
sums are rounded.  A node is left only if its mean is outside by more, so that value and move are
the same to the last bit."""


def slack(low: float, high: float) -> float:
    """Return by how much a mean of values between `low` and `high` may be off."""
    return SLACK * max(abs(low), abs(high))


def roomy(low: float, high: float) -> tuple[float, float]:
    """Widen bounds so that no value in them reaches the new bounds, however it is rounded.

    The mean of two outcomes of value 3, with probabilities 0.2 and 0.8, is 3.0000000000000004.
    Inside the widened bounds it stays so; cut back to 3 it would differ from the value found
    without pruning.

    >>> low, high = roomy(-1.0, 3.0)
    >>> low < -1, high > 0.2 * 3 + 0.8 * 3 > 3
    (True, True)
    """
    more = slack(low, high)
    return low - more, high + more


def outcome_window(
    alpha: float, beta: float, least: float, most: float, chance: float, low: float, high: float,
    slack: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the window of an outcome; empty if its value does not matter.

    The mean is wanted in (alpha, beta), and known to lie in [least, most] while the outcome, whose
    probability is `chance`, is known to lie in [low, high].
    Ensures: a value at or beyond an end of the window, but within [low, high], puts the mean at or
    beyond the same end of (alpha, beta), and `outcome_window` of the others is then empty.

    >>> outcome_window(3.0, 9.0, 0.0, 10.0, 0.5, 0.0, 10.0, 0.0)  # the other adds 5 at most
    (0.0, 10.0)
    >>> outcome_window(3.0, 9.0, 0.5, 5.5, 0.5, 0.0, 10.0, 0.0)  # the other gave 1
    (5.0, 10.0)
    """
    if most + slack <= alpha or least - slack >= beta:
        return INFINITY, -INFINITY
    a = (alpha - 2 * slack - (most - chance * high)) / chance
    b = (beta + 2 * slack - (least - chance * low)) / chance
    return max(a, low), min(b, high)


def narrowed(
    least: float, most: float, chance: float, low: float, high: float, lo: float, hi: float
) -> tuple[float, float]:
    """Narrow the bounds of a mean when an outcome in [low, high] is found to lie in [lo, hi].

    >>> narrowed(0.0, 10.0, 0.5, 0.0, 10.0, 1.0, 1.0)
    (0.5, 5.5)
    """
    return least + chance * (lo - low), most - chance * (high - hi)
