"""Stored generators, nested keys, sets, rows in two places: the result of Python, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.strategies.rules.compared import check, refused

Row = tuple[int, ...]


def doubled(row: Row) -> Iterator[int]:
    return (2 * x for x in row)


def large(row: Row) -> Iterator[int]:
    found = (x for x in row if x > 1)
    return found  # noqa: RET504 - as written


def kept(row: Row) -> Any:
    least, total = row[0], 0
    tenths = (10 // x for x in row if x >= least)
    first = filter(None, row)
    for k in row:
        more = (x + k for x in row)
        total += sum(more)
    back = reversed(row)
    return any(x > 2 for x in tenths), next(first), total, tuple(back)


def returned(row: Row) -> Any:
    rows, total = doubled(row), 0
    for x in rows:
        total += x
    for x in rows:  # the generator is exhausted
        total += 100 * x
    return total, sum(doubled(row)), sum(large(row)), max(large(row))


def sets(row: Row) -> Any:
    twos = (
        sum({x % 2 for x in row}),
        sorted({x % 2 for x in row}),
        sum(1 for _ in {x % 2 for x in row}),
    )
    counts = {1: 2, 3: 4}
    counts[row[0]] = 7
    del counts[3]
    return twos, [x for x in counts], list(counts.values())  # noqa: C416 - as written


def keys(row: Row) -> Any:
    rows = [(1, 2, row[0]), (4, 0, 6)]
    nearest = min(rows, key=lambda r: min(r, key=lambda x: abs(x - 3)))
    shadowed = [max(row, key=lambda x: -x) for x in row]
    times = lambda x, y=2: x * y  # noqa: E731
    moved = [(lambda x: x)(3) + x for x in row]
    return nearest, tuple(shadowed), tuple(moved), times(row[0])


def twice(row: Row) -> int:
    found = (x for x in row if x > 1)
    return sum(found) + sum(found)


def in_a_loop(row: Row) -> int:
    found, total = map(abs, row), 0
    back = map(abs, row)
    for _ in row:
        total += sum(back)
    return total + sum(found)


def late(row: Row) -> int:
    more = 1
    found = (x + more for x in row)
    more = 5
    return sum(found)


def of_a_changed_list(row: Row) -> int:
    cells = list(row)
    found = (x for x in cells if x > 1)
    cells[0] = 7
    return sum(found)


def order_of_a_set(row: Row) -> int:
    total = 0
    for x in set(row):
        total = total * 7 + x
    return total


def list_of_a_set(row: Row) -> int:
    cells = {5 * x for x in row}
    return list(cells)[0]  # noqa: RUF015 - as written


def first_by_key(row: Row) -> int:
    cells = set(row)
    return max(cells, key=lambda x: x % 2)


@pytest.mark.parametrize(
    ("rule", "advice"),
    [
        (order_of_a_set, "the order of a set is chance; write sorted(…)"),
        (list_of_a_set, "the order of a set is chance; write sorted(…)"),
        (first_by_key, "may meet equal keys; write max(sorted(…), key=…)"),
    ],
)
def test_rules_that_depend_on_the_order_of_a_set_are_refused(rule: Any, advice: str) -> None:
    assert advice in refused(rule, (1, 2, 3))


def any_order(row: Row) -> Any:
    cells = set(row)
    least = min(x for x in cells)
    some = any(x in row for x in NEAR[row[0] % 2]), sum(1 for x in set(row) if x in NEAR[0])
    return sorted(cells), sum(x for x in cells), any(x > 2 for x in cells), least, max(cells), some


NEAR = {0: {1, 2}, 1: {0}}


def rows_of_their_own(row: Row) -> Any:
    table = [[0] * 2 for _ in range(2)]
    other = [list(r) for r in ((1, 2), (3, 4))]
    whole, part = list(row), other[0][:]
    table[1][0] = other[0][1] = whole[1] = row[0]
    return table[0][0], table[1][0], other[0][1], part[1], whole[1]


def taken_out(row: Row) -> Any:
    cells, counts = [1, 2, 3, 4], {x: 1 for x in row}  # noqa: C420 - as written
    del cells[row[0]], cells[-1]
    del counts[row[0]]
    return cells[0], len(cells), len(counts)


def same_row_twice(row: Row) -> int:
    table = [[0] * 3] * 2
    table[0][1] = row[0]
    return table[1][1]


def same_row_by_name(row: Row) -> int:
    cells = [0, 0]
    table = [cells, cells]
    table[0][1] = row[0]
    return table[1][1]


def shallow_copy(row: Row) -> int:
    table = [[1, 2], [3, 4]]
    other = list(table)
    table[0][0] = row[0]
    return other[0][0]


STORED = [kept, returned, twice, in_a_loop, late, of_a_changed_list]
IN_TWO_PLACES = [same_row_twice, same_row_by_name, shallow_copy]
RULES = [*STORED, sets, keys, any_order, rows_of_their_own, taken_out, *IN_TWO_PLACES]


@pytest.mark.parametrize("rule", RULES)
def test_results_agree_with_python(rule: Callable[[Row], Any]) -> None:
    check(rule, ((1, 2, 3),), ((2, 5, 2),), ((3, 0, 7),))
