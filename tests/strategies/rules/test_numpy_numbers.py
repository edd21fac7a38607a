"""Numbers of numpy's in rules: operators give numpy's values, with numpy's types."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import RuleError, compile_function

WHOLE = np.array([0, 1, -3, 7, 2**40, -(2**40)])
REAL = np.array([0.0, -0.0, 0.5, -2.25, 1e300, np.inf, np.nan])
SHORT = np.array([0, 3, 200], dtype=np.uint8)
TRUTH = np.array([True, False])
ARITHMETIC: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv,
]  # fmt: skip
COMPARED: list[Callable[[Any, Any], Any]] = [
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
]  # fmt: skip


def alike(found: Any, wanted: Any) -> bool:
    same = found == wanted or (found != found and wanted != wanted)
    return bool(type(found) is type(wanted) and same)


def operated(op: Callable[[Any, Any], Any]) -> list[Callable[[int, int, int, float], Any]]:
    """Return functions that apply an operator to each pair of kinds of numbers."""
    return [
        lambda i, k, n, x: op(WHOLE[i], WHOLE[k]),
        lambda i, k, n, x: op(WHOLE[i], n),
        lambda i, k, n, x: op(n, WHOLE[i]),
        lambda i, k, n, x: op(WHOLE[i], x),
        lambda i, k, n, x: op(REAL[k], n),
        lambda i, k, n, x: op(x, REAL[k]),
        lambda i, k, n, x: op(REAL[k], REAL[i]),
        lambda i, k, n, x: op(WHOLE[i], REAL[k]),
    ]


MADE = {op: [compile_function(f) for f in operated(op)] for op in (*ARITHMETIC, *COMPARED)}


@given(
    st.sampled_from(list(MADE)), st.integers(0, 5), st.integers(0, 5), st.integers(-9, 9),
    st.floats(-9, 9),
)  # fmt: skip
def test_operators_give_what_numpy_gives(
    op: Callable[[Any, Any], Any], i: int, k: int, n: int, x: float
) -> None:
    for function, plain in zip(MADE[op], operated(op), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of divisions by 0, and of sums that are too large
            wanted = plain(i, k, n, x)
        if isinstance(wanted, np.int64) and op is operator.mul and abs(int(wanted)) >= 2**62:
            continue
        try:
            found = function(i, k, n, x)
        except OverflowError:  # where numpy wraps around
            assert not -(2**63) <= op(int(WHOLE[i]), int(WHOLE[k])) < 2**63
            continue
        assert alike(found, wanted), (found, wanted)


def signs(i: int) -> Any:
    return -WHOLE[i], +WHOLE[i], ~WHOLE[i], abs(WHOLE[i]), -REAL[i], abs(REAL[i])


def divided(i: int) -> Any:
    return WHOLE[i] // 3, WHOLE[i] % -4, WHOLE[i] & 6, WHOLE[i] | 1, WHOLE[i] ^ 5


def short(i: int, n: int) -> Any:
    return SHORT[i % 3] == n, SHORT[i % 3] > n, n <= SHORT[i % 3], SHORT[i % 3] != SHORT[0]


def truths(i: int, n: int) -> Any:
    return (
        TRUTH[i % 2] & (WHOLE[i] > n), TRUTH[i % 2] | True, not TRUTH[i % 2], n in (SHORT[2], 3),
        max(WHOLE[i], n), [1 for a in WHOLE if a > n], sum(WHOLE[a] for a in range(4)),
    )  # fmt: skip


def quotients(i: int, n: int) -> Any:
    return (
        WHOLE[i] // n, WHOLE[i] % n, n // WHOLE[i], n % WHOLE[i], WHOLE[i] // WHOLE[1 - i],
        list(range(WHOLE[3])), sorted((WHOLE[k], k) for k in range(4)),
    )  # fmt: skip


COMPILED = {f: compile_function(f) for f in (signs, divided, short, truths, quotients)}


@pytest.mark.parametrize("i", range(6))
@pytest.mark.parametrize("n", [0, 3, -4])
def test_quotients_of_ints_give_what_numpy_gives_also_by_0(i: int, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = quotients(i, n)
    for a, b in zip(COMPILED[quotients](i, n), wanted, strict=True):
        assert alike(a, b), (a, b)


@pytest.mark.parametrize("i", range(6))
def test_signs_bits_and_comparisons_give_what_numpy_gives(i: int) -> None:
    for function in (signs, divided):
        for a, b in zip(COMPILED[function](i), function(i), strict=True):
            assert alike(a, b), (a, b)
    for other in (short, truths):
        for n in (-1, 3, 200, 300):
            for a, b in zip(COMPILED[other](i, n), other(i, n), strict=True):
                assert alike(a, b), (a, b)


@pytest.mark.parametrize(
    "function",
    [lambda: SHORT[1] + 1, lambda: WHOLE[1] ** 2, lambda: REAL[1] // 2.0, lambda: WHOLE[1] << 1],
)
def test_what_depends_on_numpys_version_or_wraps_is_refused(function: Callable[[], Any]) -> None:
    with pytest.raises(
        RuleError, match=r"operation of a numpy.\w+ is not compiled; write (int|float)\("
    ):
        compile_function(function)()


def test_the_order_of_tuples_of_them_is_refused() -> None:
    """It is a number of numpy's again, of which `-` is a TypeError."""
    with pytest.raises(RuleError, match="the order of tuples or lists that hold numbers of numpy"):
        compile_function(lambda: (WHOLE[0], 3) < (9, 4))()
