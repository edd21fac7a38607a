"""Rules in common Python have the results of Python."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import pytest

from games.game import Game
from games.u64 import U64
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from tests.strategies.native.naive import Einstein, Hex, Kalah
from tests.strategies.rules.compared import check

Row = tuple[int, ...]
LINES = [(0, 1, 2), (2, 1, 0)]
RAGGED = [[1], [2, 3], []]
PLACES = [[(0, 0), (0, 1)], [(1, 0), (1, 1)]]
WORTH = {1: 10, 2: 20, 5: 50}
STEPS = {(0, 1): 3, (1, 2): 4}
LUCKY = {3, 5, 7}


def comparisons(row: Row) -> Any:
    late = all(a <= b for a, b in zip(row, row[1:], strict=False))  # noqa: RUF007 - as written
    line = any(all(row[k] > 0 for k in line) for line in LINES)
    return any(x > 2 for x in row), late, line, all(row), any([x > 9 for x in row])  # noqa: C419 - as written


def sums(row: Row) -> Any:
    halves = sum(x / 2 for x in row)
    words = sum(U64(1) << x for x in row)
    nested = sum(x * y for x in row for y in range(x) if y)
    mapped = sum(map(abs, row)) + sum((x for x in row if x > 9), 5) + len([x for x in row if x > 1])
    return halves, int(words), nested, mapped, sum(a * b for a, b in zip(row, row, strict=True))


def extremes(row: Row) -> Any:
    nearest = min(range(len(row)), key=lambda k: abs(row[k] - 2))
    widest = max((x, k) for k, x in enumerate(row))
    first = next((k for k, x in enumerate(row) if x == 2), -1)
    return max(x for x in row), min((x for x in row if x > 9), default=7), nearest, widest, first


def boards(row: Row) -> Any:
    size = len(row)
    table = [[0] * size for _ in range(2)]
    table[1][2] = row[0]
    table[0][0] += 4
    cells = list(row)
    cells[0], cells[2] = cells[2], cells[0]
    cells[1] = cells[-1] = 9
    for k, x in enumerate(cells):
        if x > 1:
            cells[(k + 1) % size] = x - 1
    grown = tuple(x + 1 for x in row) + (0,) * size + tuple(sorted(row, reverse=True))
    return tuple(tuple(r) for r in table), tuple(cells), grown, tuple(map(tuple, table))


def replaced(row: Row) -> Any:
    k = row[0] % 2
    lists = [x for x in row if x > 1] == [2, 3], [*row, 4].count(4), list(row).index(row[1])
    one = row[:k] + (9,) + row[k + 1 :]  # noqa: RUF005 - as written
    other = (*row[:k], 8, *row[k + 1 :])
    return one, other, sum(row[k:]), lists, row.count(1), row.index(row[2])


def constants(row: Row) -> Any:
    found = WORTH[row[0]] + WORTH.get(99, 3) + sum(WORTH.values()) + sum(k for k in WORTH)
    pairs = sum(a * b for places in PLACES for a, b in places), (0, 1) in STEPS, STEPS[1, 2]
    own = {1: 5, 2: 6}
    return (
        found,
        pairs,
        sum(k * v for k, v in WORTH.items()),
        row[1] in LUCKY,
        own[row[0]],
        (
            sum(x for r in RAGGED for x in r),
            row[0] in {1, 2},
            row[0] in WORTH,
        ),
    )


def heaps(row: Row) -> Any:
    todo, seen = [row[0]], set()
    while todo:
        x = todo.pop()
        if x not in seen:
            seen.add(x)
            if x < 6:
                todo.append(x + 1)
                todo += [x + 2]
    queue, order = deque([0]), 0
    while queue:
        x = queue.popleft()
        order = order * 3 + x
        if x < 3:
            queue.append(x + 1)
    squares = {x: x * x for x in row}
    shared = [1, 2, 3]
    other = shared
    other[0] = row[2]
    return len(seen), order, squares[2], shared[0], len({x % 2 for x in row})


@functools.lru_cache
def tripled(x: int) -> int:
    return 3 * x


def walks(row: Row) -> Any:
    import math as numbers
    from math import floor as down

    total, back = 0, 0
    for x in (x for x in row if x != 2):
        if x == 3:
            break
        total += x
    for x in reversed(row):
        back = back * 10 + x
    for k in reversed(range(3)):
        back = back * 10 + k
    return total, back, numbers.ceil(row[0] / 2), down(2.5), tripled(row[0])


def unpacked(row: Row) -> Any:
    first, *rest = row
    *most, last = [x + 1 for x in row]
    a, *middle, b = (first, 7, 8, last)
    return first, len(rest), sum(rest), most[0], last, sum(middle), a, b


def keyed(row: Row) -> Any:
    numbered = [k * x for k, x in enumerate(row, start=2)]
    total = sum(k * x for k, x in enumerate(numbered, start=row[0]))
    return max(*row[:2], row[2], key=lambda x: -x), min(-row[0], row[1], key=abs), total


def sets(row: Row) -> Any:
    several = {row[0], row[1], 3}
    return sum(several), min(several), max(several)


def repeated(row: Row) -> Any:
    twice = (row[0], row[1]) * 2 + (row[2],)
    return twice, 3 * (row[2],)


def joined(row: Row) -> Any:
    pits = [*row, *row[:2]]
    hand, pits[1] = pits[1], 0
    both = list(row) + [4, 5]  # noqa: RUF005 - as written
    both[0] += hand
    found: list[tuple[int, int]] = []
    for x in row:
        found += [(x, hand)]
        found += ((x, y) for y in row if y > x)
        found += zip(row, pits, strict=False)
    grown = [0] * 2
    grown += row
    grown += [grown[2], len(grown)]
    return tuple(pits), tuple(both), len(found), found[-1], sum(grown)


def large(row: Row) -> Iterator[int]:
    for x in row:
        if x > 1:
            yield x


def firsts(row: Row) -> Any:
    left = large(row)
    both = next(left), next(left, 9)
    none = next(large((0, row[0])), None) is None
    return both, next(large(row), -1), none


def halved(x: float, times: int) -> float:
    return x if times == 0 else halved(x * 0.5, times - 1)


def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def added(row: Row) -> int:
    if len(row) == 0:
        return 0
    return row[0] + added(row[1:])


def circles(row: Row) -> Any:
    return halved(row[0], 3), even(row[1]), odd(row[1]), added(row)


NEAR = {0: {1, 2}, 1: {0}, 2: set()}
WAYS = {1: [1, 2], 2: [], 3: [4, 0]}
TRIPLES = [{0, 1, 2}, frozenset([2, 3]), {9, 1}]


def set_tables(row: Row) -> Any:
    own = {x for x in row}  # noqa: C416 - as written
    line = TRIPLES[1]
    compared = line <= own, own >= line, line < own, own > line, line.issubset(own)
    combined = sorted(own & line), sorted(line | own), sorted(own - line), sorted(line ^ own)
    walked = (
        tuple([x for line in TRIPLES for x in sorted(line)]),
        sum(x in row for x in NEAR[row[0] - 1]),
    )
    ways = len([x for x in WAYS[row[2]] + WAYS[1] if x in row]), sum(WAYS[row[0]] + [row[1]])
    holding = sum(1 for x in TRIPLES if row[0] in x)
    return compared, combined, walked, ways, line.isdisjoint(own), holding


WRITTEN = [
    comparisons,
    sums,
    extremes,
    boards,
    replaced,
    constants,
    heaps,
    walks,
    unpacked,
    keyed,
    sets,
    repeated,
    joined,
    firsts,
    circles,
    set_tables,
]


@pytest.mark.parametrize("rule", WRITTEN)
def test_common_forms_agree_with_python(rule: Callable[[Row], Any]) -> None:
    check(rule, ((1, 2, 3),), ((2, 5, 2),), ((1, 2, 1),))


@pytest.mark.parametrize("game", [Kalah(2), Hex(), Einstein()])
def test_games_in_common_python_compile(game: Game[Any, Any]) -> None:
    engine, slow = engine_for(game, "native"), engine_for(game, "interpreted")
    start = game.start()
    assert engine.perft(start, 4) == slow.perft(start, 4) > 0


def with_global(value: Any, source: FunctionType) -> FunctionType:
    return FunctionType(source.__code__, {"READ": value, "tripled": value})


def test_tables_and_cached_functions_count_in_the_digest() -> None:
    def reads(x: int) -> Any:
        return READ[x]  # type: ignore[name-defined]  # noqa: F821

    def calls(x: int) -> int:
        return tripled(x)

    rows: list[Any] = [[1, 2], [1, 3], (1, 2), {1: 2}, {1: 3}, {1, 2}, [[1], [2]], [{1}, {3}]]
    assert len({fingerprint(with_global(value, reads)) for value in rows}) == len(rows)  # type: ignore[arg-type]
    caches = [functools.cache(lambda x: x + 1), functools.cache(lambda x: x + 2)]
    assert len({fingerprint(with_global(value, calls)) for value in caches}) == 2  # type: ignore[arg-type]


def test_imports_inside_a_rule_count_in_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(x: int) -> int:
        from tests.strategies.native.naive import neighbours

        return len(neighbours(3, x))

    from tests.strategies.native import naive

    before = fingerprint(rule)
    monkeypatch.setattr(naive, "neighbours", lambda size, cell: [])
    assert fingerprint(rule) != before
