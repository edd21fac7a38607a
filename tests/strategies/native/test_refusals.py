"""The messages for common Python that does not compile: where it is, and what to write instead."""

import ctypes
import functools
import warnings
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from games.game import MAXIE
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import Counting

pytestmark = pytest.mark.usefixtures("without_typed")
NUMBAS = ("int64", "float64", "Tuple(", "iv=", "reflected", "undefined", "RowType", "Literal")


@frozen
class Row:
    t: tuple[int, ...] = (1, 2, 3, 4, 5)


def told(rule: Callable[..., Any]) -> list[str]:
    """Return the message for a function that an estimate calls: the place, the line, the reason."""

    @frozen
    class Asks(Counting):
        def start(self) -> Row:
            return Row()

        def player(self, state: Row) -> int:
            return MAXIE

        def make_move(self, state: Row, move: int) -> Row:
            return Row(state.t)

        def estimate(self, state: Row) -> float:
            return 1.0 if rule(state.t, state.t[0]) else 0.0

    return engine_for(Asks()).reason.splitlines()


def grown_part(t: Any, m: int) -> Any:
    return t[:m] + (t[m],) + t[m + 2 :]  # noqa: RUF005 - as written


def broken_part(t: Any, m: int) -> Any:
    return (*t[:m], t[m] / 2, *t[m + 1 :])


def short_and_long(t: Any, m: int) -> Any:
    row = [m, 2]
    if m > 3:
        row = [m, 2, 3]
    return row[-1]


def ints_and_pairs(t: Any, m: int) -> Any:
    row = [m, 2] if m > 3 else [(m, 1), (2, 3)]
    return row[-1]


def int_then_float(t: Any, m: int) -> Any:
    row = [m, 2]
    if m > 3:
        row = [0.5, 2]
    return row[-1]


def short_and_long_tuples(t: Any, m: int) -> Any:
    return ((1, 0.5), (2, 0.5)) if m == 1 else ((0, 0.25), (2, 0.25), (3, 0.5))


def one_or_two(t: Any, m: int) -> Any:
    return m if m > 3 else (m, 2)


def asks_itself(t: Any, m: int) -> Any:
    def factorial(k: int) -> int:
        return 1 if k < 2 else k * factorial(k - 1)

    return factorial(m)


def asks_each_other(t: Any, m: int) -> Any:
    even = lambda k: k == 0 or odd(k - 1)  # noqa: E731
    odd = lambda k: k != 0 and even(k - 1)  # noqa: E731
    return even(m)


def empty_set(t: Any, m: int) -> Any:
    seen: set[int] = set()
    return m in seen


def late(x: int, *, y: int = 3, z: int) -> int:
    return x - y * z


def asks_late(t: Any, m: int) -> Any:
    return late(m, z=2)


def beyond(t: Any, m: int) -> Any:
    return t[7]


def pairs_of(row: Any, more: int = 3) -> Iterator[int]:
    yield from [x for x in row if x > more]


def by_name(t: Any, m: int) -> Any:
    return sum(pairs_of(t, more=m))


def counts_halves(t: Any, m: int) -> Any:
    counts: dict[int, float] = {}
    for x in t:
        counts[x] = counts.get(x, 0) + x / 2
    return max(counts.values())


def reads_an_empty_dict(t: Any, m: int) -> Any:
    counts: dict[int, int] = {}
    for x in t:
        counts[x] = counts.get(x, len(counts)) + 1
    return max(counts.values())


MANY = 2**70


def spelled(t: Any, m: int) -> Any:
    return len(f"{m:3}")


def large_literal(t: Any, m: int) -> Any:
    return m < 1180591620717411303424


def large_power(t: Any, m: int) -> Any:
    return min(m, 10**40)


def large_global(t: Any, m: int) -> Any:
    return m < MANY


