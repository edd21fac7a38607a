"""Heaps and bisection, written in Python, with the comparisons of the library in their order.

Source: Lib/heapq.py and Lib/bisect.py of CPython.
"""

from __future__ import annotations

import bisect
import heapq
import operator
from typing import Any

from strategies.rules.builtins.declared import written


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
    if heap:
        item = heap[0]
        heap[0] = last
        up(heap, 0)
        return item
    return last


@written(heapq.heapreplace)
def heapreplace(heap: Any, item: Any, /) -> Any:
    first = of_list(heap)[0]
    heap[0] = item
    up(heap, 0)
    return first


@written(heapq.heappushpop)
def heappushpop(heap: Any, item: Any, /) -> Any:
    if of_list(heap) and heap[0] < item:
        first = heap[0]
        heap[0] = item
        up(heap, 0)
        return first
    return item


def _bisection(bisect: Any, insort: Any, goes_before: Any) -> None:
    """Declare the search for a place among sorted elements, and the insertion there."""

    def place(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        if lo < 0:
            raise ValueError("lo must be non-negative")
        end = len(a) if hi is None or hi == -1 else hi
        while lo < end:
            middle = (lo + end) // 2
            if goes_before(x, a[middle] if key is None else key(a[middle])):
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
