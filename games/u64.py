"""Unsigned 64-bit words, for bitboards and packed boards.

In machine code, an `int` is a signed 64-bit number and must not overflow.  A `U64` wraps around at
64 bits, interpreted and native alike.
"""

from __future__ import annotations

from typing import Any, Final, SupportsInt

MASK: Final = (1 << 64) - 1
_new: Final = int.__new__


class U64(int):
    """An unsigned 64-bit word: arithmetic wraps around, and ints can be mixed in.

    Operators call those of `int` by name, which takes half the time of ``int(self)``.

    >>> U64(0) - 1
    U64(0xffffffffffffffff)
    >>> U64(0b1100).bit_count(), U64(0b1100).lowest()
    (2, 2)
    >>> U64(1) << 64
    U64(0x0)
    """

    __slots__ = ()

    def __new__(cls, value: SupportsInt = 0) -> U64:
        return int.__new__(cls, int(value) & MASK)

    def __repr__(self) -> str:
        return f"U64({int(self):#x})"

    def __str__(self) -> str:
        return int.__repr__(self)

    def __invert__(self) -> U64:
        return _new(U64, int.__invert__(self) & MASK)

    def __neg__(self) -> U64:
        return _new(U64, int.__neg__(self) & MASK)

    def __lshift__(self, n: int) -> U64:
        return _new(U64, int.__lshift__(self, int(n)) & MASK) if n < 64 else U64(0)

    def __add__(self, other: int) -> U64:
        found = int.__add__(self, other)
        return self + int(other) if found is NotImplemented else _new(U64, found & MASK)

    def __sub__(self, other: int) -> U64:
        found = int.__sub__(self, other)
        return self - int(other) if found is NotImplemented else _new(U64, found & MASK)

    def __mul__(self, other: int) -> U64:
        found = int.__mul__(self, other)
        return self * int(other) if found is NotImplemented else _new(U64, found & MASK)

    def __and__(self, other: int) -> U64:
        found = int.__and__(self, other)
        return self & int(other) if found is NotImplemented else _new(U64, found)

    def __or__(self, other: int) -> U64:
        found = int.__or__(self, other)
        return self | int(other) if found is NotImplemented else _new(U64, found & MASK)

    def __xor__(self, other: int) -> U64:
        found = int.__xor__(self, other)
        return self ^ int(other) if found is NotImplemented else _new(U64, found & MASK)

    def __rshift__(self, n: int) -> U64:
        return _new(U64, int.__rshift__(self, int(n)))

    def __floordiv__(self, other: int) -> U64:
        return U64(int(self) // int(other))

    def __mod__(self, other: int) -> U64:
        return U64(int(self) % int(other))

    __radd__, __rmul__, __rand__, __ror__, __rxor__ = __add__, __mul__, __and__, __or__, __xor__

    def __rsub__(self, other: int) -> U64:
        return U64(int(other) - int(self))

    def __rlshift__(self, other: int) -> U64:
        return U64(other) << self

    def __rrshift__(self, other: int) -> U64:
        return U64(other) >> self

    def __rfloordiv__(self, other: int) -> U64:
        return U64(other) // self

    def __rmod__(self, other: int) -> U64:
        return U64(other) % self

    def __reduce__(self) -> tuple[Any, ...]:
        return U64, (int(self),)

    def lowest(self) -> int:
        """Return the index of the lowest set bit; 64 if there is none."""
        x = int(self)
        return (x & -x).bit_length() - 1 if x else 64


def nth_bit(word: U64, n: int) -> int:
    """Return the index of the n-th lowest set bit, counted from 0.

    Requires: more than `n` bits are set.
    Cost: six halvings and no branch that a processor could guess wrong.

    >>> nth_bit(U64(0b10110), 2)
    4
    """
    base = 0
    for half in (32, 16, 8, 4, 2, 1):
        below = (word & ((U64(1) << half) - 1)).bit_count()
        up = n >= below
        n = n - below if up else n
        word = word >> half if up else word
        base = base + half if up else base
    return base
