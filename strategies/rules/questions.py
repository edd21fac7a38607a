"""Questions that machine code asks of Python, because they are rare and Python is the measure.

An answer is a status and a word. A status is 0, or the number of an exception in `ERRORS`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any, Final

from strategies.rules.messages import Complex, TooWide

POWER, DIVIDE = 1, 2  # DIVIDE has four: plus 1 for a first U64, plus 2 for a second

# Statuses that every program knows; those of a program's own errors follow.
ERRORS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (RuntimeError, "no error"),
    (KeyboardInterrupt, "stopped"),
    (ZeroDivisionError, "division by zero"),
    (OverflowError, "the result is too large"),
    (ValueError, "outside the domain of the function"),
    (RecursionError, "the rules call themselves too deeply"),
    (Complex, "the result is complex, which is not compiled"),
    (TooWide, "an int needs more than 64 bits"),
)
STOPPED, TOO_DEEP, COMPLEX, WIDE = 1, 5, 6, 7

# Errors of the compiler's own limits, which no `except` of a rule catches; and an OverflowError of an
# int beyond 64 bits.
LIMITS: Final = (MemoryError, RecursionError, KeyboardInterrupt)

Answer = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)
)


def _word(value: Any) -> int:
    if isinstance(value, float):
        return int(struct.unpack("q", struct.pack("d", value))[0])
    return int(value)


def _float(word: int) -> float:
    return float(struct.unpack("d", struct.pack("q", word))[0])


def _power(x: int, y: int) -> Any:
    return _float(x) ** _float(y)


def _divide(first: bool, second: bool) -> Callable[[int, int], float]:
    def divided(x: int, y: int) -> float:
        return (x % 2**64 if first else x) / (y % 2**64 if second else y)

    return divided


QUESTIONS: dict[int, Callable[[int, int], Any]] = {
    POWER: _power,
    **{DIVIDE + i: _divide(bool(i & 1), bool(i & 2)) for i in range(4)},
}


def _answer(question: int, x: int, y: int, out: Any) -> int:
    try:
        found = QUESTIONS[question](x, y)
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
