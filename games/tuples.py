"""Tuples of fixed length: rows of numbers in a state or a value, the same on both engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def floats_of(row: Iterable[float]) -> tuple[float, ...]:
    """Converts each number of a tuple to a float.

    >>> floats_of((1, 2))
    (1.0, 2.0)
    """
    return tuple(float(number) for number in row)


def zeros_of(game: Any) -> tuple[float, ...]:
    """Makes a 0.0 for each player of a game, from which rules build a tuple of values.

    >>> from games import PigForMany
    >>> zeros_of(PigForMany(players=4))
    (0.0, 0.0, 0.0, 0.0)
    """
    return (0.0,) * int(game.players)


def put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Replaces one element of a tuple; an index below 0 counts from the end.

    Raises: IndexError where there is no such element.

    >>> put((1, 2, 3), 1, 9), put((1, 2, 3), -1, 9)
    ((1, 9, 3), (1, 2, 9))
    """
    changed = list(row)
    changed[index] = value
    return tuple(changed)
