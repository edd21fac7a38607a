"""A comprehension over a set is compiled where the order of its steps cannot show, and only there.

That may depend on what a function does that a step calls, and on who reads the comprehension.
"""

# Comprehensions that list or set would do are the matter of these tests.
# ruff: noqa: C416, C420

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import differences, function_of, refused

TABLE = (4, 2, 6, 3, 5)
CASES = Cases()
case = CASES({1, 2, 3}, set(), {0, 4})


@frozen
class Cell:
    row: int
    note: Any = field(default=0, eq=False)

    def next(self) -> int:
        return self.row + 1


def below(x: Any) -> Any:
    found = []
    for y in range(x):
        found.append(y)
    return found


@case
def moved(s: Any) -> Any:
    return {x + 1 for x in s}, {(x, y) for x in s for y in s if x < y}


@case
def counted(s: Any) -> Any:
    return len({x for x in s if x > 1}), len([x for x in s if x > 1]), bool([x for x in s])


@case
def first_of_the_same(s: Any) -> Any:
    return next((True for x in s if x > 1), False), next((s for x in s for y in s if x < y), 0)


@case
def alone(s: Any) -> Any:
    return {x for x in s if not any(y in (x - 1, x + 1) for y in s)}


@case
def nested(s: Any) -> Any:
    return {tuple(sorted(y for y in s if y != x)) for x in s}, {
        frozenset({x, y}) for x in s for y in s
    }


@case
def of_functions(s: Any) -> Any:
    return {len(below(x)) for x in s}, sum(sum(below(x)) for x in s), any(below(x) for x in s)


@case
def of_methods(s: Any) -> Any:
    return {x.bit_count() for x in s}, {Cell(x).next() for x in s}, {f"{x}" for x in s}


@case
def of_tables(s: Any) -> Any:
    return {TABLE[x] + TABLE[x - 1] for x in s}, sum(TABLE[x] * TABLE[x] for x in s)


@case
def failing(s: Any) -> Any:
    return {[7][x] + (8,)[x] for x in s}


