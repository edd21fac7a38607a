"""Builtins that read iterables, written in Python; they mean what Python's mean by being Python.

A parameter that may be left out is told by its kind, so no test of it remains in the code.
"""

from __future__ import annotations

from typing import Any

from strategies.rules.builtins.declared import written


class Absent:
    """Stands for an argument that was left out."""


ABSENT = Absent


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


@written(min)
def min_(first: Any, /, *rest: Any, key: Any = None, default: Any = ABSENT) -> Any:
    if rest:
        best = first
        if key is None:
            for x in rest:
                if x < best:
                    best = x
            return best
        rank = key(first)
        for x in rest:
            other = key(x)
            if other < rank:
                best, rank = x, other
        return best
    empty = True
    for x in first:
        if key is None:
            if empty or x < best:
                best = x
        else:
            other = key(x)
            if empty or other < rank:
                best, rank = x, other
        empty = False
    if empty:
        if default is ABSENT:
            raise ValueError("min() of nothing")
        return default
    return best


@written(max)
def max_(first: Any, /, *rest: Any, key: Any = None, default: Any = ABSENT) -> Any:
    if rest:
        best = first
        if key is None:
            for x in rest:
                if x > best:
                    best = x
            return best
        rank = key(first)
        for x in rest:
            other = key(x)
            if other > rank:
                best, rank = x, other
        return best
    empty = True
    for x in first:
        if key is None:
            if empty or x > best:
                best = x
        else:
            other = key(x)
            if empty or other > rank:
                best, rank = x, other
        empty = False
    if empty:
        if default is ABSENT:
            raise ValueError("max() of nothing")
        return default
    return best
