"""Optimal play of Pig for two: the exact probabilities of winning."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
CLOSE = 1e-12


def win_probabilities(target: int = 100, sides: int = 6) -> Array:
    """Return the probability that the mover wins, by both players' points, with optimal play.

    Ensures: shape (target, target), within about 1e-12 of the solution of the equations.
    Cost: a second or two for a target of 100; it grows with the third power of the target.
    Source: T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig (2004), whose
    value iteration proceeds by partitions as this does; a partition is solved here by policies.

    >>> round(float(win_probabilities(target=10)[0, 0]), 4)
    0.7094
    """
    known = np.zeros((target, target))
    for total in reversed(range(2 * target - 1)):
        own = np.arange(max(0, total - target + 1), min(target - 1, total) + 1)
        known[own, total - own] = partition(known, own, total - own, sides)
    return known


def partition(known: Array, own: Array, other: Array, sides: int) -> Array:
    """Solve the positions with one sum of both players' points, given those of greater sums.

    A position and its mirror image depend on each other linearly as long as the policy of the turn
    stays the same; so they are solved for a policy until it no longer changes.
    """
    found = np.full(len(own), 0.5)
    while True:
        value, slope = best_turn(known, own, other, sides, 1 - found[::-1])
        fixed = value + slope * found[::-1]
        better: Array = (fixed - slope * fixed[::-1]) / (1 - slope * slope[::-1])
        if np.abs(better - found).max() < CLOSE:
            return better
        found = better


def best_turn(
    known: Array, own: Array, other: Array, sides: int, lost: Array
) -> tuple[Array, Array]:
    """Return the probability of winning by the best turn, and its derivative by `lost`."""
    target = len(known)
    value, slope = np.ones((2, target + sides, len(own)))
    slope[:] = 0
    for brought in reversed(range(target)):
        after = slice(brought + 2, brought + sides + 1)
        roll = (lost + value[after].sum(axis=0)) / sides
        grows = (1 + slope[after].sum(axis=0)) / sides
        held = own + brought
        hold = 1 - known[other, np.minimum(held, target - 1)]
        wins, holds = held >= target, (hold > roll) & (brought > 0)
        value[brought] = np.where(wins, 1, np.where(holds, hold, roll))
        slope[brought] = np.where(wins | holds, 0, grows)
    return value[0], slope[0]
