"""Shifts by the variable of a loop over a range are Python's, whatever is asked before the loop."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64
from strategies.rules.machine import compilation
from tests.strategies.rules.compared import check, differences, function_of

LARGEST, LOWEST = 2**63 - 1, -(2**63)
BOUNDS = [
    *((0, 5), (1, 40), (0, 63), (0, 64), (0, 65), (60, 64), (60, 70), (64, 70), (-1, 3), (-3, 0)),
    *((5, 0), (63, -1), (64, -1), (70, 60), (3, -3), (-1, -4), (0, -1), (1, -2), (200, 0)),
    *((LARGEST - 2, LARGEST), (LARGEST, LARGEST - 2), (LOWEST, LOWEST + 2), (LOWEST + 2, LOWEST)),
    *((LOWEST, -1), (LARGEST, LOWEST), (LARGEST - 1, 64)),
]
FEW = 300
"""The most steps of a loop, so that ranges may be of any size."""


def loop(shift: str, over: str) -> Any:
    """Return a function that shifts by the variable of a loop."""
    lines = (
        f"    for i in {over}:",
        f"        if len(found) == {FEW}:",
        "            break",
        f"        found.append({shift})",
    )
    return function_of("\n".join(("def f(x, a, b):", "    found = []", *lines, "    return found")))


OVER = ("range(a, b)", "range(a, b, -1)", "range(a, b, 3)", "range(a, b, -7)", "range(b)")
SHIFTS = (
    "x >> i",
    "x << i",
    "x >> i & 1",
    "1 << i",
    "-1 >> i",
    "0 << i",
    "(x >> i, x >> (i & 63))",
)
LOOPS = [loop(shift, over) for shift in SHIFTS for over in OVER]


EACH = [*((over, 0) for over in OVER), (OVER[0], 3)]
EACH += [pytest.param(over, 3, marks=pytest.mark.long) for over in OVER[1:]]


@pytest.fixture(params=[0, pytest.param(3, marks=pytest.mark.long)])
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "LEVEL", request.param)


@pytest.mark.parametrize(("over", "level"), EACH, indirect=["level"])
@pytest.mark.parametrize("shift", SHIFTS)
def test_shifts_by_counts_of_all_sizes_are_pythons(shift, over, level):
    values = (1, -1, 0, True) if shift == "x << i" else (1, -1, 0, 2**61 + 5, LOWEST, True)
    calls = [(x, *bounds) for x in values for bounds in BOUNDS]
    check(loop(shift, over), *calls)


@pytest.mark.parametrize(("over", "level"), EACH, indirect=["level"])
def test_shifts_of_words_are_their_own(over, level):
    calls = [(x, *bounds) for x in (U64(1), U64(2**64 - 1)) for bounds in BOUNDS]
    check(loop("(x >> i, x << i)", over), *calls)


@given(
    st.sampled_from(LOOPS),
    st.integers(-9, 9),
    st.integers(-70, 70),
    st.integers(-70, 70),
)
def test_any_loops_with_shifts_are_pythons(f, x, a, b):
    assert differences(f, [(x, a, b)], wide=True) == []


REBOUND = """
def f(x, a, b):
    found = 0
    for i in range(a, b):
        found += x >> i
        i += 60
        found += x >> i
    return found, x >> i

def f(x, a, b):
    found = 0
    for i in range(a, b):
        if (i := i + 60) and x >> i:
            found += x >> i
    return found

def f(x, a, b):
    found = 0
    for i in range(a, b):
        n = 0
        while n < 3:
            found += x >> i
            i, n = 70 * n - 1, n + 1
    return found

def f(x, a, b):
    found = 0
    for i in range(a, b):
        for i in range(60, 70):
            found += x >> i
        found += x >> i
    return found

def f(x, a, b):
    i, found = 100, 0
    for i in range(a, a):
        found += x >> i
    else:
        found += x >> i
    return found, x >> i

def f(x, a, b):
    i, found = -1, 0
    for i in range(a, a):
        found += x >> i
    else:
        return x >> i

def f(x, a, b):
    found = []
    try:
        for i in range(a, b):
            found.append(x >> i)
            if i == 3:
                return found
    finally:
        for n in range(3):
            found.append(x >> i)
            i = 64 + n
    return found

def f(x, a, b):
    found = []
    for n in range(2):
        try:
            for i in range(a, b):
                found.append(x >> i)
                if i == 2:
                    break
        finally:
            i = 100 - 102 * n
            found.append(x >> i)
    return found

def f(x, a, b):
    found = []
    for i in range(a, b):
        try:
            found.append(x // (x >> i))
        except ZeroDivisionError as i:
            found.append(0)
    return found

def f(x, a, b):
    found = []
    for i in range(a, b):
        found.append(x >> i)
        match x:
            case i:
                pass
        found.append(1 if i > 63 else x >> i)
    return found

def f(x, a, b):
    found = []
    for i in range(a, b):
        def more():
            nonlocal i
            i += 60
        found.append(x >> i)
        more()
        found.append(x >> i)
    return found

def f(x, a, b):
    found = []
    for i in range(a, b):
        found += [x >> i for i in (63, 64, 70)]
        found.append(x >> i)
    return found

def f(x, a, b):
    found = []
    for i in range(a, b):
        later = lambda n: [n >> i, x >> i]
        found += later(x)
        x >>= i
    return found, x

def f(x, a, b):
    def each(a, b):
        for i in range(a, b):
            yield x >> i
            yield x & i
    def sums(a, b):
        total = 0
        for i in range(a, b):
            total += x >> i
        yield total
        yield x >> 70
    return list(each(a, b)), list(sums(a, b))

def f(x, a, b):
    both = range(a, b)
    one, other = 0, 0
    for i in both:
        one += x >> i
        a, b, both = 70, 80, range(60, 70)
    for i in both:
        other += x >> i
    return one, other
"""
BODIES = [part for part in REBOUND.split("\n\n") if part.strip()]


@pytest.mark.parametrize("body", BODIES)
def test_a_variable_that_is_bound_again_counts_what_it_is(body, level):
    bounds = [(0, 5), (0, 0), (3, 4), (0, 64), (62, 66), (5, 0), (-1, 2)]
    check(function_of(body.lstrip("\n") + "\n"), *((x, *b) for x in (12345, 5, -1) for b in bounds))
