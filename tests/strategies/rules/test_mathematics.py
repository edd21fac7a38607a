"""`math`, `round`, `pow`, `sum` and conversions, compared with Python's."""

from __future__ import annotations

import math
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64, nth_bit
from strategies.rules.builtins.mathematics import compensated_sum
from tests.properties import examples
from tests.strategies.rules.compared import differences, function_of, refused
from tests.strategies.rules.test_numbers import Colour

INTS = [0, 1, -1, 2, 3, 20, 21, 63, 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 0.1, 700.0, 2.0**63, 1e300, 5e-324, 171.0]
FLOATS += [float("inf"), float("-inf"), float("nan")]
MIXED: list[Any] = [True, U64(5), U64(2**64 - 1), Colour.BLUE, None, (1,)]
ONE = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "factorial",
    "floor",
    "gamma",
    "gcd",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "isqrt",
    "lcm",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "modf",
    "perm",
    "radians",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "ulp",
]
TWO = [
    "atan2",
    "comb",
    "copysign",
    "fmod",
    "gcd",
    "hypot",
    "isclose",
    "lcm",
    "ldexp",
    "log",
    "nextafter",
    "perm",
    "pow",
    "remainder",
]


def mathematics(text: str, parameters: str = "") -> Any:
    return function_of(f"def f({parameters}):\n    return {text}\n", math=math, U64=U64, sys=sys)


@cache
def _of(name: str, parameters: str) -> Any:
    """Return a function of `math`, made once, so that it is compiled once."""
    return mathematics(f"math.{name}({parameters})", parameters)


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number_are_pythons(name):
    f = _of(name, "a")
    for values in (INTS, FLOATS, *([v] for v in MIXED)):
        slow = name in ("factorial", "perm")
        calls = [(v,) for v in values if not (slow and isinstance(v, int) and v > 100)]
        assert differences(f, calls) == []


@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_numbers_are_pythons(name):
    f = _of(name, "a, b")
    slow = name in ("comb", "perm")
    for first, second in ((INTS, INTS), (FLOATS, FLOATS), (INTS, FLOATS), (FLOATS, INTS)):
        calls = [
            (a, b)
            for a in first
            for b in second
            if not (slow and any(isinstance(v, int) and v > 100 for v in (a, b)))
        ]
        assert differences(f, calls) == []


@given(st.floats(), st.floats(), st.integers(-(2**63), 2**63 - 1))
@examples(50)
def test_functions_of_any_numbers_are_pythons(x, y, n):
    for name in ONE:
        if name not in ("factorial", "gcd", "lcm", "perm", "isqrt"):
            assert differences(_of(name, "a"), [(x,), (n,)]) == []
    for name in ("atan2", "copysign", "fmod", "hypot", "isclose", "nextafter", "pow", "remainder"):
        assert differences(_of(name, "a, b"), [(x, y)]) == []
    for name in ("isqrt", "gcd"):
        assert differences(_of(name, "a"), [(n,)]) == []
    calls = [(n, m, k) for m in (n, 0, 2**62 - 1) for k in (0, -1, -(2**63))]
    assert differences(_of("lcm", "a, b, c"), calls) == []


@given(st.lists(st.floats(), max_size=12) | st.lists(st.floats(-1e16, 1e16), max_size=12))
@examples(60)
def test_sums_of_floats_are_pythons(row):
    assert differences(SUMS[0], [(row,)]) == []
    assert differences(SUMS[1], [(row,)]) == []


@given(st.lists(st.integers(-9, 9) | st.floats(-1e16, 1e16) | st.booleans(), max_size=9))
@examples(40)
def test_sums_of_mixed_numbers_are_pythons(row):
    for f in SUMS[1:]:
        assert differences(f, [(tuple(row),)]) == []


SUMS = [
    mathematics(text, "a")
    for text in (
        "math.fsum(a)",
        "sum(a), sum(a, 0.5), math.prod(a)",
        "sum(a, True), sum(a, start=-0.0), sum(list(a), U64(3))",
        "compensated_sum(a), compensated_sum(a, 0.5), compensated_sum(a, start=True)",
    )
]
for _f in SUMS:
    _f.__globals__["compensated_sum"] = compensated_sum


def test_the_compensated_sum_is_that_of_python_since_3_12():
    assert compensated_sum([0.1] * 10) == 1.0
    assert compensated_sum([1e308, 1e308, -1e308]) == math.inf
    if sys.version_info >= (3, 12):
        for row in ([0.1] * 10, [1, 0.1, 1e16, 1, -1e16], [1e308, 1e308], [True, 0.5], [-0.0]):
            assert str(compensated_sum(row)) == str(sum(row))


