"""Iteration with itertools or over an IntEnum gives the same elements in machine code."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import IntEnum
from itertools import combinations, pairwise, permutations, product
from typing import Any

import pytest

from tests.strategies.native.compiled import compiled

Row = tuple[int, ...]


class Way(IntEnum):
    UP = 3
    DOWN = -3
    ABOVE = 3


def products(row: Row) -> Any:
    near = [(a, b) for a, b in product((-1, 0, 1), repeat=2) if a or b]
    total = sum(x * y for x, y in itertools.product(row, range(row[0])))
    for x, y, z in product(row, row, range(2)):
        if x > y:
            total += z + 10 * x
            break
    return len(near), near[0], total


def choices(row: Row) -> Any:
    apart = all(x != y for x, y in combinations(row, 2))
    count = 0
    for i, j, k in combinations(range(5), 3):
        if i + j == k:
            continue
        count += i + 10 * j + 100 * k
    orders = sum(10 * x + y for x, y in permutations(row, 2))
    steps = [b - a for a, b in pairwise(row)]
    return apart, count, orders, steps[0], sum(steps), max(combinations(row, 2))


def flat(row: Row) -> Any:
    rows = ((1, 2), (3, 4))
    return sum(itertools.chain.from_iterable(rows)), row[0]


def members(row: Row) -> Any:
    total = sum(w * k for k, w in enumerate(Way))
    for way in Way:
        if way == Way.DOWN:
            total += 10 * row[0]
    return total, len(Way), list(Way)[1], sum([w + 1 for w in Way]), max(Way), Way.ABOVE


WALKING = [products, choices, flat, members]


@pytest.mark.parametrize("rule", WALKING)
def test_elements_are_the_same_in_machine_code(rule: Callable[[Row], Any]) -> None:
    native = compiled(rule)
    for row in [(1, 2, 3), (2, 5, 2), (3, 1, 1)]:
        assert native(row) == rule(row)
