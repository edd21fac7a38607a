"""Calls of functions that Numba compiles, from rules."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any

import numba
import numpy as np
import pytest

from games.game import Player
from games.u64 import U64
from tests.strategies.rules.compared import differences, function_of, refused


class Suit(Enum):
    """An enumeration of texts."""

    RED = "red"


class Unfit(Exception):
    """An exception of the user's own."""


@numba.njit
def line(x, n=2):
    if n < 0:
        raise ValueError("negative")
    if n == 99:
        raise KeyError("unknown")
    return x * n + 1


@numba.njit
def cube(x):
    return x * x * x


@numba.njit
def quotient(a, b):
    return a // b


@numba.njit
def parts(a, b):
    return a + 1, b * 0.5, a > b, np.float32(b)


@numba.njit
def total(row, factor):
    found = 0.0
    for k in range(row.shape[0]):
        found += row[k]
    return found * factor


@numba.njit
def corner(grid):
    return grid[1, 2] + grid[0, 0]


@numba.njit
def write(row):
    row[0] = 1


@numba.njit
def nothing(value):
    pass


@numba.njit
def same(value):
    return value


@numba.njit
def double(a):
    return np.uint64(a) * np.uint64(2)


@numba.njit
def unfit(a):
    if a <= 0:
        raise AssertionError
    if a == 2:
        raise Unfit("two")
    return a


@numba.njit
def outer(a):
    return unfit(a) + 1


@numba.njit
def no_such(a):
    return a.foo


@numba.njit("int64(int64)")
def eager(a):
    return a + 1


ROW, GRID = np.array([1.5, 2.5]), np.arange(12).reshape(3, 4)
NAMES = dict(globals())


def rule(text: str, parameters: str) -> Any:
    return function_of(f"def f({parameters}):\n    return {text}\n", **NAMES)


SMALL = [(np.int8(2),), (np.bool_(True),), (np.float32(0.1),), (np.uint64(5),)]
AGREED = [
    ("a", "line(a)", [(3,), (2.5,), (True,)]),
    ("a, n", "line(a, n), line(n=n, x=a)", [(3, 4), (2.5, -1), (2, 99)]),
    ("a", "line()", [(3,)]),
    ("a", "line(a, a, a)", [(3,)]),
    ("a", "line(y=a)", [(3,)]),
    ("a", "cube(a)", [(3,), (2**40,)]),
    ("a, b", "quotient(a, b)", [(7, 2), (7, 0), (-7, 2), (7.5, 0.0)]),
    ("a, b", "parts(a, b)", [(7, 2)]),
    ("a, i", "total(a, i)", [(ROW, 2), (ROW[::-1], 1), (ROW[:0], 1)]),
    ("i", "total(ROW, i), corner(GRID)", [(2,)]),
    ("g", "corner(g)", [(GRID,), (GRID.T,), (GRID[:, ::-1],)]),
    ("a", "nothing(a)", [(ROW,)]),
    ("a", "same(a)", SMALL),
    ("a", "double(a)", [(3,), (2**62,)]),
    ("a", "unfit(a)", [(3,), (0,), (2,)]),
    ("a", "outer(a)", [(3,), (0,), (2,)]),
    ("a", "eager(a)", [(0,)]),
    ("t, i", "line(t[i])", [((1, 2.5, True), i) for i in range(3)]),
    ("a", "[line(x) for x in range(a)], max(map(cube, range(a)))", [(4,)]),
]
# Numba compiles a function for each of these kinds.
MORE = [
    ("a", "line(a)", [(np.int8(100),)]),
    ("a, n", "line(a, n), line(n=n, x=a)", [(True, False), (2, 2.5)]),
    ("a", "cube(a)", [(1e200,)]),
    ("a, b", "quotient(a, b)", [(True, 0)]),
    ("a, b", "parts(a, b)", [(7.5, 0)]),
    ("a, i", "total(a, i), total(GRID[0], 1)", [(GRID[:, 1], 1)]),
    ("g", "corner(g)", [(np.asfortranarray(GRID * 1.5),)]),
    ("a", "nothing(a)", [(3,)]),
    ("a", "same(a)", [(3,), (2.5,), (True,)]),
    ("a", "unfit(a)", [(-1.5,)]),
]
AGREED += [pytest.param(*case, marks=pytest.mark.long) for case in MORE]


@pytest.mark.parametrize(("parameters", "text", "calls"), AGREED)
def test_a_function_of_numba_gives_what_it_gives_to_python(parameters, text, calls):
    assert differences(rule(text, parameters), calls) == []


def test_its_exceptions_are_caught():
    f = function_of(
        "def f(a, n):\n"
        "    try:\n"
        "        return line(a, n) + unfit(n)\n"
        "    except (ValueError, Unfit):\n"
        "        return -1\n"
        "    except LookupError:\n"
        "        return -2\n",
        **NAMES,
    )
    assert differences(f, [(1, 1), (1, 2), (1, -2), (1, 99), (1, 0)]) == []


@numba.njit
def determinant(a):
    return np.linalg.det(np.array([[a, 0.0], [0.0, 2.0]]))


def test_a_function_that_needs_scipy_is_refused_without_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    f = function_of("def f(a):\n    return determinant(a)\n", determinant=determinant)
    assert refused(f, 1.5).startswith(
        "Numba does not compile determinant for these arguments: scipy"
    )


@pytest.mark.parametrize(
    ("text", "value", "sentence"),
    [
        ("line(a)", None, "numbers, bools and arrays"),
        ("line(a)", (1, 2), "leave out @numba.njit, as rules are compiled anyway"),
        (
            "line(a)",
            Player.MAXIE,
            "a Player is no argument of a function of Numba here; write int",
        ),
        ("line(a)", Suit.RED, "a Suit is no argument of a function of Numba here; write its value"),
        ("line(a)", U64(3), "write int(…)"),
        ("line(a)", (1, 2), "numbers, bools and arrays"),
        ("write(a)", ROW, "Numba does not compile write"),
        ("same(a)", ROW, "let it return numbers"),
        ("no_such(a)", 3, "foo"),
        ("eager(a)", 1.5, "Numba does not compile eager"),
    ],
)
def test_what_does_not_fit_is_refused(text, value, sentence):
    assert sentence in refused(rule(text, "a"), value)
