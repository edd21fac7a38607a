"""Converts floats to 64-bit words and finds their neighbours, equally on both engines."""

from __future__ import annotations

import struct
from typing import Final

from games.u64 import U64

INFINITY: Final = float("inf")
HUGE: Final = 1e19
"""A value beyond it is no number.  An int of 64 bits never is, so no test is compiled for ints."""


def bits_of(x: float) -> U64:
    """Return the bit pattern of a float.

    >>> bits_of(1.0)
    U64(0x3ff0000000000000)
    """
    return U64(struct.unpack("<Q", struct.pack("<d", x))[0])


def float_of(bits: U64) -> float:
    """Return the float of a bit pattern.

    >>> float_of(bits_of(-2.5))
    -2.5
    """
    found: float = struct.unpack("<d", struct.pack("<Q", int(bits)))[0]
    return found


def above(x: float) -> float:
    """Return the least float above x; infinity stays.

    >>> above(1.0) > 1.0, above(0.0), above(-1.0) > -1.0
    (True, 5e-324, True)
    """
    if x == INFINITY:
        return x
    if x == 0.0:
        return float_of(U64(1))
    return float_of(bits_of(x) + 1) if x > 0.0 else float_of(bits_of(x) - 1)


def below(x: float) -> float:
    """Return the greatest float below x; minus infinity stays."""
    return -above(-x)


def finite(value: float) -> float:
    """Return a value of a rule, if it is a number; a float64 of numpy's becomes Python's float.

    Raises: ValueError, upon which `failures` finds the rule and the moves.  Machine code has no
    test for ints.

    >>> finite(-3)
    -3
    """
    if not -HUGE <= value <= HUGE:
        raise ValueError("a value is infinite, or not a number")
    return float(value) if isinstance(value, float) else value


def all_finite(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return the values of a rule, one for each player, if they are numbers.

    Raises: as `finite`.

    >>> all_finite((0.5, 2.0))
    (0.5, 2.0)
    """
    for value in values:
        finite(value)
    return values
