"""Loops whose body changes what they iterate over give the result of Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations, pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.native.compiled import compiled

Row = tuple[int, ...]
ROWS = [(9, 1, 0, 2), (-2, 7, 3, -4), (6, 1, -3, -1), (-4, -4, 2, 4), (3, 8, 3, 3), (1, 2, 5, 9)]


def lists_first(t: Row) -> Any:
    cells = list(t)
    best, total = t[0], 0
    for i in list(i for i in range(4) if cells[i] >= 3):  # noqa: C400 - as written
        cells[i] -= 3
        cells[(i + 1) % 4] += 2
    for x in tuple(v for v in t if v > best):
        best = x
        total = total * 10 + x
    for x in list(map(lambda v: v + total, t)):  # noqa: C417 - as written
        total += x
    for a, b in product((v + total for v in t), range(2)):
        total = (total * 3 + a * b) % 1000
    return tuple(cells), total


def copies_first(t: Row) -> Any:
    cells = list(t)
    total = 0
    for a, b in product(cells, range(2)):
        cells[-1] += a * b
        total = (total * 3 + a) % 1000
    for a, b in combinations(cells, 2):
        cells[-1] += a * b
        total = (total * 3 + a + b) % 1000
    for x in list(cells):
        cells[-1] = (cells[-1] + x) % 1000
        total = (total * 3 + x) % 1000
    return total, cells[-1]


def mapped(t: Row) -> Any:
    lo = n = kept = 0
    for x in map(lambda v: v + lo, t):  # noqa: C417 - as written
        lo += 2
        n = n * 10 + x
    for x in filter(lambda v: v > kept, t):
        kept += x - 1
    for x in map(lambda a, b: a * b + n, t, t):
        n = (n + x) % 1000
    return n, kept


def numbered(t: Row) -> Any:
    r, n = 1, 0
    for i, x in enumerate(v for v in t if v > r):
        r = x + i
    for i, x in enumerate((v + n for v in t), start=r):
        n = (n + x * i) % 1000
        if n > 900:
            break
    else:
        n += 5000
    return r, n


def zipped(t: Row) -> Any:
    r = 0
    for a, b in zip(map(lambda v: v + r, t), t, strict=True):  # noqa: C417 - as written
        r += a * b
    for x in zip((v + r for v in t), [r + v for v in t], range(3), strict=False):
        r = (r + x[0] * x[1] + x[2]) % 1000
    return r


def one_in_another(t: Row) -> Any:
    r = 0
    for x in (a + i for i, a in enumerate(v + r for v in t) if a > r):
        for y in (w + r for w in t):
            r = (r + y * x) % 50
            if y > 5:
                break
        r += 1
    for x in chain.from_iterable((v + r, v) for v in t):
        r = (r * 3 + x) % 1000
    return r


def backwards(t: Row) -> Any:
    cells = list(t)
    other = list(t)
    for x in reversed(cells):
        cells[0] = cells[0] + x
    for i, x in enumerate(reversed(other), 2):
        other[0] += x * i
        other[1] += other[0] % 7
    return cells[0], tuple(other)


def backwards_along_a_list_that_shrinks(t: Row) -> Any:
    cells, total = [1, 2, 3], 0
    for v in t:
        cells.append(v)
    for x in reversed(cells):
        total = (total * 3 + x) % 1000
        cells[0] += total
        if len(cells) > 4:
            cells.pop()
            cells.pop()
            cells.pop()
        else:
            cells.append(x)
    else:
        total += 5000
    return total


def along_a_list(t: Row) -> Any:
    cells = list(t)
    total = 0
    for x in (v for v in cells if v > 0):
        cells[-1] += x
        total = (total * 3 + x) % 1000
    for x in map(abs, cells):
        cells[-1] = cells[-1] // 2 + x
        total = (total * 3 + x) % 1000
    for i, x in enumerate(cells, start=1):
        cells[-1] = cells[-1] + x * i
    return total, tuple(cells)


def along_a_list_with_a_new_one_of_its_name(t: Row) -> Any:
    cells = list(t)
    total = 0
    for x in cells:
        cells[-1] += x
        total = (total * 3 + x) % 1000
        if x > 2:
            cells = [1, 2, 3, 4]
    return total


def along_a_kept_iterator(t: Row) -> Any:
    cells = list(t)
    total = 0
    walk = iter(cells)
    for x in walk:
        cells[-1] += x
        total = (total * 3 + x) % 1000
    return total


def along_a_list_that_grows(t: Row) -> Any:
    cells = list(t)
    total = 0
    for i, x in enumerate(v + 1 for v in cells):
        if len(cells) < 12:
            cells.append(x)
        total = (total * 3 + x * i) % 1000
    for i, _ in enumerate(cells.pop() for v in t):
        total = (total * 3 + len(cells) * i) % 1000
    found = any([cells.pop() > 1 for v in t[:2]])  # noqa: C419 - as written
    return total, len(cells), found


def boards(t: Row) -> Any:
    board = [[v, v + 1, 2] for v in t]
    total = 0
    for r, row in enumerate(board):
        for c, x in enumerate(row):
            if x > 3:
                board[r][c] = x - 1
                board[r][(c + 1) % 3] += 1
        total += sum(row)
    for row in board:
        board[3][0] += row[0]
        total += row[0]
    for a, _, c in board:
        board[3][0] = a + c
    return total, board[0][0], board[1][1], board[3][0], board[3][2]


def nothing_changes(t: Row) -> Any:
    total = 0
    for i, x in enumerate(v for v in t if v > 0):
        total += i * x
    for a, b in zip(map(abs, t), (v + 1 for v in t), strict=True):
        total += a * b
    for a, b in pairwise(t):
        total += a * b
    for x in (a + b for a in t for b in t if a > b):
        if x > 5:
            break
        total += x
    pairs = enumerate(v + 1 for v in t)
    for i, x in pairs:
        total += i * x
    return total + sum(y * y for v in t if (y := v + 1) > 0)


def near(cells: list[int], x: int) -> int:
    return cells[x % len(cells)] + x


def asks_about_a_list(t: Row) -> Any:
    cells = [1]
    for v in t:
        cells.append(v)
    pairs = sum(a * b for a, b in zip((near(cells, v) for v in t), t, strict=True))
    return pairs, 3 in (near(cells, v) for v in t)


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


RULES = [
    lists_first,
    copies_first,
    mapped,
    numbered,
    zipped,
    one_in_another,
    backwards,
    backwards_along_a_list_that_shrinks,
    along_a_list,
    along_a_list_with_a_new_one_of_its_name,
    along_a_kept_iterator,
    along_a_list_that_grows,
    boards,
    nothing_changes,
    asks_about_a_list,
    leaves_two_loops,
    zips_some,
    pairs_of_a_list,
    zips_backwards,
    deletes_by_steps,
    chooses,
    takes_from_both,
    takes_by_a_call,
    keeps_numbered,
    assigns,
    sums_up,
    known_inside_alone,
    names_a_row,
]
NATIVE = {rule.__name__: compiled(rule) for rule in RULES}


@pytest.mark.parametrize("rule", RULES)
def test_a_loop_sees_changes_by_its_body_as_in_python(rule: Callable[[Row], Any]) -> None:
    for row in ROWS:
        assert NATIVE[rule.__name__](row) == rule(row)


@given(st.sampled_from(RULES), st.tuples(*[st.integers(-9, 9)] * 4))
def test_a_loop_over_any_list_sees_changes_as_in_python(
    rule: Callable[[Row], Any], row: Row
) -> None:
    assert NATIVE[rule.__name__](row) == rule(row)
