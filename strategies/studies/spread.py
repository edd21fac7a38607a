"""The spread of repeated times: an interval for the median, for any distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

CONFIDENCE = 0.95
"""The probability with which the interval should contain the median."""


def median_interval(runs: Sequence[float]) -> tuple[float, float]:
    """Bound the median of the distribution of `runs` by two of the runs.

    For any distribution, the median lies between the k-th smallest and the k-th largest of n runs,
    except with the probability that fewer than k of n fair coins fall on one side.

    Requires: at least one run.
    Ensures: the narrowest such interval that contains the median 95 times in 100; for fewer than
    six runs, the smallest and the largest, which for three runs contain it 3 times in 4.

    >>> median_interval([3.0, 1.0, 2.0]), median_interval([5.0])
    ((1.0, 3.0), (5.0, 5.0))
    >>> median_interval(range(1, 10))
    (2, 8)
    """
    ordered, n, k = sorted(runs), len(runs), 1
    while 2 * (k + 1) <= n and _outside(n, k + 1) <= 1 - CONFIDENCE:
        k += 1
    return ordered[k - 1], ordered[n - k]


def _outside(n: int, k: int) -> float:
    """Return the chance that the median is not between the k-th smallest and largest of n."""
    return 2 * sum(comb(n, i) for i in range(k)) / (1 << n)
