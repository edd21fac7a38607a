"""A loop over a set is compiled where the order of its steps cannot show, and only there."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import permutations
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from strategies import compile_function
from strategies.rules.language.messages import Refusal
from tests.strategies.rules.compared import differences, function_of, outcome, refused, same

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


def counts_in_dicts(places: Any, n: int) -> Any:
    by_row, by_place = dict.fromkeys(range(n + 1), 0), {c: {"a": c, "b": 0} for c in range(4)}
    for r, c in places:
        by_row[r] += 1
        by_place[c]["b"] -= r * n
    return by_row, by_place


def double(n: int) -> int:
    return 2 * n


def returns(places: Any, n: int) -> Any:
    for r, c in places:
        for k in (1, 2):
            if r == c + k > n:
                return [n, double(n)]
    for place in places:
        if place == (n, n):
            return None
    return next(("none" for r, c in places if r < n), len(places))


@given(PLACES, st.integers(0, 3))
@pytest.mark.parametrize("function", [stores, removes, counts, counts_in_dicts, pops, returns])
def test_steps_in_any_order(function: Any, places: Any, n: int) -> None:
    assert not differences(function, [(places, n)])


# Functions that steps call

CALLS = (
    "double(x)", "own(x)", "Row(x).after(1)", "inner(x)", "least(x)", "x.bit_count()",
    "max(x, 2, key=lambda y: -y)", "sum(y for y in row if y > x)", "len([*row, double(x)])",
    "len(sorted(row, key=lambda y: y - x))", "min(y + x for y in row)",
)  # fmt: skip
LOOPS = """
def double(x):
    return 2 * x
def own(x):
    row = [x]
    row.append(x)
    return sum(row)
def least(x):
    return min(x, 3)
def f(s):
    row, base, total, seen = (1, 4), 0, 0, set()
    for y in row:
        base += y
    def inner(x):
        return x + base if x < 9 else inner(x - 9)
    for x in s:
        total += CALL
        seen.add(CALL + 1)
        if CALL > 2:
            total -= 1
        for k in range(CALL):
            total += k
        made = CALL
        total += made
    return total, seen
