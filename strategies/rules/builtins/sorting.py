"""Sorting, heaps and bisection, written in Python, with the comparisons of the library in order.

Short lists are sorted by binary insertion, with the comparisons of CPython 3.11 and 3.12; longer
ones are merged of sorted runs. All give one order, except of values that have none, such as NaN.

Sources: Peters, listsort.txt, of CPython; its Lib/heapq.py and Lib/bisect.py.
"""

from __future__ import annotations

import ast
import bisect
import heapq
import operator
from collections import Counter
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


def down(heap: Any, first: int, at: int) -> None:
    """Move an item towards the root, to below one that is not larger."""
    item = heap[at]
    while at > first:
        above = at - 1 >> 1
        if not item < heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def up(heap: Any, at: int) -> None:
    """Move the smaller children up until an item is at a leaf, and it back to its place."""
    first, item, n = at, heap[at], len(heap)
    child = 2 * at + 1
    while child < n:
        if child + 1 < n and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    down(heap, first, at)


def of_list(heap: Any) -> Any:
    if not isinstance(heap, list):
        raise TypeError("a heap must be a list")
    return heap


@written(heapq.heapify)
def heapify(heap: Any, /) -> None:
    for i in reversed(range(len(of_list(heap)) // 2)):
        up(heap, i)


@written(heapq.heappush)
def heappush(heap: Any, item: Any, /) -> None:
    of_list(heap).append(item)
    down(heap, 0, len(heap) - 1)


@written(heapq.heappop)
def heappop(heap: Any, /) -> Any:
    last = of_list(heap).pop()
    return heapreplace(heap, last) if heap else last


@written(heapq.heapreplace)
def heapreplace(heap: Any, item: Any, /) -> Any:
    first = of_list(heap)[0]
    heap[0] = item
    up(heap, 0)
    return first


@written(heapq.heappushpop)
def heappushpop(heap: Any, item: Any, /) -> Any:
    return heapreplace(heap, item) if of_list(heap) and heap[0] < item else item


def in_places(values: Any) -> Any:
    if isinstance(values, dict) and not isinstance(values, Counter):  # which CPython takes
        raise TypeError("a dict is not a sequence")
    return values


def _bisection(bisect: Any, insort: Any, goes_before: Any) -> None:
    """Declare the search for a place among sorted elements, and the insertion there."""

    def place(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        lo, hi = operator.index(lo), -1 if hi is None else operator.index(hi)
        if lo < 0:
            raise ValueError("lo must be non-negative")
        end = len(in_places(a)) if hi == -1 else hi
        while lo < end:
            middle = (lo + end) // 2
            found = in_places(a)[middle]
            if goes_before(x, found if key is None else key(found)):
                end = middle
            else:
                lo = middle + 1
        return lo

    def insert(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
        a.insert(place(a, x if key is None else key(x), lo, hi, key=key), x)

    written(bisect)(place)
    written(insort)(insert)


_bisection(bisect.bisect_right, bisect.insort_right, operator.lt)
_bisection(bisect.bisect_left, bisect.insort_left, lambda x, y: not y < x)
