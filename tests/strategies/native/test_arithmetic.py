"""Arithmetic of rules: machine code returns what Python returns, or raises as Python does."""

from __future__ import annotations

import math
from math import sqrt as root
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import U64
from tests.strategies.native.compiled import compiled
from tests.strategies.rules.compared import check, same


@pytest.fixture(autouse=True)
def _quick() -> None:
    """Let LLVM optimize these functions, as it does for users."""


def shifts(a: int, b: int) -> Any:
    raised = a
    raised >>= abs(b)
    return a >> abs(b), raised, a >> 70, 1 << (b & 31), True << 3, ~(a > b), ~a


def roundings(a: int, b: int) -> Any:
    x = a / (1 + abs(b))
    return (
        round(x, 2),
        round(x, 1),
        round(a * 0.005, 2),
        round(x, 0),
        round(x),
        round(x, 9),
    )


def functions(a: int, b: int) -> Any:
    x = a / (1 + abs(b))
    values = root(abs(a)), math.sqrt(b * b), math.floor(x), math.ceil(x), math.exp(-abs(x))
    return values, math.log(1 + abs(a)), math.floor(a), a ** abs(b % 8), 0.5**b, abs(a) ** 0.5


def wholes(a: int, b: int) -> Any:
    x = a / (1 + abs(b))
    large = math.isqrt(2**62 + a), math.isqrt(a * a * 10**13 + abs(b)), int(2.0**62)
    return int(x), int(-x), int(a > b), int(a), math.isqrt(abs(a)), large


def of_short_numbers(a: int, b: int) -> Any:
    short, long = int(SHORT[a % 3]), int(LONG[1])
    return short - 300, long - 9, float(HALF[0]) + 0.1, int(SHORT[b % 3]) == 3, U64(LONG[0])


SHORT = np.array([200, 3, 0], dtype=np.uint8)
LONG = np.array([2**63 + 5, 3], dtype=np.uint64)
HALF = np.array([0.1, 3], dtype=np.float32)


SAME = {rule: compiled(rule) for rule in (shifts, roundings, functions, wholes, of_short_numbers)}
NUMBERS = st.integers(-200, 200)


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")  # `~True` is still -2
@given(NUMBERS, NUMBERS)
def test_arithmetic_agrees_with_python(a: int, b: int) -> None:
    for rule, native in SAME.items():
        assert same(native(a, b), rule(a, b))


def fails(a: int, b: int) -> Any:
    if b == 0:
        return 1.0 * (1 << a)
    if b == 1:
        return math.sqrt(a)
    if b == 2:
        return math.log(a)
    if b == 3:
        return math.exp(-1000 * a)
    if b == 4:
        return float(math.floor(math.inf * a))
    if b == 5:
        return int(math.inf * a - math.inf * a)
    if b == 6:
        return int(math.inf * a)
    if b == 7:
        return math.isqrt(a)
    return 10.0 ** (a * b)


def test_operations_that_raise_in_python_raise() -> None:
    native = compiled(fails)
    for b in (0, 1, 2, 3, 4, 5, 6, 7, -400):
        with pytest.raises((ValueError, OverflowError)) as wanted:
            fails(-1, b)
        with pytest.raises(wanted.type):
            native(-1, b)


def test_a_negative_power_of_an_int_is_a_float() -> None:
    check(power, *((a, b) for a in (-2, 0, 1, 2) for b in (-3, -1, 0, 3)))


def test_a_word_that_no_int_of_64_bits_holds_raises() -> None:
    native = compiled(whole)
    assert native(2, 3) == 5
    for a, b in (1, -2), (0, -1):
        with pytest.raises(OverflowError, match="an int needs more than 64 bits"):
            native(a, b)
    with pytest.raises(OverflowError):
        compiled(lambda: int(LONG[0]))()


def whole(a: int, b: int) -> int:
    return int(U64(a) + U64(b))


def power(a: int, b: int) -> Any:
    return a**b


def waves(x: float) -> float:
    return math.cos(x) + math.sin(x) + math.tan(x)


def inverses(x: float) -> float:
    return math.asin(x) + math.acos(x)


def grown(x: float) -> float:
    return math.cosh(x) + math.expm1(x) + math.sinh(x)


def powers(x: float) -> float:
    return math.pow(x, -1) + x**-1.0


CHECKED = [
    *(waves, inverses, grown, powers, math.log1p, math.acosh, math.atanh),
    *(math.floor, math.ceil, math.trunc, round),
]
EDGES = [0.0, -0.0, 0.5, -1.0, 1.0, 2.5, 800.0, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("function", CHECKED)
def test_functions_raise_where_python_does(function: Any) -> None:
    native = compiled(lambda x: function(x))
    for x in EDGES:
        try:
            known = function(x)
        except (ArithmeticError, ValueError) as error:
            with pytest.raises(type(error)):
                native(x)
        else:
            found = native(x)
            assert type(found) is type(known)
            assert found == pytest.approx(known, rel=1e-12, nan_ok=True)


def sums(a: int, b: int) -> Any:
    row = (a / 10, b / 3, 0.1, 1e16, 0.7, -1e16)
    tenths = [a / 10] * 10
    return (
        sum(row), sum(tenths), sum(x / 10 for x in (a, b, 1)), sum(row, 0.1), sum(tenths, start=3),
        sum(x * 0.1 for x in row), sum([0.1 for _ in range(10)]), sum((a, b)), sum(row[:1], a),
    )  # fmt: skip


@given(NUMBERS, NUMBERS)
def test_sums_of_floats_agree_with_this_python(a: int, b: int) -> None:
    assert SUMS(a, b) == sums(a, b)


SUMS = compiled(sums)
