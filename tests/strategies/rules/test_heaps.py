"""Heaps, bisection, numbers in other bases, and attributes by name do as in Python."""

# Odd spellings are the matter of these tests.
# ruff: noqa: B009, E721

from __future__ import annotations

import bisect
import heapq
from collections import Counter, defaultdict
from enum import Enum
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import differences, refused

CASES = Cases()
INTS = st.lists(st.integers(-9, 9), max_size=12)


def as_heap(xs: Any, y: Any) -> Any:
    h = list(xs)
    heapq.heapify(h)
    seen = [list(h)]
    for x in xs:
        heapq.heappush(h, x + y)
    seen.append(list(h))
    return seen, heapq.heappushpop(h, y), heapq.heapreplace(h, y), [heapq.heappop(h) for _ in xs], h


def shortest(xs: Any, y: Any) -> Any:
    """The search of a shortest way, with pairs on the heap."""
    far: dict[int, int] = {}
    heap = [(0, 0)]
    while heap:
        d, at = heapq.heappop(heap)
        if at in far:
            continue
        far[at] = d
        for i, x in enumerate(xs):
            if (at + x) % 7 not in far:
                heapq.heappush(heap, (d + i + y * y, (at + x) % 7))
    return sorted(far.items())


def in_order(xs: Any, y: Any) -> Any:
    row: list[int] = []
    for x in xs:
        bisect.insort(row, x)
        bisect.insort_left(row, -x)
    return row, bisect.bisect(row, y), bisect.bisect_left(row, y), bisect.bisect(row, y, 1, 3)


def by_key(xs: Any, y: Any) -> Any:
    row = sorted(xs, reverse=True)
    bisect.insort(row, y, key=lambda x: -x)
    return row, bisect.bisect_left(row, -y, key=lambda x: -x), bisect.bisect_right(row, y, 0, -1)


def before_the_start(xs: Any, y: Any) -> Any:
    return bisect.bisect_left(xs, y, y)


@given(INTS, st.integers(-5, 5))
@pytest.mark.parametrize("function", [as_heap, shortest, in_order, by_key, before_the_start])
def test_heaps_and_bisection(function: Any, xs: list[int], y: int) -> None:
    assert not differences(function, [(xs, y)])


@frozen
class Place:
    x: Any

    def norm(self) -> Any:
        return abs(self.x)

    @property
    def double(self) -> Any:
        return 2 * self.x


class Colour(Enum):
    RED = 1


@CASES(0, 5, -5, True, 2**63 - 1, -(2**63), 1.5, None)
def bases(n: Any) -> Any:
    return bin(n), oct(n), hex(n)


@CASES((), [], (1, 2))
def no_heap(a: Any) -> Any:
    return heapq.heappop(a)


ROWS = {}, {0: 5, 1: 7}, defaultdict(int, {0: 5}), Counter("ab"), [5, 7], (5, 7)


@CASES(*((a, 6, lo, hi) for a in ROWS for lo, hi in ((0, -1), (True, 2), (3, None), (0, 0))))
def bisected(a: Any, x: Any, lo: Any, hi: Any) -> Any:
    return bisect.bisect_left(a, x, lo, hi), bisect.bisect(a, x)


@CASES((1.0, 2), (5.0, 2), (0, 2.0), ("1", 2), (None, 2), (0, "2"))
def bounds_of_a_bisection(lo: Any, hi: Any) -> Any:
    return bisect.bisect([5, 7], 6, lo, hi)


@CASES(0, -2)
def by_name(n: Any) -> Any:
    p = Place(n)
    return getattr(p, "x"), getattr(p, "norm")(), getattr(p, "double"), getattr(p, "y", 4)


@CASES(0, -2)
def missing(n: Any) -> Any:
    return getattr(Place(n), "y")


@CASES(0, -2)
def present(n: Any) -> Any:
    p = Place(n) if n else None
    own = hasattr(p, "x"), hasattr(p, "y"), hasattr(n, "bit_count"), hasattr(Colour.RED, "mro")
    return own, getattr(p, "x", 9), hasattr(Place, "norm"), hasattr(Colour, "RED")


@CASES(0, 2.5, "a", (), None)
def classes(x: Any) -> Any:
    return x.__class__ is int, x.__class__ == str, x.__class__.__name__


@pytest.mark.parametrize("name", CASES.names())
def test_the_table(name: str) -> None:
    CASES.run(name)


def unknown_name(name: Any) -> Any:
    return getattr(Place(3), name)


def of_a_property(n: Any) -> Any:
    return hasattr(Place(n), "double")


def test_what_only_running_tells_is_refused() -> None:
    assert "write the name, as in x.name" in refused(unknown_name, "x")
    assert "may raise AttributeError" in refused(of_a_property, 3)
