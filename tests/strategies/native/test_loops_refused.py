"""Loops over sequences that machine code would compute too early are refused with a message."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from numba.core.errors import TypingError

from tests.strategies.native.compiled import compiled

Row = tuple[int, ...]
STEPS = "a row is computed step by step here"
KEPT = "a generator stored in a variable"
INSIDE = "a comprehension assigns a variable by := that is used outside it"
CHANGED = "setitem"
BY_STEPS = "del with a step, as in row"


def taken(cells: list[int]) -> int:
    return cells.pop()


def leaves_two_loops(t: Row) -> int:
    r = 0
    for x in (a + b for a in t for b in t if a + b > r):
        r += x
        if r > 20:
            break
    return r


def zips_some(t: Row) -> int:
    r = 0
    for a, b in zip(range(9), (v for v in t if v > r), strict=False):
        r += a + b
    return r


def pairs_of_a_list(t: Row) -> int:
    cells = list(t)
    for a, b in pairwise(cells):
        cells[-1] += a * b
    return cells[-1]


def zips_backwards(t: Row) -> int:
    cells = list(t)
    for a, _ in zip(reversed(cells), t, strict=True):
        cells[0] += a
    return cells[0]


def deletes_by_steps(t: Row) -> int:
    cells = list(t)
    cells.append(1)
    del cells[::2]
    return sum(cells)


def chooses(t: Row) -> int:
    r = 0
    for x in (v + r for v in t) if t[0] > 0 else (v - r for v in t):
        r = r * 3 + x
    return r


def takes_from_both(t: Row) -> int:
    cells = [1]
    cells += list(t)
    return sum(
        a * b for a, b in zip((cells.pop() for v in t), (len(cells) for v in t), strict=True)
    )


def takes_by_a_call(t: Row) -> int:
    cells = [1]
    for v in t:
        cells.append(v)
    return sum(
        a * b for a, b in zip((taken(cells) for v in t), (len(cells) for v in t), strict=True)
    )


def keeps_numbered(t: Row) -> int:
    r = 0
    pairs = enumerate(v + r for v in t)
    for i, x in pairs:
        r = r * 3 + x * i
    return r


def assigns(t: Row) -> Any:
    n = 0
    found = any((n := v) > 1 for v in t)
    return n, found


def sums_up(t: Row) -> Any:
    n = r = 0
    for x in [(n := n + v) for v in t]:
        r = r * 3 + n + x
    return r


def known_inside_alone(t: Row) -> int:
    if any((last := v) > 3 for v in t):
        return last
    return -1


def names_a_row(t: Row) -> int:
    board = [[v, v + 1] for v in t]
    r = 0
    for row in board:
        other = row
        board[3][1] += other[1]
        r += other[1]
    return r


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (leaves_two_loops, STEPS),
        (zips_some, STEPS),
        (pairs_of_a_list, STEPS),
        (zips_backwards, STEPS),
        (chooses, STEPS),
        (takes_from_both, STEPS),
        (takes_by_a_call, STEPS),
        (keeps_numbered, KEPT),
        (assigns, INSIDE),
        (sums_up, INSIDE),
        (known_inside_alone, INSIDE),
        (names_a_row, CHANGED),
        (deletes_by_steps, BY_STEPS),
    ],
)
def test_loops_that_machine_code_would_compute_differently_are_refused(
    rule: Callable[[Row], Any], text: str
) -> None:
    rule((9, 1, 0, 2))
    with pytest.raises(TypingError, match=text):
        compiled(rule)((9, 1, 0, 2))
