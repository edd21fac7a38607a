"""Questions that machine code asks of Python, because they are rare and Python is the measure.

An answer is a status and a word. A status is 0, or the number of an exception in `ERRORS`.
"""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from collections.abc import Callable
from typing import Any, Final

from strategies.rules.messages import Late, TooWide

# Statuses that every program knows; those of a program's own errors follow.
ERRORS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (RuntimeError, "no error"),
    (KeyboardInterrupt, "stopped"),
    (ZeroDivisionError, "division by zero"),
    (OverflowError, "the result is too large"),
    (ValueError, "outside the domain of the function"),
    (RecursionError, "the rules call themselves too deeply"),
    (Late, "the result is complex, which is not compiled"),
    (TooWide, "an int needs more than 64 bits"),
)
COMPLEX, WIDE = 6, 7  # their places

# Errors of the compiler's own limits, which no `except` of a rule catches.
LIMITS: Final = (MemoryError, RecursionError, KeyboardInterrupt, TooWide, Late)

Answer = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_int64),
)


def _word(value: Any) -> int:
    if isinstance(value, float):
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return int(value)


def _float(word: int) -> float:
    return float(struct.unpack("d", struct.pack("q", word))[0])


def _unsigned(word: int) -> int:
    return word % 2**64


_READ: Final[dict[str, Callable[[int], Any]]] = {"f": _float, "i": int, "u": _unsigned}


def _power(x: float, y: float) -> Any:
    return x**y


RAISED: list[Callable[[int, int], int]] = []
"""What tells which exception a function of Numba raised: `jitted` adds it."""


def _raised(address: int, row: int) -> int:
    return RAISED[0](address, row)


def _quotient(x: int, y: int) -> float:
    return x / y


# What can be asked: a function, and how its words are read: floats, ints, unsigned ints. The place
# of a question is its number.
QUESTIONS: Final[tuple[tuple[str, Callable[..., Any], str], ...]] = (
    ("power", _power, "ff"),
    ("divide", _quotient, "ii"),
    ("divide", _quotient, "ui"),
    ("divide", _quotient, "iu"),
    ("divide", _quotient, "uu"),
    *(
        (name, function, how)
        for name, function in (("floordiv", operator.floordiv), ("mod", operator.mod))
        for how in ("ui", "iu", "uu")
    ),
    ("round", round, "fi"),
    ("round", round, "ii"),
    ("pow", pow, "iii"),
    *(
        (name, getattr(math, name), "f")
        for name in (
            *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf"),
            *("erfc", "exp", "exp2", "expm1", "gamma", "lgamma", "log", "log10", "log1p", "log2"),
            *("sin", "sinh", "sqrt", "tan", "tanh", "ulp"),
        )
    ),
    *((n, getattr(math, n), "ff") for n in ("atan2", "fmod", "hypot", "nextafter", "remainder")),
    ("math.pow", math.pow, "ff"),
    ("hypot", math.hypot, "fff"),
    ("ldexp", math.ldexp, "fi"),
    ("comb", math.comb, "ii"),
    ("raised", _raised, "ii"),
)
NUMBERS: Final = {(name, how): i for i, (name, _, how) in enumerate(QUESTIONS)}


def _answer(question: int, x: int, y: int, out: Any) -> int:
    try:
        _, function, how = QUESTIONS[question]
        words = (x, y, out[0])[: len(how)]
        found = function(*(_READ[k](v) for k, v in zip(how, words, strict=True)))
        if isinstance(found, complex):
            return COMPLEX
        if isinstance(found, int) and not -(2**63) <= found < 2**63:
            return WIDE
        out[0] = _word(found)
    except ArithmeticError as error:
        return 2 if isinstance(error, ZeroDivisionError) else 3
    except ValueError:
        return 4
    return 0


ANSWER: Final = Answer(_answer)
