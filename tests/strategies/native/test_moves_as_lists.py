"""A rule that returns a list gives other rules a list, and one that yields a generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.strategies.rules.compared import check

Row = tuple[int, ...]
EVEN = (2, 4)


def options(row: Row) -> list[int]:
    return [x for x in row if x > 1]


def moves(self: int, row: Row) -> list[int]:
    return options(row)


def candidates(self: int, row: Row) -> list[int]:
    if row[0] == 9:
        return []
    return [7] + [x for x in row if x > 2] if row[0] > 1 else [5, 4] if row[1] > 1 else []


def moves_in_play(kind: int, row: Row) -> list[int]:
    return options(row)  # not a method, so it stays a list


def rollout_moves(self: int, row: Row) -> Any:
    def several(x: int) -> bool:
        return x > 1

    return range(1, row[0]) if several(row[0]) else EVEN


def children(row: Row) -> Iterator[int]:
    for x in row:
        if x > 1:
            yield x


def outcomes(row: Row) -> Iterator[int]:
    return (x + 1 for x in row if x > 1)


def asked(row: Row) -> Any:
    found = moves(0, row)
    kept = 3 if moves(0, row) and not candidates(0, row) else 4
    if not found:
        return 0, kept, False, moves(0, row) == []
    return len(found), kept, bool(found), found == []


def iterated_twice(row: Row) -> Any:
    found = moves(0, row)
    products = 0
    for x in found:
        for y in found:
            products += x * y
    return products, sum(1 for _ in found), sum(found), max(found, default=0), found == []


def changed(row: Row) -> Any:
    found = moves(0, row)
    found.append(3)
    found.sort()
    others = candidates(0, row)
    others += [1]
    return found[0], found[-1], len(others), others.count(4), 3 in moves(0, row)


def parts(row: Row) -> Any:
    several = sum(10 * k + x for k, x in enumerate(candidates(0, row)))
    paired = [x * y for x, y in zip(moves(0, row), rollout_moves(0, row), strict=False)]
    first = next(iter(moves(0, row)), -1)
    return several, sum(paired), first, len(rollout_moves(0, row)), sum(rollout_moves(0, row))


def iterated_once(row: Row) -> Any:
    count = 0
    for x in children(row):
        if x > 2:
            break
        count += x
    some = next(iter(children(row)), 0), next(iter(outcomes(row)), 0)
    count += len(moves_in_play(0, row))
    return count, some, 3 in children(row), 3 in outcomes(row), list(children(row)) == []


def backwards(row: Row) -> Iterator[int]:
    return reversed(options(row))


def paired(row: Row) -> Iterator[tuple[int, int]]:
    return zip(options(row), row, strict=False)


def numbered(row: Row) -> Iterator[tuple[int, int]]:
    return enumerate(options(row))


def with_a_function(row: Row) -> Iterator[int]:
    def several(x: int) -> bool:
        return x > 1

    return (x for x in row if several(x))


def lazily(row: Row) -> Any:
    total = 0
    for k, x in numbered(row):
        total += k * x
    for x, y in paired(row):
        total += x * y
    return total, next(iter(backwards(row)), 0), list(with_a_function(row)), list(backwards(row))


ASKING = [asked, iterated_twice, changed, parts, iterated_once, lazily]


@pytest.mark.parametrize("rule", ASKING)
def test_a_list_of_moves_is_a_list_to_other_rules(rule: Callable[[Row], Any]) -> None:
    check(rule, *((row,) for row in [(1, 2, 3), (3, 1, 4), (1, 1, 1), (9, 1, 2)]))


def always(row: Row) -> bool:
    return bool(children(row))


def measured(row: Row) -> int:
    return len(outcomes(row))  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", [always, measured])
def test_a_generator_is_not_taken_for_a_list(rule: Callable[[Row], Any]) -> None:
    check(rule, ((1, 2, 3),), ((1, 1, 1),))
