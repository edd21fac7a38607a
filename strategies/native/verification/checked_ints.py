"""Checks that ints stay in 64 bits: an interpreted rule fails where a compiled one would wrap."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import attrs

from games.u64 import U64

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class CheckedInt(int):
    """An int whose arithmetic raises OverflowError where 64 bits would not hold the result.

    >>> CheckedInt(2**62) + 1
    4611686018427387905
    >>> 3 << CheckedInt(2)
    12
    >>> CheckedInt(2**62) * 2
    Traceback (most recent call last):
    ...
    OverflowError: 4611686018427387904 mul 2 does not fit into 64 bits: use U64 or smaller numbers
    """

    __slots__ = ()


def _checked(name: str, reflected: bool = False) -> Callable[..., Any]:
    operation = getattr(int, f"__r{name}__" if reflected else f"__{name}__")

    def apply(self: int, *others: Any) -> Any:
        if others and isinstance(others[0], U64):
            return NotImplemented  # the operator of U64 applies: it wraps
        first, *more = (*others, self) if reflected else (self, *others)
        if name in ("lshift", "rshift") and int(more[0]) > 63:
            raise OverflowError(f"a shift by {int(more[0])} is beyond 64 bits: use U64")
        result = operation(self, *others)
        if type(result) not in (int, CheckedInt):
            return result
        if not LOWEST <= result <= HIGHEST:
            text = " ".join([f"{int(first)} {name}", *(str(int(other)) for other in more)])
            raise OverflowError(f"{text} does not fit into 64 bits: use U64 or smaller numbers")
        return CheckedInt(result)

    return apply


_ONE = ("neg", "invert", "abs")
_TWO = ("add", "sub", "mul", "and", "or", "xor", "lshift", "rshift", "floordiv", "mod", "pow")
for _name in (*_ONE, *_TWO):
    setattr(CheckedInt, f"__{_name}__", _checked(_name))
for _name in _TWO:
    setattr(CheckedInt, f"__r{_name}__", _checked(_name, reflected=True))


def checked(value: Any) -> Any:
    """Replace the ints in a record or tuple, at any depth, by checked ones.

    >>> type(checked((1, (2,)))[1][0]).__name__
    'CheckedInt'
    """
    if type(value) is int:
        return CheckedInt(value)
    if type(value) is tuple:
        return tuple(map(checked, value))
    if attrs.has(type(value)):
        twin = copy.copy(value)
        for field in attrs.fields(type(value)):
            object.__setattr__(twin, field.name, checked(getattr(value, field.name)))
        return twin
    return value
