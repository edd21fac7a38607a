"""Assignment expressions have the same results in machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.strategies.native.compiled import compiled

Row = tuple[int, ...]


def conditions(row: Row) -> int:
    total = 0
    if (most := row[0] + 1) > 2 and (least := row[1]) < most:
        total += most * 10 + least
    if total > 90:
        total += 1
    elif (third := row[2] - 1) > 1:
        total += third
    else:
        total -= third
    return total


def loops(row: Row) -> int:
    left, total = row[0], 0
    while (left := left - 1) >= 0:
        if left == 1:
            continue
        total += (twice := 2 * left) + twice
    return total


def values(row: Row) -> Any:
    both = ((a := row[0] + row[1]), (b := a * 2) + 1)
    a = (a := a + 5) + a
    found = [y for x in row if (y := x + 1) > 2]
    return both, a, b, len(found), (c := max(row)) + c


@pytest.mark.parametrize("rule", [conditions, loops, values])
def test_assigned_names_have_their_values(rule: Callable[[Row], Any]) -> None:
    native = compiled(rule)
    for row in [(1, 2, 3), (2, 5, 1), (4, 1, 1)]:
        assert native(row) == rule(row)
