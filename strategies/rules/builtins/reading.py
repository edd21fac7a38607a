"""Builtins that read iterables, written in Python; they mean what Python's mean by being Python.

A parameter that may be left out is told by its kind, so no test of it remains in the code.
"""

from __future__ import annotations

import operator
from typing import Any

from strategies.rules.builtins.declared import LEFT_OUT, written


@written(any)
def any_(iterable: Any, /) -> bool:
    for x in iterable:
        if x:
            return True
    return False


@written(all)
def all_(iterable: Any, /) -> bool:
    for x in iterable:
        if not x:
            return False
    return True


@written(sum)
def sum_(iterable: Any, /, start: Any = 0) -> Any:
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings")
    total = start
    for x in iterable:
        total = total + x
    return total


def _extreme(value: Any, is_better: Any) -> None:
    """Declare `min` or `max`, the first of the elements than which none is better."""

    def found(first: Any, /, *rest: Any, key: Any = None, default: Any = LEFT_OUT) -> Any:
        if rest:
            best = first
            if key is None:
                for x in rest:
                    if is_better(x, best):
                        best = x
                return best
            rank = key(first)
            for x in rest:
                other = key(x)
                if is_better(other, rank):
                    best, rank = x, other
            return best
        empty = True
        for x in first:
            if key is None:
                if empty or is_better(x, best):
                    best = x
            else:
                other = key(x)
                if empty or is_better(other, rank):
                    best, rank = x, other
            empty = False
        if empty:
            if default is LEFT_OUT:
                raise ValueError("min() or max() of nothing")
            return default
        return best

    found.__qualname__ = f"{value.__name__}_"
    written(value)(found)


_extreme(min, operator.lt)
_extreme(max, operator.gt)
