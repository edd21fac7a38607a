"""Tuples of fixed length in states and values, with the same semantics on both engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def floats_of(row: Iterable[float]) -> tuple[float, ...]:
    """Return a tuple with each number converted to a float.

    >>> floats_of((1, 2))
    (1.0, 2.0)
    """
    return tuple(float(number) for number in row)


def zeros_of(game: Any) -> tuple[float, ...]:
    """Return a tuple of 0.0 for each player of a game, from which rules build values.

    >>> from games import PigForMany
    >>> zeros_of(PigForMany(players=4))
    (0.0, 0.0, 0.0, 0.0)
    """
    return (0.0,) * int(game.players)


def put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a tuple with one element replaced; a negative index counts from the end.

    Raises: IndexError if there is no such element.

    >>> put((1, 2, 3), 1, 9), put((1, 2, 3), -1, 9)
    ((1, 9, 3), (1, 2, 9))
    """
    changed = list(row)
    changed[index] = value
    return tuple(changed)
