"""Lists that rules sort, join, compare and set have the same values in machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.strategies.native.compiled import compiled

ROWS = [(1, 2, 3, 4), (-2, 5, 9, 8), (8, -3, 0, -3), (5, 0, 1, 2), (3, 9, 9, 2)]


def worth(pair: Any) -> int:
    return int(pair[0])


def sorted_in_place(t: Any) -> Any:
    pairs = [(i * 7 % 5, i + t[0]) for i in range(30)]
    pairs.sort(key=lambda pair: pair[0])
    found = sum(k * pair[1] for k, pair in enumerate(pairs))
    pairs.append((2, t[1]))
    pairs.sort(key=worth, reverse=True)
    plain = [x % 3 for x in t]
    plain.sort(reverse=t[0] > 1)
    return found, sum(k * pair[1] for k, pair in enumerate(pairs)), plain


def joined(t: Any) -> Any:
    large = [x for x in t if x > 2]
    every = [*large, 1, *t, *range(t[0])]
    both = list(t) + sorted(large)
    more = large + [7] + list(t)  # noqa: RUF005 - as written
    large += [1, 2]
    large += t
    return sum(every) + len(every), sum(both), sum(more), sum(large), len({*large, 3})


def extremes(t: Any) -> Any:
    first = max(t, (1, 2, 3, 4)), min(t[:2], t[2:]), max(t[:1], t[1:2], t[2:3])
    return first, max([t[0], 3], [t[1], 2])[1], min((1.5, t[0]), (1.5, t[1]))


def computed_indices(t: Any) -> Any:
    board = [[0] * 3 for _ in range(3)]
    board[sum(x for x in t) % 3][t[0] % 3] = 4
    board[sum(x for x in t) % 3][max(x for x in t) % 3] += 3
    return tuple(board[0] + board[1] + board[2])


def made_first(t: Any) -> Any:
    for x in [10 // y for y in t]:
        if x > 3:
            break
    for x in list(map(lambda y: 6 // (y - 9), t)):  # noqa: C417 - as written
        if x > 1:
            return x
    return 0


def compared_last(t: Any) -> Any:
    total = 0
    for x, y in zip([z for z in t if z > 0], t[1:], strict=True):
        if x > 4:
            break
        total += x * y
    else:
        total += 100
    for x, y in zip(t, t, strict=True):
        if x > y:
            return 0
    return total


RULES = [sorted_in_place, joined, extremes, computed_indices, made_first, compared_last]


@pytest.mark.parametrize("rule", RULES)
def test_lists_agree_with_python(rule: Callable[..., Any]) -> None:
    native = compiled(rule)
    for t in ROWS:
        assert outcome(native, t) == outcome(rule, t)


def outcome(rule: Callable[..., Any], t: Any) -> Any:
    try:
        return rule(t)
    except (ValueError, ZeroDivisionError) as error:
        return type(error)


def counted(t: Any) -> Any:
    found = {t[0]: t[1], 3: 4}
    row = [x + found.get(x, 0) for x in t]
    row.append(found.get(t[2], -1))
    found[3] = found.pop(t[0], 7) + found.pop(t[0], 9)
    known = found.pop(3, None) is not None, found.get(8) is None
    return sum(row), max(found.get(k, 0) for k in t), known, {1: 5, 2: 6}.get(t[3], 0.5)


def test_defaults_of_dicts_agree_with_python() -> None:
    native = compiled(counted)
    for t in ROWS:
        assert native(t) == counted(t)


def greatest(t: Any) -> int:
    large = [x for x in t if x > 5]
    return max(large)


def least(t: Any) -> int:
    rest = {t[2], 1} - {1, t[3]}
    return min(rest)


@pytest.mark.parametrize("rule", [greatest, least])
def test_max_and_min_of_nothing_raise(rule: Callable[..., Any]) -> None:
    native = compiled(rule)
    assert [outcome(native, t) for t in ROWS] == [outcome(rule, t) for t in ROWS]
    assert ValueError in [outcome(rule, t) for t in ROWS]
