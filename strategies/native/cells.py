"""Memory that a running search and its caller share: plain 64-bit cells."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def _cells_type(count: int) -> Any:
    return ctypes.c_int64 * count


def cells(count: int) -> Any:
    """A row of `count` cells, all 0, that both engines read and write by index.

    >>> row = cells(2)
    >>> row[1] = 7
    >>> list(row)
    [0, 7]
    """
    return _cells_type(count)()


address = ctypes.addressof
"""Where a row of cells lies; valid while the row is alive."""


class Stopped(Exception):
    """A search was told to stop; what it had found so far is not a result."""


class Stop:
    """A flag that ends every search that was given it, within milliseconds; it stays set.

    >>> stop = Stop()
    >>> stop.set()
    >>> stop.is_set
    True
    """

    __slots__ = ("cell",)

    def __init__(self) -> None:
        self.cell = cells(1)

    def set(self) -> None:
        """Ends the searches; safe from any thread and from a signal handler."""
        self.cell[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether the flag was set."""
        return bool(self.cell[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _copy, (self.is_set,)


def _copy(is_set: bool) -> Stop:
    """A flag in another process: it has its own memory, so it knows only what was set before."""
    stop = Stop()
    if is_set:
        stop.set()
    return stop


NEVER = Stop()
"""The flag of searches that nobody stops."""
