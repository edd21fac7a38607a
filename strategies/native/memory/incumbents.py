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
    row[0] = _signed(bits_of(WORST))
    return row


def at_least(row: Any) -> float:
    """Return the greatest number below the incumbent: other leaves must be above it."""
    return below(float_of(U64(row[0])))


def _signed(bits: U64) -> int:
    """Return the cell with these bits."""
    return int(bits) - (1 << 64) if int(bits) >> 63 else int(bits)
