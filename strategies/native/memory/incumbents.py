"""The incumbent that searches share: the best value of a leaf found so far, in one cell."""

from __future__ import annotations

from typing import Any, Final

from games.u64 import U64
from strategies.native.memory.cells import cells
from strategies.native.memory.floats import below, bits_of, float_of

WORST: Final = -float(1 << 62)
"""A number below any value of a leaf."""


def no_incumbent() -> Any:
    """Create the cell of an incumbent, with no leaf in it.

    A cell holds the bits of a float.  Two searches that write at the same time may leave the lower
    of their values in it: then less is cut off, and nothing becomes wrong.

    >>> at_least(no_incumbent()) < -1e18
    True
    """
    row = cells(1)
    row[0] = int(bits_of(WORST))
    return row


def incumbent_of(row: Any) -> float:
    """Return the value of the best leaf, or a number below any."""
    return float_of(U64(row[0]))


def raise_incumbent(row: Any, value: float) -> None:
    """Raise the incumbent to the value of a leaf that another search found, if it is better.

    >>> row = no_incumbent()
    >>> raise_incumbent(row, 3.0)
    >>> raise_incumbent(row, 2.0)
    >>> incumbent_of(row)
    3.0
    """
    if value > incumbent_of(row):
        row[0] = int(bits_of(value))


def at_least(row: Any) -> float:
    """Return the greatest number below the incumbent: other leaves must be above it."""
    return below(incumbent_of(row))
