"""Operators and conversions of numbers, compared with Python's over kinds and edge values."""

from __future__ import annotations

import enum
import itertools
import operator
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64
from strategies import compile_function
from tests.properties import DEEP, examples
from tests.strategies.rules.compared import check, differences, function_of, refused


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 3
    LOW = -2


INTS = [0, 1, -1, 2, 3, -7, 63, 64, 65, 2**31, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.0,
    2.0**53,
    2.0**63,
    -(2.0**63),
    2.0**64,
    1e300,
    5e-324,
]
FLOATS += [float("inf"), float("-inf"), float("nan")]
WORDS = [U64(n) for n in (0, 1, 2, 63, 64, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)]
OTHERS: list[Any] = [None, (), (1, 2)]
VALUES = {
    "int": INTS,
    "float": FLOATS,
    "word": WORDS,
    "bool": [False, True],
    "enum": list(Colour),
    "none": [None],
    "tuple": [(), (1, 2)],
}
ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**"]
BITS = ["<<", ">>", "&", "|", "^"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def feasible(op: str, x: Any, y: Any) -> bool:
    """Whether Python itself can compute this in a moment."""
    if op == "*" and any(isinstance(v, tuple) for v in (x, y)):
        return not any(isinstance(v, int) and v > 100 for v in (x, y))
    if op in ("**", "<<") and isinstance(x, int) and isinstance(y, int):
        return x in (0, 1, -1) or abs(y) <= 100
    return True


def mixes_words_with_floats(op: str, x: str, y: str) -> bool:
    """Whether a U64 and a float meet in an operator that is refused for them."""
    return ((x, y) == ("word", "float") and op in ["//", "%", *BITS]) or (
        (x, y) == ("float", "word") and op in BITS
    )


@pytest.mark.parametrize("x", ["int", "float", "word", "bool", "enum"])
@pytest.mark.parametrize("y", ["int", "float", "word", "bool", "enum", "none", "tuple"])
def test_each_operator_is_pythons_for_each_pair_of_kinds(x, y):
    unlike = y in ("none", "tuple")
    ops = [
        op
        for op in ARITHMETIC + BITS + COMPARISONS
        if not mixes_words_with_floats(op, x, y)
        and not (x == "enum" and unlike and op in COMPARISONS[:4])
    ]
    lines = [f"    if op == {i}:\n        return a {op} b\n" for i, op in enumerate(ops)]
    f = function_of("def f(a, b, op):\n" + "".join(lines))
    calls = [
        (a, b, i)
        for (i, op), a, b in itertools.product(enumerate(ops), VALUES[x], VALUES[y])
        if feasible(op, a, b)
    ]
    if not DEEP and (x, y) != ("int", "int"):
        calls = random.Random(1).sample(calls, len(calls) // 3)
    assert differences(f, calls) == []


@pytest.mark.parametrize("op", ARITHMETIC + BITS + COMPARISONS)
def test_operators_of_values_of_several_kinds_keep_each_kind(op):
    row = (3, 2.5, True, None, -7, False, 0.0, 0, Colour.BLUE)
    words = (*(v for v in row if not isinstance(v, float)), U64(5), U64(2**64 - 1))
    f = function_of(f"def f(t, i, j):\n    return t[i] {op} t[j]\n")
    text = f"def f(t, i, j):\n    a = t[i]\n    a {op}= t[j]\n    return a, t[i]\n"
    g = None if op in COMPARISONS else function_of(text)
    for t in (row, words):
        places = [
            (t, i, j)
            for i, j in itertools.product(range(len(t)), repeat=2)
            if feasible(op, t[i], t[j])
            and not (op in COMPARISONS[:4] and Colour.BLUE in (t[i], t[j]))
        ]
        if op in COMPARISONS[:4]:
            places = [(t[:-1], i, j) for t, i, j in places if max(i, j) < len(t) - 1]
            if t is words:
                continue
        assert differences(f, places) == []
        if g is not None:
            assert differences(g, places) == []


CONSTANTS = [0, 1, -1, 2, -3, 63, 64, 2**53 + 1, -(2**63), 2.0, -0.0, 0.5, True, U64(3), U64(2**63)]


@given(
    st.sampled_from(ARITHMETIC + BITS + COMPARISONS),
    st.sampled_from(CONSTANTS),
    st.sampled_from(["int", "float", "word", "bool"]),
    st.booleans(),
)
@examples(60)
def test_an_operand_that_is_known_changes_no_result(op, constant, kind, left):
    known = {U64: "word", float: "float"}.get(type(constant), "int")
    if mixes_words_with_floats(op, *((known, kind) if left else (kind, known))):
        return
    text = f"K {op} a" if left else f"a {op} K"
    f = function_of(f"def f(a):\n    return {text}\n", K=constant)
    calls = [
        (v,) for v in VALUES[kind] if feasible(op, *((constant, v) if left else (v, constant)))
    ]
    assert differences(f, calls, wide=known == "word") == []


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
@pytest.mark.parametrize("op", ["-", "+", "~", "not ", "abs", "int", "float", "bool", "round"])
def test_operators_of_one_number_are_pythons(op):
    for kind in ("int", "float", "word", "bool", "enum", "none", "tuple"):
        f = function_of(f"def f(a):\n    return {op}(a)\n")
        assert differences(f, [(v,) for v in VALUES[kind]]) == [], kind


WIDE = [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 2**70, 0xF0F0 << 48]


@pytest.mark.parametrize("op", ["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="])
def test_known_ints_of_more_than_64_bits_meet_words(op):
    for constant, left in itertools.product(WIDE, (True, False)):
        text = f"{constant} {op} a" if left else f"a {op} {constant}"
        f = function_of(f"def f(a):\n    return {text}\n")
        assert differences(f, [(v,) for v in WORDS]) == []


@pytest.mark.parametrize("op", COMPARISONS)
def test_known_ints_of_more_than_64_bits_are_compared_with_any_number(op):
    for constant in WIDE:
        for kind in ("int", "float", "bool", "none"):
            if (kind == "none" and op in COMPARISONS[:4]) or (kind == "float" and constant % 2):
                continue
            f = function_of(f"def f(a):\n    return a {op} {constant}\n")
            assert differences(f, [(v,) for v in VALUES[kind]]) == []


def test_known_ints_of_more_than_64_bits_have_an_order():
    f = function_of(f"def f(i):\n    return sorted({[*WIDE, 5, -1]}), {WIDE}[i], min({WIDE})\n")
    assert differences(f, [(0,), (3,), (9,)], wide=True) == []
    compiled = compile_function(f)
    assert compiled(0) == f(0)


def test_known_ints_of_more_than_64_bits_are_refused_beside_ints():
    f = function_of("def f(a):\n    return a & 0xFFFFFFFFFFFFFFFF\n")
    assert "write U64(" in refused(f, 5)


def test_numbers_have_no_matrix_product():
    for text in ("a @ b", "2 @ 3", "2.0 @ b", "operator.matmul(a, b)"):
        f = function_of(f"def f(a, b):\n    return {text}\n", operator=operator)
        check(f, (7, 5), (True, 2), (1.5, 2), (U64(7), U64(5)))


def test_a_format_that_is_not_known_is_refused():
    for text in ("a % n", "a % (n,)"):
        f = function_of(f"def f(a, n):\n    return {text}\n")
        assert "write an f-string" in refused(f, "b", 3)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1), st.floats(), st.floats())
def test_arithmetic_of_any_numbers_is_pythons(a, b, x, y):
    for f in GENERAL:
        assert differences(f, [(a, b, x, y)]) == []


GENERAL = [
    function_of(f"def f(a, b, x, y):\n    return {text}\n")
    for text in (
        "a // b, a % b, divmod(a, b)",
        "x // y, x % y, divmod(x, y)",
        "a / b",
        "a / y, x / b",
        "a // y, x % b",
        "a * x, a + x, a - x, x - a",
        "a < x, a <= x, a == x, a != x, a > x, a >= x",
        "int(x)",
        "round(x)",
        "-a, abs(b), ~a",
        "a * b",
        "a - b",
        "x ** y",
        "float(a), float(b), a == float(a)",
        "a in (x, b), x in [a, b, y]",
        "min(a, x), max(x, a, y), sorted([a, b])",
    )
]
