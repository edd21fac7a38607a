"""A loop over a set is compiled where the order of its steps cannot show, and only there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.rules.compared import differences, refused

PLACES = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=9)


def stores(places: Any, n: int) -> Any:
    board = [[0] * 4 for _ in range(4)]
    for r, c in places:
        board[r][c] = n
    return board


def removes(places: Any, n: int) -> Any:
    board = {(r, c): r for r in range(4) for c in range(4)}
    left = set(board)
    for place in places:
        del board[place]
        left.discard(place)
        left.add((n, n))
    return board, left


def counts(places: Any, n: int) -> Any:
    total, by_row, seen = 0, [0] * 4, set()
    for place in places:
        r, c = place
        if c == n:
            continue
        for k in range(c):
            total += k * r
        by_row[r] += 1
        seen |= {(c, r)}
    else_ = [r for r in by_row if r]
    return total, by_row, seen, else_


def pops(places: Any, n: int) -> Any:
    board = {(r, n): r for r in range(4)}
    for place in places:
        if place[1] == n:
            board.pop(place)
        else:
            pass
    for place in sorted(places):
        board[place] = 9
    return board


@given(PLACES, st.integers(0, 3))
@pytest.mark.parametrize("function", [stores, removes, counts, pops])
def test_steps_in_any_order(function: Any, places: Any, n: int) -> None:
    assert not differences(function, [(places, n)])


def last(s: Any) -> Any:
    found = 0
    for x in s:
        found = x
    return found


def variable_after(s: Any) -> Any:
    x = 0
    for x in s:
        if x > 5:
            continue
    return x


def variable_before(s: Any) -> Any:
    before, n = 0, 0
    for x in s:
        n += before
        before = x
    return n


def bound_sometimes(s: Any) -> Any:
    n, y = 0, 0
    for x in s:
        if x > 1:
            y = x
        n += y
    return n


def listed(s: Any) -> Any:
    found = []
    for x in s:
        found.append(x)
    return found


def stored_by_element(s: Any) -> Any:
    row = [0, 0, 0]
    for x in s:
        row[x % 3] = x
    return row


def put_in_a_dict(s: Any) -> Any:
    d = {5: 1}
    for x in s:
        d.setdefault(x, 1)
    return d


def reads_what_it_changes(s: Any) -> Any:
    row, n = [0] * 9, 0
    for x in s:
        row[x] = 1
        n += row[x - 1]
    return n


def reads_it_by_another_name(s: Any) -> Any:
    row, n = [0] * 9, 0
    other = row
    for x in s:
        row[x] = 1
        n += other[x - 1]
    return n


def changes_what_it_runs_over(s: Any) -> Any:
    own = set(s)
    for x in own:
        own.add(x + 1)
    return own


def sums_of_floats(s: Any) -> Any:
    n = 0
    for x in s:
        n += x * 0.1
    return n


def left_early(s: Any) -> Any:
    n = 0
    for x in s:
        if n > 2:
            break
        n += x
    return n


def returned(s: Any) -> Any:
    for x in s:
        if x > 2:
            return x
    return 0


def listed_inside(s: Any) -> Any:
    found = []
    for x in s:
        for k in range(2):
            if x > k:
                found.append(x)
    return found


def called(s: Any) -> Any:
    n = 0
    for x in s:
        n += last([x])
    return n


@pytest.mark.parametrize(
    "function",
    [
        *(last, variable_after, variable_before, bound_sometimes, listed, stored_by_element),
        *(put_in_a_dict, reads_what_it_changes, reads_it_by_another_name),
        *(changes_what_it_runs_over, sums_of_floats, left_early, returned),
        *(listed_inside, called),
    ],
)
def test_an_order_that_may_show_is_refused(function: Any) -> None:
    assert "the order of a set is chance" in refused(function, {1, 2, 3})
