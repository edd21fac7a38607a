"""Read decimals exactly; refuse numbers that a float would round to 0."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from graphs.arguments import shown
from graphs.limits import NUMBER_LETTERS

LARGEST_EXPONENT: Final = 308
"""The largest exponent of a float."""
_EXPONENT: Final = re.compile(r"e[+-]?0*([0-9_]*)\s*$", re.IGNORECASE)
_NONZERO: Final = re.compile(r"[^e]*[1-9]", re.IGNORECASE)


def exact(text: str) -> Fraction:
    """Return the exact number that a text writes: a decimal or a fraction.

    Raises: ValueError, one line, also if the exponent is too large.

    >>> exact("0.58"), exact("1/3")
    (Fraction(29, 50), Fraction(1, 3))
    >>> exact("1e-400")
    Traceback (most recent call last):
        ...
    ValueError: '1e-400' has an exponent beyond 308
    """
    if len(text) > NUMBER_LETTERS:
        raise ValueError(f"{text[:20]}… has more than {NUMBER_LETTERS} characters")
    power = _EXPONENT.search(text)
    digits = power[1].replace("_", "") if power else ""
    if len(digits) > 3 or int(digits or 0) > LARGEST_EXPONENT:
        raise ValueError(f"{shown(text)} has an exponent beyond {LARGEST_EXPONENT}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{shown(text)} is not a number") from None


def lost(text: str) -> bool:
    """Return whether a decimal is so small that a float would read it as 0.

    A number that is too large is read as infinity, which no argument accepts.

    >>> lost("1e-400"), lost("0e-400"), lost("1e-300")
    (True, False, False)
    """
    return float(text) == 0 and _NONZERO.match(text) is not None
