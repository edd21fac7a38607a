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

from strategies.rules.language.messages import TooWide

# Statuses that every program knows; those of a program's own errors follow.
ERRORS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (RuntimeError, "no error"),
    (KeyboardInterrupt, "stopped"),
    (ZeroDivisionError, "division by zero"),
    (OverflowError, "the result is too large"),
    (ValueError, "outside the domain of the function"),
    (RecursionError, "the rules call themselves too deeply"),
    (TooWide, "an int needs more than 64 bits"),
)
WIDE = 6  # its place

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


_READ: Final[dict[str, Callable[[int], Any]]] = {
    "f": _float, "i": int, "u": lambda word: word % 2**64,
}  # fmt: skip

RAISED: list[Callable[[int, int], int]] = []
"""What tells which exception a function of Numba raised: `jitted` adds it."""


WHOLE: Final = (
    *("upper", "lower", "swapcase", "title", "capitalize", "casefold", "__repr__", "isupper"),
    *("islower", "isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "isspace", "istitle"),
    *("isidentifier", "isprintable"),
)
"""What is asked of whole texts; then come `float`, and `int` by its base."""
FLOAT_OF: Final = len(WHOLE)
INT_OF: Final = FLOAT_OF + 1


def _text_at(address: int, n: int) -> str:
    return "".join(map(chr, (ctypes.c_int64 * n).from_address(address)))


def _put_text(address: int, text: str) -> int:
    """Write the letters of a text, and return their number."""
    (ctypes.c_int64 * len(text)).from_address(address)[:] = list(map(ord, text))
    return len(text)


def _whole(address: int, n: int, how: int) -> Any:
    """Return a number that a text gives, or write the text that it gives in its place."""
    text = _text_at(address, n)
    if how >= FLOAT_OF:
        return float(text) if how == FLOAT_OF else int(text, how - INT_OF)
    found = getattr(text, WHOLE[how])()
    return _put_text(address, found) if isinstance(found, str) else found


def _spelled(value: Any, address: int) -> int:
    """Write a number as a text, by the format that is there: its length, then its letters."""
    n = ctypes.c_int64.from_address(address).value
    return _put_text(address, format(value, _text_at(address + 8, n)))


def _formatted(address: int) -> int:
    """Write a text by a format: the length of the format and its letters are before the text's."""
    n = ctypes.c_int64.from_address(address).value
    at = address + 8 * (n + 1)
    text = _text_at(at + 8, ctypes.c_int64.from_address(at).value)
    return _put_text(address, format(text, _text_at(address + 8, n)))


# What can be asked: a function, and how its words are read: floats, ints, unsigned ints. The place
# of a question is its number.
QUESTIONS: Final[tuple[tuple[str, Callable[..., Any], str], ...]] = (
    ("power", operator.pow, "ff"),
    *(
        (name, getattr(operator, name), how)
        for name in ("truediv", "floordiv", "mod")
        for how in ("ii", "ui", "iu", "uu")
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
    ("raised", lambda address, row: RAISED[0](address, row), "ii"),
    ("whole", _whole, "iii"),
    *(("spelled", _spelled, how) for how in ("fi", "ii", "ui")),
    ("formatted", _formatted, "i"),
)
NUMBERS: Final = {(name, how): i for i, (name, _, how) in enumerate(QUESTIONS)}


def _answer(question: int, x: int, y: int, out: Any) -> int:
    try:
        _, function, how = QUESTIONS[question]
        words = (x, y, out[0])[: len(how)]
        found = function(*(_READ[k](v) for k, v in zip(how, words, strict=True)))
        if isinstance(found, int) and not -(2**63) <= found < 2**63:
            return WIDE
        out[0] = _word(found)
    except ArithmeticError as error:
        return 2 if isinstance(error, ZeroDivisionError) else 3
    except ValueError:
        return 4
    return 0


ANSWER: Final = Answer(_answer)
