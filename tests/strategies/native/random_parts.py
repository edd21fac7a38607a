"""Parts of random rules in addition to numbers: states, boards, tables, functions with options."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from attrs import frozen

GRID = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5]])
SHARES = np.array([0.5, -1.25, 2.0])
WORTH = {1: 5, 2: 3, 7: 11}
PRIMES = frozenset((2, 3, 5, 7))
LINES = ((0, 1, 2), (0, 2, 1), (2, 1, 0))


class Kind(IntEnum):
    """An enum whose members are ints."""

    PLAIN = 0
    HILL = 2
    LAKE = 5


@frozen
class Pair:
    """A record."""

    x: int
    y: int

    @property
    def total(self) -> int:
        return self.x + 2 * self.y

    def scaled(self, by: int = 2, *, and_more: int = 0) -> Pair:
        return Pair(self.x * by % 101, self.y + and_more)

    @staticmethod
    def of(x: int) -> Pair:
        return Pair(x, -x)


@frozen
class State:
    """A record with records in fields and in a tuple."""

    row: tuple[int, int, int, int]
    pair: Pair
    pairs: tuple[Pair, Pair, Pair]
    share: float
    over: bool = False

    def first(self, least: int = 0) -> Pair:
        for pair in self.pairs:
            if pair.x > least:
                return pair
        return self.pair


def area(pair: Pair, *, k: int, more: int = 1) -> int:
    return (pair.x * k + pair.y * more) % 997


def clipped(x: int, low: int = -5, high: int = 5) -> int:
    if x < low:
        return low
    return min(x, high)


def steps(n: int, by: int = 1) -> Any:
    """Yield some numbers, and return early."""
    for k in range(n % 7):
        if k * by > 9:
            return
        yield k * by
    yield -by


def number(x: float) -> int:
    """Return an int that represents the value of a float."""
    if x != x:
        return 7
    if abs(x) > 1e6:
        return 8 if x > 0 else 9
    return int(x * 64)
