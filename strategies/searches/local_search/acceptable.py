"""Select the neighbours that are acceptable under a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from games.problems.problem import Problem
from graphs.errors import ArgumentError

S = TypeVar("S")


def within(values: Sequence[int], value: int, tolerance: int) -> list[int]:
    """Return the indices of the acceptable neighbours, given all their values and the state's.

    >>> within([3, 1, 2, 1], value=2, tolerance=0), within([3, 3, 4], value=2, tolerance=1)
    ([1, 3], [0, 1])
    """
    limit = min([value, *values]) + tolerance
    return [i for i, v in enumerate(values) if v <= limit]


def acceptable(problem: Problem[S], state: S, tolerance: int = 0) -> list[S]:
    """Return the neighbours from which `steepest_descent(tolerance)` draws one, in order.

    These are all whose value is at most that of the best plus the tolerance, where the best is the
    state itself if no neighbour is better.
    Requires: a tolerance of 0 or more, or ValueError.
    Cost: the values of all neighbours, from scratch.
    Source: Meel's lecture on local search (section 5.3).

    >>> from games.problems import Queens
    >>> acceptable(Queens(4), (2, 1, 3, 0)), acceptable(Queens(4), (2, 0, 3, 0))
    ([(2, 0, 3, 0)], [(2, 0, 3, 1)])
    """
    if tolerance < 0:
        raise ArgumentError(f"tolerance must be 0 or more, not {tolerance}")
    near = list(problem.neighbors(state))
    places = within([problem.value(each) for each in near], problem.value(state), tolerance)
    return [near[i] for i in places]