def hash_of_a_row(t: Any, m: int) -> Any:
    h = 1469598103934665603
    for x in t:
        h = ((h ^ x) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h % 1009


SHORT = np.array([200, 3, 0], dtype=np.uint8)
HALF = np.array([0.1, 3], dtype=np.float32)


def wraps_around(t: Any, m: int) -> Any:
    return SHORT[m] - 1 < 0


def rounds(t: Any, m: int) -> Any:
    return HALF[0] == 0.1


def prints(t: Any, m: int) -> Any:
    print(m)
    return m


def same_object(t: Any, m: int) -> Any:
    pair = (m, 1)
    return 1 if pair is (m, 1) else 0


def slice_and_tuple(t: Any, m: int) -> Any:
    return t[m : m + 2] == (1, 2)


def folds(t: Any, m: int) -> Any:
    return functools.reduce(lambda a, b: a * 3 + b, t, m)


def reads_around(t: Any, m: int) -> Any:
    def more(x: int) -> int:
        return x + m

    return sum(map(more, t))


class Cell(IntEnum):
    EMPTY = 0
    FULL = 1


def member_of(t: Any, m: int) -> Any:
    return Cell(m % 2)


def directions(m: int) -> list[int]:
    if abs(m) == 2:
        return [1, -1]
    return [1, 1] if m > 0 else [-1, -1]


def by_the_name_of_int(t: Any, m: int) -> Any:
    return sum(int.bit_count(x) for x in t)


REFUSED = [
    (spelled, "", "text cannot be compiled: use numbers"),
    (hash_of_a_row, "h = ((h ^ x)", "a number of 2**63 or more is combined with an int"),
    (wraps_around, "return SHORT[m]", "NumPy's uint8 wraps in Python, but not in machine code"),
    (rounds, "return HALF[0]", "NumPy's float32 rounds in Python, but not in machine code"),
    (large_literal, "return m <", "1180591620717411303424 needs more than 64 bits: use a smaller"),
    (large_power, "10**40", f"{10**40} needs more than 64 bits: use a smaller number or U64"),
    (large_global, "m < MANY", f"MANY is {2**70}, which needs more than 64 bits: use a"),
    (counts_halves, "counts[x] =", "a float is put into a dict or set of int: the first entry"),
    (reads_an_empty_dict, "counts", "the types in an empty dict are unknown when it is read"),
    (beyond, "return t[7]", "this index is out of range, because the row has fewer elements: "),
    (by_name, "pairs_of(t, more=m)", "cannot be passed by name here: pass them by position"),
    (grown_part, "return t[:m]", "which cannot be added to a tuple: use put(row, index, value)"),
    (broken_part, "return (*t[:m]", "a float is put into a tuple of int: use // or int(…)"),
    (short_and_long, "", "the length of this list differs between paths: start with []"),
    (ints_and_pairs, "", "the elements of this list differ in type between paths: use one"),
    (int_then_float, "", "values of different types are combined here: use one type"),
    (short_and_long_tuples, "return ((1", "use lists, or tuples of one length"),
    (one_or_two, "return m if", "is int on one path and tuple on another: use one type on"),
    (asks_itself, "def factorial", "cannot call itself or a later one: move it out"),
    (asks_each_other, "even = lambda", "cannot call itself or a later one: move it out"),
    (prints, "print(m)", "print cannot be compiled: leave it out"),
    (same_object, "pair is", "`is` compares objects, which compiled rules do not have: write =="),
    (slice_and_tuple, "t[m : m + 2]", "compare the elements, as in all(…)"),
    (folds, "functools.reduce", "functools.reduce cannot be compiled: write a loop"),
    (reads_around, "def more", "pass their values as arguments, or write a loop"),
    (member_of, "Cell(m % 2)", "Cell(…) of a number cannot be compiled: use the number"),
    (by_the_name_of_int, "bit_count", "int.bit_count(x) cannot be compiled: write x.bit_count()"),
    (empty_set, "seen", "the element type of an empty set is unknown: add to it in the rule"),
]


@pytest.mark.parametrize(("rule", "line", "reason"), REFUSED)
def test_the_message_names_the_innermost_line_and_what_to_write(
    rule: Callable[..., Any], line: str, reason: str
) -> None:
    where, shown, *why = told(rule)
    assert where.startswith(f"{rule.__name__}, which")
    assert line in shown
    assert len(why) == 1
    assert reason in why[0]
    assert not [word for word in NUMBAS if word in why[0]]


def asks_for_directions(t: Any, m: int) -> Any:
    return sum(directions(m))


def test_lists_of_two_forms_are_refused() -> None:
    where, _, why = told(asks_for_directions)
    assert where.startswith("directions, which")
    assert "start with found = [], append to it, and return it on every path" in why


def test_a_late_keyword_only_argument_is_reported() -> None:
    *_, why = told(asks_late)
    assert why == (
        "a keyword-only argument without a default comes after one with a default: put it first"
    )


def asks_the_system(t: Any, m: int) -> Any:
    return SYSTEMS(m)


SYSTEMS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(abs)


def test_foreign_functions_are_refused() -> None:
    """Numba could call it, but a function redefined under the same name would keep its old code."""
    assert told(asks_the_system)[-1] == "SYSTEMS cannot be compiled"


def reads_first(t: Any, m: int) -> Any:
    total, seen = 0, {}
    for x in t:
        total += seen.get(x, 0)
        seen[x] = 1
    return total


def test_warnings_of_the_compiler_are_suppressed() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert not told(reads_first)
    assert not heard
