"""Hard functions: they have the values of Python as machine code, or are refused in plain words."""

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
from strategies import compile_function
from strategies.native.kept_engines import engine_for
from strategies.rules.language.messages import RuleError
from tests.strategies.native.counting import Counting
from tests.strategies.native.hard import agree, is_plain
from tests.strategies.rules.compared import check


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
        row = [0.5, 2]  # type: ignore[list-item]
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
    even = lambda k: k == 0 or odd(k - 1)  # type: ignore[has-type]  # noqa: E731
    odd = lambda k: k != 0 and even(k - 1)  # type: ignore[no-untyped-call]  # noqa: E731
    return even(m)  # type: ignore[no-untyped-call]


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
    return len(f"{m:{m}}")


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


def asks_for_directions(t: Any, m: int) -> Any:
    return sum(directions(m))


def asks_the_system(t: Any, m: int) -> Any:
    return SYSTEMS(m)


SYSTEMS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(abs)


def reads_first(t: Any, m: int) -> Any:
    total, seen = 0, {}  # type: ignore[var-annotated]
    for x in t:
        total += seen.get(x, 0)
        seen[x] = 1
    return total


def makes_an_array(t: Any, m: int) -> Any:
    made = np.zeros(3)
    made[m] = 1.5
    return float(made.sum())


COMPILED_FUNCTIONS = [
    grown_part, broken_part, short_and_long, ints_and_pairs, int_then_float, short_and_long_tuples,
    one_or_two, asks_itself, asks_each_other, empty_set, asks_late, beyond, by_name, counts_halves,
    reads_an_empty_dict, large_literal, large_power, large_global, slice_and_tuple, folds,
    reads_around, member_of, by_the_name_of_int, asks_for_directions, reads_first,
]  # fmt: skip
REFUSED_FUNCTIONS = {
    spelled: ("return len(f", "a width that is not known before is not compiled"),
    hash_of_a_row: ("h = ((h ^ x)", "an int of more than 64 bits meets int; write U64(…)"),
    wraps_around: (
        "return SHORT[m]",
        "this operation of a numpy.uint8 is not compiled; write int(…)",
    ),
    rounds: ("return HALF[0]", "this operation of a numpy.float32 is not compiled; write float(…)"),
    prints: ("print(m)", "print is not compiled: leave it out, or look at the rules while they"),
    same_object: ("pair is", "tuples and records have no identity; compare them with `==`"),
    asks_the_system: ("return SYSTEMS(m)", "a CFunctionType is not compiled"),
    makes_an_array: ("np.zeros(3)", "zeros is not compiled: arrays may be read, not made"),
}
"""What is told of a function: its line and the reason."""
CALLS = [(t, m) for t in ((1, 2, 3, 4, 5), (2, 4, 3, 2, 5), (0,) * 5) for m in (0, 1, 2, 4)]


@pytest.mark.parametrize("rule", COMPILED_FUNCTIONS)
def test_a_function_has_the_values_of_python_in_machine_code(rule: Callable[..., Any]) -> None:
    check(rule, *CALLS)


@frozen
class Row5:
    t: tuple[int, ...] = (1, 2, 3, 4, 5)


def asking(rule: Callable[..., Any]) -> Any:
    """Return a game whose estimate calls a function."""

    @frozen
    class Asks(Counting):
        def start(self) -> Row5:
            return Row5()

        def player(self, state: Row5) -> int:
            return MAXIE

        def make_move(self, state: Row5, move: int) -> Row5:
            return Row5(state.t)

        def estimate(self, state: Row5) -> float:
            return 1.0 if rule(state.t, state.t[0]) else 0.0

    return Asks()


@pytest.mark.parametrize("rule", REFUSED_FUNCTIONS)
def test_a_function_that_is_refused_says_why(rule: Callable[..., Any]) -> None:
    line, reason = REFUSED_FUNCTIONS[rule]
    with pytest.raises(RuleError) as refused:
        compile_function(rule)(*CALLS[0])
    told = str(refused.value)
    where, shown, caret = told.splitlines()
    assert where.startswith(f"{rule.__name__}, line ")
    assert reason in where
    assert line in shown
    assert caret.strip() == "^"
    assert is_plain(told)
    engine = engine_for(asking(rule))
    assert engine.reason == told
    assert agree(engine.game)


def test_warnings_of_the_compiler_are_suppressed() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert engine_for(asking(reads_first), "native").warm().native
    assert not heard