def test_round_to_digits_is_pythons():
    f = mathematics("round(a, d)", "a, d")
    digits = [0, 1, 2, -1, -2, -18, -19, 5, 20, 400, -400]
    for values in (INTS, [*FLOATS, 2.675, 1234.5], *([v] for v in MIXED)):
        for some in (digits, [True], [None], [2.0]):
            assert differences(f, [(v, d) for v in values for d in some], wide=True) == []


@given(st.integers(-99, 99), st.integers(-5, 99), st.integers(-9, 9))
@examples(60)
def test_pow_with_a_modulus_is_pythons(a, b, m):
    assert differences(MODULAR, [(a, b, m), (a, b, m * 10**17 + 1)]) == []


MODULAR = mathematics("pow(a, b, m)", "a, b, m")

AGREED = [
    "math.hypot(), math.hypot(-3), math.gcd(), math.lcm(), math.prod([]), math.fsum([])",
    "math.dist((1, 2), (3.5, True)), math.dist((), ()), math.pi, math.inf, sys.maxsize",
    "math.dist((1,), (1, 2))",
    "math.dist((1,), ('a',))",
    *("math.dist((), {})", "math.dist((1, 2), {0: 5, 1: 7})", "math.dist((1,), {0.5: 'a'})"),
    *("math.dist((1,), {'a': 1})", "math.dist((2, 1), range(2))", "math.dist((1,), None)"),
    "int('12'), int('-1_0'), int('ff', 16), int('0x1f', base=0), int(), float(), bool(), U64()",
    "float('inf'), float('-1e3'), float('nan'), U64('7'), bool('a')",
    *("int('a')", "int('9', 8)", "int(3, 10)", "float('x')", "int(None)", "float((1,))"),
    *("int(1.5, 10)", "U64('q')", "math.sqrt('a')", "math.floor('a')", "math.gcd(2.0)"),
    *("round('a')", "abs(None)", "pow(2, 3, 0)", "pow(2, -1, 4)", "pow(2, -1, 5)"),
    *("pow(2.0, 1, 5)", "math.isclose(1, 2, rel_tol=-1)", "math.isclose(1, 2, abs_tol=3)"),
    *("divmod(1, 0)", "divmod(1.5, 0)", "sum((1, 'a'))", "math.log(0)", "math.log(8, 1)"),
    *("math.log()", "math.sqrt(1, 2)", "math.floor(x=1)", "math.comb(5)", "math.perm(5, None)"),
    *("math.nosuch(1)", "math.comb(66, 33)", "math.comb(67, 33)", "math.comb(10**6, 2)"),
    "(5).real, (2.5).real, (2.5).imag, True.numerator, (7).denominator, U64(3).real",
    *("(5).foo", "(2.0).denominator", "(5).conjugate(), (2.5).is_integer(), (2.0).is_integer()"),
    *("U64(1e300), U64(-1e25), U64(-1), U64(2.5)", "U64(float('nan'))", "U64(float('inf'))"),
    *("float(2**70), int(2**70), abs(-2**70), bool(2**70), -(2**70)", "divmod(2**70, 3)"),
    "2**70 == 1, 2**70 in (1, 2), max(2**70, 1)",
    "math.fsum((1, 2.5, True)), math.factorial(20), math.perm(5), math.comb(57, 28)",
]


@pytest.mark.parametrize("text", AGREED)
def test_calls_are_pythons(text):
    assert differences(mathematics(text), [()]) == []


@pytest.mark.parametrize(
    "text",
    [
        *("math.frexp(1)", "math.hypot(1, 2, 3, 4)", "math.dist([1], [2])", "(5).to_bytes(2)"),
        *("(5).as_integer_ratio()", "(2.5).hex()", "complex(1, 2)", "ascii(5)"),
        *("math.sqrt(2**70)", "math.log(2**70)", "round(2**70)", "hash(3)"),
    ],
)
def test_what_is_not_declared_is_refused(text):
    assert refused(mathematics(text))


def test_the_bits_of_words_are_pythons():
    f = mathematics("a.bit_count(), a.bit_length(), a.real, a.conjugate()", "a")
    for values in (INTS, [True, False], [U64(0), U64(5)], [Colour.LOW]):
        assert differences(f, [(v,) for v in values]) == []
    g = mathematics("a.lowest(), nth_bit(a, n), a.bit_count(), a.bit_length()", "a, n")
    g.__globals__["nth_bit"] = nth_bit
    words = [U64(2**64 - 1), U64(0b10110), U64(2**63)]
    assert differences(g, [(a, n) for a in words for n in range(a.bit_count())]) == []


def _sum_of_words(row: tuple[int, ...]) -> U64:
    return U64(1) ^ compensated_sum([U64(x) for x in row])


@given(st.lists(st.integers(0, 2**63 - 1)).map(tuple))
@examples(30)
def test_a_sum_of_words_is_no_float(row):
    assert differences(_sum_of_words, [((1, *row),)]) == []
