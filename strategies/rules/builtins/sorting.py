"""`sorted` and `list.sort`, written in Python.

Short lists are sorted by binary insertion, with the comparisons of CPython 3.11 and 3.12; longer
ones are merged of sorted runs. All give one order, except of values that have none, such as NaN.

Source: Peters, listsort.txt, of CPython.
"""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.builtins.declared import private, written, written_method
from strategies.rules.code.coercion import put_item
from strategies.rules.code.storage import span
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import NEVER

RUN = 32
SHORT = 64


@private("values, i, /")
def at(w: Walk, node: ast.AST, a: Val, i: Val) -> Val:
    """Return the value of a list at a place that is in it: this is not checked again."""
    item = a.boxed.item
    if item is NEVER:
        return w.never
    return w.item(item, span(w, a)[0], i.v)


@private("values, i, x, /")
def put(w: Walk, node: ast.AST, a: Val, i: Val, x: Val) -> None:
    """Put a value at a place of a list that is in it: this is not checked again."""
    w.change(a, 0, x.kind)
    item = a.boxed.item
    if item is not NEVER:
        put_item(w, item, span(w, a)[0], i.v, x)


@written(sorted)
def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    values = list(iterable)
    arrange(values, None if key is None else [key(x) for x in values], reverse)
    return values


@written_method("list", "sort")
def sort(self: Any, /, *, key: Any = None, reverse: Any = False) -> None:
    if key is None:
        arrange(self, None, reverse)
        return
    found = list(self)
    self.clear()  # as CPython does, so that the key sees an empty list
    try:
        arrange(found, [key(x) for x in found], reverse)
    finally:
        changed = len(self) > 0
        self.clear()
        self.extend(found)
    if changed:
        raise ValueError("list modified during sort")


def arrange(values: Any, ranks: Any, down: Any) -> None:
    """Sort a list by the ranks of its values, which are the values themselves if None; stable."""
    n = len(values)
    if n < 2:
        return
    if down:
        flip(values, 0, n)
        if ranks is not None:
            flip(ranks, 0, n)
    width = n if n < SHORT else RUN
    low = 0
    while low < n:
        insert(values, ranks, low, min(low + width, n))
        low += width
    while width < n:
        merge(values, ranks, width)
        width *= 2
    if down:
        flip(values, 0, n)


def flip(values: Any, low: Any, high: Any) -> None:
    """Reverse the values from one place to before another."""
    high -= 1
    while low < high:
        x = at(values, low)
        put(values, low, at(values, high))
        put(values, high, x)
        low += 1
        high -= 1


def insert(values: Any, ranks: Any, low: Any, high: Any) -> None:
    """Sort the values from one place to before another."""
    keys = values if ranks is None else ranks
    i = low + 1
    if i < high and at(keys, i) < at(keys, low):
        i += 1
        while i < high and at(keys, i) < at(keys, i - 1):
            i += 1
        flip(values, low, i)
        if ranks is not None:
            flip(ranks, low, i)
    else:
        while i < high and not at(keys, i) < at(keys, i - 1):
            i += 1
    while i < high:
        rank = at(keys, i)
        left, right = low, i
        while left < right:
            middle = (left + right) // 2
            if rank < at(keys, middle):
                right = middle
            else:
                left = middle + 1
        shift(values, left, i)
        if ranks is not None:
            shift(ranks, left, i)
        i += 1


def shift(values: Any, to: Any, i: Any) -> None:
    """Move the value at a place to an earlier one."""
    x = at(values, i)
    while i > to:
        put(values, i, at(values, i - 1))
        i -= 1
    put(values, to, x)


def merge(values: Any, ranks: Any, width: Any) -> None:
    """Merge each two neighbouring runs of a width."""
    n = len(values)
    olds = list(values)
    keys = olds if ranks is None else list(ranks)
    for low in range(0, n, 2 * width):
        i, middle = low, min(low + width, n)
        j, high = middle, min(low + 2 * width, n)
        for to in range(low, high):
            if j >= high or (i < middle and not at(keys, j) < at(keys, i)):
                first = i
                i += 1
            else:
                first = j
                j += 1
            put(values, to, at(olds, first))
            if ranks is not None:
                put(ranks, to, at(keys, first))