"""


@frozen
class Row:
    n: int

    def after(self, x: int) -> int:
        return self.n + x


@pytest.mark.parametrize("call", CALLS)
def test_steps_may_call_functions_that_change_nothing(call: str) -> None:
    function = function_of(LOOPS.replace("CALL", call), Row=Row)
    assert not differences(function, [({1, 2, 5},), (set(),), (frozenset({0, 3}),)])


def stores_what_functions_name(s: Any) -> Any:
    board = [0] * 9

    def twice(x: Any) -> Any:
        return 2 * x

    for x in s:
        board[twice(x)] = 7
        for k in range(twice(x)):
            board[k] = 7
    return board


def test_places_that_functions_name() -> None:
    assert not differences(stores_what_functions_name, [({1, 3},), (set(),), ({1, 7},)])


def doubled(s: Any) -> Any:
    n = 0
    for x in s:
        n += 2 * x
    return n


def test_a_loop_that_counted_may_run_over_floats_later() -> None:
    assert not differences(doubled, [({1, 2},), ([0.5, 0.25],)])


def put(row: Any, x: Any) -> Any:
    row.append(x)
    return x


def one_of_two(x: Any) -> Any:
    if x == 1:
        raise ValueError(x)
    return x


def put_by_a_function(s: Any) -> Any:
    n, row = 0, [1]
    for x in s:
        n += put(row, x)
    return n, row


def put_by_map(s: Any) -> Any:
    n, row = 0, [1]
    for x in s:
        for _ in map(row.append, [x]):
            n += 1
    return row


def counts_by_a_function(s: Any) -> Any:
    n, total = 0, 0

    def add(x: Any) -> Any:
        nonlocal n
        n += x
        return n

    for x in s:
        total += add(x)
    return total


def reads_by_a_function(s: Any) -> Any:
    board, n = [0] * 9, 0

    def at(i: Any) -> Any:
        return board[i]

    for x in s:
        board[x] = 1
        n += at(x - 1)
    return n


def reads_a_count_by_a_function(s: Any) -> Any:
    n, seen = 0, set()

    def now() -> Any:
        return n

    for x in s:
        n += x
        seen.add(now())
    return seen


def steps_on(s: Any) -> Any:
    n, steps = 0, iter([1, 2, 3])
    for x in s:
        n += x * next(steps)
    return n


def fails_in_two_ways(s: Any) -> Any:
    n = 0
    for x in s:
        n += one_of_two(x) // (x - 2)
    return n


def takes_what_it_adds(s: Any) -> Any:
    seen = {5}
    for x in s:
        seen.discard(1)
        seen.add(x)
    return seen


def takes_what_it_adds_sometimes(s: Any) -> Any:
    seen = {5}
    for x in s:
        seen.discard(x)
        if x > 1:
            seen.add(2)
    return seen


def stores_in_a_dict(s: Any) -> Any:
    d = {1: 0}
    for x in s:
        d[x] = 5
    return d


def counts_in_a_counter(s: Any) -> Any:
    found: Any = Counter()
    for x in s:
        found[x] += 1
    return found


def counts_and_reads(s: Any) -> Any:
    d, n = {1: 0, 2: 0, 3: 0}, 0
    for x in s:
        d[x] += 1
        n += d[2]
    return d, n


def stores_several(s: Any) -> Any:
    row = [0] * 5
    for x in s:
        row[x] = 1
        row[x - 1] = 2
    return row


def stores_by_another_name(s: Any) -> Any:
    rows = [[0] * 5]
    row = rows[0]
    for x in s:
        rows[0][x] = 1
        row[x - 1] = 2
    return row


def stores_and_counts(s: Any) -> Any:
    row = [0] * 5
    for x in s:
        row[x] += 1
        row[x - 1] = 2
    return row


def counts_by_several_operators(s: Any) -> Any:
    n = 0
    for x in s:
        n += x
        n |= 4
    return n


def adds_zeros(s: Any) -> Any:
    zeros = {1.5}
    for x in s:
        zeros.add(0.0 if x > 1 else -0.0)
    return zeros


def variable_in_a_default(s: Any) -> Any:
    x = 0
    for x in s:  # noqa: B007
        pass
    return (lambda y=x: y)()


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


def returns_two(s: Any) -> Any:
    for x in s:
        if x > 2:
            return True
        if x > 1:
            return False
    return None


def returns_and_counts(s: Any) -> Any:
    n = 0
    for x in s:
        n += x
        if x > 2:
            return 0
    return n


def returns_or_fails(s: Any) -> Any:
    for x in s:
        if 6 // x > 2:
            return "some"
    return "none"


def _counts(row: Any, s: Any) -> None:
    for x in s:
        row[x] += 1


def fails_in_a_call(s: Any) -> Any:
    row = [0] * 3
    try:
        _counts(row, s)
    except IndexError:
        return row
    return None


def fails_in_a_step_of_a_generator(s: Any) -> Any:
    def steps(row: Any) -> Any:
        _counts(row, s)
        yield 1

    row = [0] * 3
    all_of = steps(row)
    try:
        next(all_of)
    except IndexError:
        row[0] -= 1
    return row


def listed_inside(s: Any) -> Any:
    found = []
    for x in s:
        for k in range(2):
            if x > k:
                found.append(x)
    return found


@pytest.mark.parametrize(
    "function",
    [
        *(last, variable_after, variable_before, bound_sometimes, listed, stored_by_element),
        *(put_in_a_dict, reads_what_it_changes, reads_it_by_another_name),
        *(changes_what_it_runs_over, sums_of_floats, left_early, returned),
        *(returns_two, returns_and_counts, returns_or_fails),
        *(fails_in_a_call, fails_in_a_step_of_a_generator),
        *(listed_inside, put_by_a_function, put_by_map, counts_by_a_function, steps_on),
        *(reads_by_a_function, reads_a_count_by_a_function, fails_in_two_ways),
        *(stores_in_a_dict, counts_in_a_counter, counts_and_reads),
        *(takes_what_it_adds, takes_what_it_adds_sometimes, stores_several, stores_and_counts),
        *(stores_by_another_name, counts_by_several_operators, adds_zeros, variable_in_a_default),
    ],
)
def test_an_order_that_may_show_is_refused(function: Any) -> None:
    assert "the order of a set is chance" in refused(function, {1, 2, 3})


# The law: whatever is compiled gives the same in each order of the steps

GENERATED = """
def double(x):
    return 2 * x
def put(row, x):
    row.append(x)
    return x
def fails(x):
    if x > 8:
        raise ValueError(x)
    return x
def f(s):
    row, total, seen, board, d, last, n = [3, 1], 0, {8}, [0] * 12, {0: 1, 8: 2}, 0, 0
    zeros, e, rows = {1.0}, {0: 1, 8: 2, 16: 3}, {0: [1], 8: [2, 3], 16: [4]}
    def inner(x):
        return x + row[0]
    def counts(x):
        nonlocal n
        n += x
        return n
    def now():
        return total
    for x in s:
        STEPS
    return total, seen, board, d, row, n, zeros, e, list(e), rows