@case
def failing_before_the_set(s: Any) -> Any:
    return (
        {x for y in (1, 1 + len(s)) if 6 // y + TABLE[y + 1] > 0 for x in s},
        any(x > 2 for y in (2, len(s)) if 6 // y + TABLE[y + 1] > 0 for x in s),
    )


@case
def changing_before_the_set(s: Any) -> Any:
    t: list[Any] = []
    return {(x, y) for y in TABLE if not put(t, y) for x in s}, t, {x for x in t if x in s}


@case
def never_at_the_set(s: Any) -> Any:
    return frozenset(x for y in () for x in s), any(x for y in (1, 2) for z in () for x in s)


@case
def with_keywords(s: Any) -> Any:
    return (
        sorted((x % 3 for x in s), reverse=True),
        max((x for x in s), default=None),
        sum((x for x in s), 4),
        sum([x for x in s], start=4),
    )


@case
def of_sets(s: Any) -> Any:
    t = {1, 9}
    t.update(x + 5 for x in s)
    return (
        t,
        t.union(x for x in s),
        t - {x for x in s},
        t.isdisjoint(x for x in s),
        1 in {x for x in s},
    )


@case
def of_inner_functions(s: Any) -> Any:
    row, best = [4, 5, 6], 2
    for y in row:
        best = max(best, y)
    return {(lambda: x + best)() for x in s}, {sum(y for y in row if y > x) for x in s}


def with_first(row: Any, x: Any) -> Any:
    row[0] = x
    return tuple(row)


def with_copy(row: Any, x: Any) -> Any:
    return with_first(list(row), x)


@case
def of_own_lists(s: Any) -> Any:
    row = (4, 5)
    return {with_first([x, x], x) for x in s}, {with_copy(row, x) for x in s}


@pytest.mark.parametrize("name", CASES.names())
def test_the_table(name: str) -> None:
    CASES.run(name)


PARTS = st.sampled_from(
    ("x", "x + 1", "(x, 1)", "TABLE[x]", "len(below(x))", "f'{x}'", "frozenset((x,))", "x // 2")
)
TESTS = st.sampled_from(("x > 1", "x in {1, 3}", "any(y < x for y in s)", "TABLE[x] > 3"))
READERS = st.sampled_from(("{%s}", "len([%s])", "sorted(%s)", "set(%s)", "min((%s), default=1)"))


@given(READERS, PARTS, TESTS, st.frozensets(st.integers(0, 5), max_size=4))
def test_readers_of_generated_comprehensions(
    reader: str, part: str, test: str, s: frozenset[int]
) -> None:
    if "frozenset" in part and ("sorted" in reader or "min" in reader):
        return
    text = "def f(s):\n    return " + reader % f"{part} for x in s if {test}"
    assert not differences(function_of(text, TABLE=TABLE, below=below), [(set(s),)])


# What a step makes has, in a loop, the kind of what was there before it


AGAIN = (
    "{x + 1 for x in s}", "{y for x in s for y in TABLE if y - x in (1, 2)}",
    "{len([y for y in s if y < x]) for x in s}", "{len({y for y in s if y < x}) for x in s}",
    "{len({*s, x}) + x for x in s}", "{len(s.union([x])) + x for x in s}",
    "{len(s | {x}) + x for x in s}", "{len(s - {x}) + x for x in s}",
    "{len(set(s)) + x for x in s}", "{len([*row, x]) for x in s}",
    "{len(row + [x]) + x for x in s}", "{sum(row * 2) + x for x in s}",
    "{len(sorted(row)) + x for x in s}", "{sum(list(row)) + x for x in s}",
)  # fmt: skip


@pytest.mark.parametrize("made", AGAIN)
def test_what_a_step_makes_is_its_own(made: str) -> None:
    text = f"""
def f(s):
    t, row = {{9}}, [1, 2]
    for _ in range(3):
        t, row, s = s, sorted(row + [len(s)]), {made}
    return s, t, row
"""
    assert not differences(function_of(text, TABLE=TABLE), [({1, 2, 3},), (set(),)])


def front(s: Any) -> Any:
    seen, found = set(s), set(s)
    while found:
        found = {w for v in found for w in (v + 2, v * 2) if w < 20 and w not in seen}
        seen |= found
    return seen


def one_or_the_other(s: Any) -> Any:
    def grown(s: Any, yes: Any) -> Any:
        return {x + 1 for x in s} if yes else s

    return grown(s, len(s) > 1), grown(s, False)


@pytest.mark.parametrize("function", [front, one_or_the_other])
def test_a_set_takes_the_place_of_the_one_over_which_it_steps(function: Callable[..., Any]) -> None:
    assert not differences(function, [({1, 2, 3},), (set(),), ({5},)])


# Where the order shows


def put(found: Any, x: Any) -> Any:
    found.append(x)
    return x


def numbers() -> Iterator[int]:
    yield 1
    yield 2


def one_of_two(x: Any) -> Any:
    if x == 1:
        raise ValueError(x)
    if x == 2:
        raise KeyError(x)
    return x


def adds(s: Any) -> Any:
    t: list[Any] = []
    return {t.append(x) for x in s}, t  # type: ignore[func-returns-value]


def adds_to_a_new_one(s: Any) -> Any:
    t = [x for x in (3, 4)]
    t = [*t]
    return {t.append(x) for x in s}, t  # type: ignore[func-returns-value]


def adds_to_what_it_names(s: Any) -> Any:
    keep: list[Any] = []
    return {keep.append(t := [x]) or t.append(3) for x in s}, keep  # type: ignore[func-returns-value]


def adds_by_a_function(s: Any) -> Any:
    t: list[Any] = []
    return {put(t, x) for x in s}, t


def adds_inside(s: Any) -> Any:
    t: list[Any] = []
    return {(x, any(put(t, y) for y in (1, 2))) for x in s}, t


def adds_between_the_loops(s: Any) -> Any:
    return {(put(y, x), tuple(y)) for y in [[0]] for x in s}


def adds_by_a_record(s: Any) -> Any:
    cell = Cell(0, [1])
    return {put(cell.note, x) for x in s}, cell.note


def adds_by_mutual_recursion(s: Any) -> Any:
    t: list[Any] = []
    return {even(x, t) for x in s}, t


def even(n: Any, t: Any) -> Any:
    return odd(n - 1, t) if n > 0 else len(t)


def odd(n: Any, t: Any) -> Any:
    t.append(n)
    return even(n - 1, t)


def adds_by_a_method_as_value(s: Any) -> Any:
    t = [3]
    f = t.append
    return {f(x) for x in s}, t  # type: ignore[func-returns-value]


def adds_in_place(s: Any) -> Any:
    t = [3]
    return {operator.iadd(t, [x]) is None for x in s}, t


def adds_by_reading(s: Any) -> Any:
    d: dict[int, int] = defaultdict(int)
    return {d[x] for x in s}, list(d)


def takes(s: Any) -> Any:
    t = iter([1, 2, 3])
    return {(x, next(t)) for x in s}


def steps_on(s: Any) -> Any:
    g = numbers()
    return {(x, y) for x in s for y in g}


def steps_on_inside(s: Any) -> Any:
    g = numbers()
    return {(x, any(y > 0 for y in g)) for x in s}


def hands_on(s: Any) -> Any:
    g = numbers()
    return {(x, any(g)) for x in s}


def counts(s: Any) -> Any:
    n = 0

    def f(x: Any) -> Any:
        nonlocal n
        n += x
        return n

    return {f(x) for x in s}


def fails_in_two_ways(s: Any) -> Any:
    return {one_of_two(x) for x in s}


def fails_in_two_places(s: Any) -> Any:
    return {1 // x + TABLE[x] for x in s}


def ends_before_a_failure(s: Any) -> Any:
    return any(TABLE[x] > 3 for x in s)


def binds(s: Any) -> Any:
    return {(y := x) for x in s}, y


def equal_records(s: Any) -> Any:
    return {Cell(x % 2, x) for x in s}


def equal_floats(s: Any) -> Any:
    return {x * 0.5 for x in s}


def by_key(s: Any) -> Any:
    return max((x for x in s), key=lambda x: x % 2)


def sum_of_floats(s: Any) -> Any:
    return sum((x for x in s), 0.5)


def listed(s: Any) -> Any:
    return [x for x in s]


def keyed(s: Any) -> Any:
    return {x: 1 for x in s}


def first(s: Any) -> Any:
    return next(x for x in s)


def first_or_failure(s: Any) -> Any:
    return next((1 for x in s if 6 // x > 2), 0)


def read_by(f: Any, s: Any) -> Any:
    return f(x for x in s)


def read_by_another(s: Any) -> Any:
    return read_by(sum, s), read_by(list, s)


@pytest.mark.parametrize(
    "function",
    [
        *(adds_between_the_loops, adds_by_a_record, adds_by_mutual_recursion),
        *(adds_to_a_new_one, adds_to_what_it_names),
        *(adds, adds_by_a_function, adds_inside, adds_by_a_method_as_value, adds_in_place),
        *(adds_by_reading, takes, steps_on, steps_on_inside, hands_on, counts, fails_in_two_ways),
        *(fails_in_two_places, ends_before_a_failure, binds, equal_records, equal_floats, by_key),
        *(sum_of_floats, listed, keyed, first, first_or_failure, read_by_another),
    ],
)
def test_an_order_that_may_show_is_refused(function: Callable[..., Any]) -> None:
    assert "order of a set" in refused(function, {1, 2, 3})


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("return sum(int(name[1:]) for name in names)", "int(name[1:])"),
        ("return {one_of_two(len(name)) for name in names}", "one_of_two(len(name))"),
        (
            "return {s[name] + one_of_two(n) for n in s.values() if 6 // n for name in names}",
            "s[name] or one_of_two(n)",
        ),
        ("return {1 // len(s) + s[name] for name in names}", "1 // len(s) or s[name]"),
        (
            "n = 0\n    for name in names:\n        n += int(name[1:])\n    return n",
            "int(name[1:])",
        ),
    ],
)
def test_the_steps_that_fail_in_several_ways_are_named(text: str, steps: str) -> None:
    text = f"def f(s):\n    names = frozenset(s)\n    {text}"
    found = refused(function_of(text, one_of_two=one_of_two), {"a1": 1, "b2": 2})
    told = f"{steps} may fail in several ways, and the order of a set is chance; write sorted(…)"
    assert found == told


# What a helper does with what it is given

READING = (
    "sum(row) + x", "len(row) + len(board)", "int(x in board)", "len([*row, x])", "board.get(x, 7)",
    "sum(y for y in row if y > x)", "len(row + [x])", "total(y + x for y in row)", "filled(x)",
)  # fmt: skip
CHANGING = (
    "row[0] = x", "row[0] += x", "del row[0]", "row += [x]", "row[:1] = [x]", "row.append(x)",
    "row.sort()", "row.insert(0, x)", "heappush(row, x)", "board[x] = 1", "board.pop(0, x)",
    "board.setdefault(x, 3)", "board.update({x: 1})", "setitem(row, 0, x)", "counts[x]",
    "board |= {x: 1}", "next(steps, 0)", "[y for y in steps]", "list(map(row.append, [x]))",
)  # fmt: skip
GIVEN = "x, row, board, counts, steps"
HANDING = {
    "plainly": "use(GIVEN)",
    "by another": "again(GIVEN)",
    "by itself": "deeper(2, GIVEN)",
    "by a method": "Giver(x).use(GIVEN)",
    "by a lambda": "(lambda f: f(GIVEN))(use)",
    "as captured": "(lambda: use(GIVEN))()",
    "in a tuple": "untied((GIVEN))",
}
HELPERS = """
from collections import defaultdict
from heapq import heappush
from operator import setitem
def total(values):
    return sum(values)
def filled(n):
    own = [n]
    own.append(total(own))
    own += [n]
    return total(own)
def use(GIVEN):
    TEXT
def again(GIVEN):
    return use(GIVEN)
def deeper(n, GIVEN):
    return use(GIVEN) if n == 0 else deeper(n - 1, GIVEN)
def untied(all):
    return use(*all)
@frozen
class Giver:
    n: int
    def use(self, GIVEN):
        return use(GIVEN)
def f(s):
    row, board, counts, steps = [3, 1], {0: 1, 1: 2}, defaultdict(int), iter([1, 2])
    if len(s) > 9:
        row.append(board.pop(counts[next(steps)]))
    return {(x, CALL) for x in s}
"""


def handing(text: str, how: str) -> Any:
    text = HELPERS.replace("CALL", HANDING[how]).replace("TEXT", text).replace("GIVEN", GIVEN)
    return function_of(text, frozen=frozen)


@pytest.mark.parametrize("how", HANDING)
def test_a_helper_that_only_reads_is_compiled(how: str) -> None:
    text = f"return ({', '.join(READING)})"
    assert not differences(handing(text, how), [({1, 2, 3},), (set(),)])


@pytest.mark.parametrize("how", HANDING)
def test_a_helper_that_changes_what_it_is_given_is_refused(how: str) -> None:
    for text in CHANGING[list(HANDING).index(how) :: 3]:
        whole = f"{text}\n    return 1"
        assert "changes what is seen outside" in refused(handing(whole, how), {1, 2, 3}), text


def plainly(s: Any) -> Any:
    return sum(x * 1 for x in s)


def test_a_list_is_read_after_a_set_was() -> None:
    assert not differences(plainly, [({1, 2},), ([0.5, 0.25],)])


@pytest.mark.parametrize("read", ["sorted", "sum", "any", "all", "len", "(s | {9}).issuperset"])
def test_sets_that_meet_one_reader_stay_two(read: str) -> None:
    text = (
        f"def f(s):\n    low = {{1, len(s)}}\n    return {read}({{x * 2 for x in s}}), {read}(low)"
    )
    assert not differences(function_of(text), [({1, 2, 3},), (set(),)])


def shared_with_a_reader(s: Any) -> Any:
    low, high, lists = [1, len(s)], [5, 2], [[len(s)], [1]]
    best, found, none = max(low, high), max(lists), min([], default=low)
    best.append("x")
    found.append(2.5)
    rows = sorted(lists)
    rows[0].append("y")
    twice = {sum({x, 1}) for x in s if any(low)}
    return low, high, lists, best is low, found is lists[0], none is low, rows, twice


def test_what_a_reader_gives_back_is_still_shared() -> None:
    assert not differences(shared_with_a_reader, [({1, 2, 3},), (set(),)])


def unlike_in_a_long_tuple(s: Any) -> Any:
    names, low, pairs, groups = {f"r{x}" for x in s}, {1}, [(1, "a")], {frozenset({1})}
    names.add("q")
    found = sorted(names), sorted(low), pairs, groups, 1, 2, 3, 4, [2.5], [], {x + 1 for x in s}
    return found, {x + "!" for x in names}, found[2], found[1:4], found[::-1]


def test_containers_in_a_long_tuple_keep_their_kinds() -> None:
    assert not differences(unlike_in_a_long_tuple, [({1, 2, 3},), (set(),)])


FAILING = ("b[x]", "12 % x", "b.index(x)", "int('1' * x)", "near(x)")
STOPS = {
    "    return any({} for x in s)": "any may end before a step that fails",
    "    return all(x and {} for x in s)": "all may end before a step that fails",
    "    for x in s:\n        if {} > 2:\n            return 1": "a step may return before another",
    "    n = 0\n    try:\n        for x in s:\n            n += {}\n    except ValueError:\n"
    "        return n": "a step may fail inside of `try`",
}


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("step", FAILING)
def test_what_may_fail_is_named(step: str, stop: str) -> None:
    text = f"def near(x):\n    return 6 // x\ndef f(s, b):\n{stop.format(step)}\n"
    told = refused(function_of(text), {1, 2, 3}, (1, 2, 3, 4))
    assert told.startswith(STOPS[stop])
    assert f", as {step} may, and the order of a set is chance" in told
