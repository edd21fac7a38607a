"""Common Python gives in machine code what it gives in Python."""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import pytest
from attrs import frozen

from games import Game, Status
from strategies import alphabeta, engine_for, search
from tests.strategies.native.compiled import compiled
from tests.strategies.rules.compared import check


def swapped(row: Any, m: int) -> Any:
    return row[:m] + (row[m + 1], row[m]) + row[m + 2 :]  # noqa: RUF005 - as written


def swapped_with_stars(row: Any, m: int) -> Any:
    return (*row[:m], row[m + 1], row[m], *row[m + 2 :])


def around(row: Any, m: int) -> Any:
    return (*row[: m - 1], 9, 8, *row[m + 1 :])


def three(row: Any, m: int) -> Any:
    return (*row[: 1 + m], 7, row[0], 4, *row[m + 4 :])


def one(row: Any, m: int) -> Any:
    return (*row[:m], 7, *row[m + 1 :])


@pytest.mark.parametrize("rule", [swapped, swapped_with_stars, around, three, one])
def test_slices_of_a_tuple_are_replaced_by_elements(rule: Callable[..., Any]) -> None:
    check(rule, *((row, m) for row in ((1, 2, 3), (1, 2, 3, 4, 5)) for m in range(-7, 8)))


def weights(m: int) -> Any:
    return [(1, 0.5), (2, 0.5)] if m == 1 else [(0, 0.25), (2, 0.25), (3, 0.5)]


def chosen(row: Any, m: int) -> Any:
    total = sum(x for x in ([m] if m > 2 else [m, 7] if m > 1 else [m, m, m]))
    kept = [1, m] if m < 2 else [1, 2, m]
    kept[0] = m
    pairs = [p for p in weights(m) if p[1] > 0]
    return total, kept[0], kept[-1], len(kept), pairs


def test_conditional_expressions_with_lists_of_different_lengths() -> None:
    native = compiled(chosen)
    for m in range(5):
        assert native((), m) == chosen((), m)


COUNTS = [3, 4]


def by_truth(row: Any, m: int) -> Any:
    x, y = row[0], row[1]
    counts, grown = [0, 0], []
    for n in row:
        counts[n > m] += 1
        grown.append(n)
    counts[m < 2] = 8
    grown[m > 2] += 3
    grown[not m] = 9
    numbers = float(not m) + float(m) + float(x > y), float(y)
    shown = [x, y][x > y], (x, y)[x < y], (5, 7)[not x], row[x > 2], COUNTS[m > 2], counts[True]
    return numbers, shown, counts[m > 1], grown


def test_a_bool_is_a_number_and_an_index() -> None:
    native = compiled(by_truth)
    for row in ((1, 2, 3), (4, 0, 5)):
        for m in range(5):
            assert repr(native(row, m)) == repr(by_truth(row, m))


def parts_set(row: Any, m: int) -> Any:
    x, y = row[0], row[1]
    first, second, third = list(row), list(row), [0] * 5
    first[1:3] = [x, y]
    second[m : m + 2] = x, y, m
    second[:1] = row
    third[m:] = row[m:]
    first[-1:] = [n for n in row if n > m]
    return first, second, third


def test_a_part_of_a_list_is_set() -> None:
    native = compiled(parts_set)
    for row in ((1, 2, 3), (4, 0, 5)):
        for m in range(5):
            assert native(row, m) == parts_set(row, m)


def less(x: int, *, by: int) -> int:
    return x - by


def less_of(x: int, times: int = 2, *, by: int = 1) -> int:
    return x - by * times


def walked(x: int, *, to: int = 3) -> Iterator[int]:
    yield x
    yield to


def others(x: int, *, but: int = 3) -> int:
    return sum([k for k in range(x) if k != but])


def by_name(row: Any, m: int) -> Any:
    some = less(m, by=2), less_of(m), less_of(m, by=4), less_of(m, 5), less_of(by=m, x=3)
    return some, sum(walked(m, to=7)), sum(walked(m)), others(m), others(m, but=1)


def test_arguments_by_name_only() -> None:
    native = compiled(by_name)
    for m in range(5):
        assert native((), m) == by_name((), m)


def dicts_from_nothing(row: Any, m: int) -> Any:
    counts: dict[int, int] = {}
    firsts: dict[int, int] = {}
    halves: dict[int, float] = {}
    pairs: dict[tuple[int, int], int] = dict()  # noqa: C408 - as written
    doubled: dict[int, int] = {}
    for k, x in enumerate(row):
        counts[x] = counts.get(x, 0) + 1
        firsts.setdefault(x % m, k)
        halves[x] = max(halves.get(x, -1.0), x / 2)
        pairs.setdefault((x, m), 0)
        pairs[x, m] += 1
        doubled[x] = doubled.setdefault(x, 1) * 2
    most = max(counts.values()), max(halves.values()), max(pairs.values())
    return most, list(firsts), list(firsts.values()), list(doubled), list(doubled.values())


def test_empty_dicts_are_filled_by_get_and_setdefault() -> None:
    native = compiled(dicts_from_nothing)
    for row in ((1, 2, 3), (4, 0, 4), (7, 7, 7), (9, 3, 5)):
        for m in range(1, 5):
            assert native(row, m) == dicts_from_nothing(row, m)


@frozen
class Ordered(Game):
    """Moves are put in order, chosen and added by methods of the game."""

    k: int = 3

    def worth(self, m: Any) -> Any:
        return m % self.k

    def both(self, a: Any, b: Any) -> Any:
        return a * self.k + b

    @classmethod
    def last(cls, m: Any) -> Any:
        return -m

    def best(self, key: Any) -> Any:
        return max([1, 2, 3], key=key)

    def start(self) -> Any:
        return 0

    def status(self, state: Any) -> Any:
        return Status.IN_PLAY if state < 9 else Status.OVER

    def player(self, state: Any) -> Any:
        return state % 2

    def moves(self, state: Any) -> Any:
        found = sorted([1, 2, 3], key=self.worth)
        found.sort(key=self.last if state % 2 else self.worth)
        return found

    def make_move(self, state: Any, move: Any) -> Any:
        return state + move

    def estimate(self, state: Any) -> Any:
        total = self.best(self.worth) * self.best(self.last) + sum(map(self.worth, [state, 4]))
        return reduce(self.both, [state, 5, 6], total) + (self.worth if state > 4 else abs)(state)

    def utility(self, state: Any) -> Any:
        return self.estimate(state)


def test_methods_of_a_game_are_values() -> None:
    assert engine_for(Ordered()).native
    found, slow = (
        search(Ordered(), alphabeta(6), engine=engine).compute()
        for engine in ("native", "interpreted")
    )
    assert (found.move, found.value, found.nodes) == (slow.move, slow.value, slow.nodes)