"""
CAUGHT = """    try:
        for x in s:
            STEPS
    except (KeyError, IndexError, ValueError):
        n += 1000
"""
CALLED = """
def f(s):
    row, seen, board, d = [3, 1], {8}, [0] * 12, {0: 1, 8: 2}
    zeros, e, rows, n = {1.0}, {0: 1, 8: 2, 16: 3}, {0: [1], 8: [2, 3], 16: [4]}, 0
    try:
        n = helps(s, row, seen, board, d, zeros, e, rows)
    except (KeyError, IndexError, ValueError):
        pass
    return row, seen, board, d, zeros, e, list(e), rows, n
"""
"""The same loop in a function, whose caller goes on if it fails."""
LOOP = "    for x in s:\n        STEPS\n"
EXPRESSIONS = (
    "x", "x + 1", "1", "double(x)", "fails(x)", "inner(x)", "counts(x)", "now()", "put(row, x)",
    "row[0]", "board[x]", "d[x]", "e[x]", "x // 4", "sum(y for y in row if y > x)", "put([1], x)",
    "last", "total", "x.bit_count()", "min(x, 3)", "(lambda: x)()", "int(x in seen)",
    "len(rows[x])",
)  # fmt: skip
STEPS = (
    "total += EXPRESSION", "total |= EXPRESSION", "seen.add(EXPRESSION)", "board[EXPRESSION] = 7",
    "board[x] = 1", "board[x] += EXPRESSION", "last = EXPRESSION", "d.pop(EXPRESSION, 0)",
    "seen.discard(EXPRESSION)", "seen |= {EXPRESSION}", "if EXPRESSION > 3: seen.add(2)",
    "for last in map(double, [EXPRESSION]): total += last", "if x > 8: continue",
    "zeros |= {0.0 if x > 8 else -0.0}", "zeros.discard(x * 0.5)", "seen.remove(EXPRESSION)",
    "e[x] += EXPRESSION", "e[EXPRESSION] -= x", "e[EXPRESSION] = 7", "d[x] += EXPRESSION",
    "rows[x][0] = 5", "rows[8][0] += EXPRESSION", "rows[x][EXPRESSION] = x", "d |= {x: 1}",
    "if EXPRESSION > 3: return 5", "if x > 3: return total", "if x == 8: return EXPRESSION",
)  # fmt: skip
ORDERS = list(permutations((0, 8, 16)))
"""They meet in one place of a small set, whose order is that in which they came."""
STEP = st.builds(
    lambda step, part: step.replace("EXPRESSION", part),
    st.sampled_from(STEPS),
    st.sampled_from(EXPRESSIONS),
)


def _called(text: str) -> str:
    head, body = text.split("def f(s):")
    made, rest = body.split("    def inner", 1)
    assert "rows = " in made
    given = "def helps(s, row, seen, board, d, zeros, e, rows):\n    total, last, n = 0, 0, 0\n"
    return f"{head}{given}    def inner{rest}{CALLED}"


@given(st.lists(STEP, min_size=1, max_size=3), st.sampled_from(["", "caught", "called"]))
def test_what_is_compiled_is_the_same_in_each_order(steps: list[str], way: str) -> None:
    text = GENERATED.replace(LOOP, CAUGHT) if way == "caught" else GENERATED
    text = _called(GENERATED) if way == "called" else text
    indent = "\n            " if way == "caught" else "\n        "
    function = function_of(text.replace("STEPS", indent.join(steps)))
    sets: list[set[int]] = []
    for order in ORDERS:
        sets.append(set())
        for x in order:
            sets[-1].add(x)
    with suppress(Refusal):
        native = outcome(compile_function(function), (sets[0],))[:2]
        assert all(same(native, outcome(function, (s,))[:2]) for s in sets), steps


def goes_on(s: Any, n: int) -> Any:
    row = [0] * 4
    _counts(row, s)
    try:
        made = [0] * 4
        for x in sorted(s):
            made[x] += n
        return fails_inside(s), row, made
    except IndexError:
        return row


def fails_inside(s: Any) -> Any:
    """Change what is made here, and end with a failure."""
    own = [0] * 4
    for x in s:
        own[x] = 1
    _stores(own, s)
    return sum(own)


def _stores(row: Any, s: Any) -> None:
    for x in s:
        row[x] = 1


def test_rules_may_go_on_after_a_failure_if_nothing_is_left_of_it() -> None:
    assert not differences(goes_on, [({1, 3}, 2), (set(), 1)])
    assert outcome(compile_function(goes_on), ({1, 9}, 2)) == ("error", IndexError)
