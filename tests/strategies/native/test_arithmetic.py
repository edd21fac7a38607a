"""Arithmetic of rules: machine code gives what Python gives, or raises as Python does."""

from __future__ import annotations

import math
from math import sqrt as root
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.native.compiled import compiled


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


SAME = {rule: compiled(rule) for rule in (shifts, roundings, functions, wholes)}
NUMBERS = st.integers(-200, 200)


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")  # `~True` is still -2
@given(NUMBERS, NUMBERS)
def test_arithmetic_is_pythons(a: int, b: int) -> None:
    for rule, native in SAME.items():
        assert native(a, b) == rule(a, b)


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


def test_what_python_refuses_raises() -> None:
    native = compiled(fails)
    for b in (0, 1, 2, 3, 4, 5, 6, 7, -400):
        with pytest.raises((ValueError, OverflowError)) as wanted:
            fails(-1, b)
        with pytest.raises(wanted.type):
            native(-1, b)


def test_a_power_below_0_of_an_int_is_no_0() -> None:
    native = compiled(power)
    assert native(2, 3) == 8
    with pytest.raises(ValueError, match="write float"):
        native(2, -1)


def power(a: int, b: int) -> Any:
    return a**b
