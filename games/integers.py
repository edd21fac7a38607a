"""Whole numbers that somebody gives: a wrong one is refused by name."""

from __future__ import annotations

from math import inf
from numbers import Integral
from reprlib import repr as short


def shown(value: object) -> str:
    """A value as a message shows it: in few characters.

    >>> shown(10**5000)
    'a number of very many digits'
    """
    try:
        return short(value)
    except ValueError:  # Python prints no int of more than some thousand digits
        return "a number of very many digits"


def check_integers(least: float = -inf, **numbers: object) -> None:
    """Checks that each is a whole number, `least` or more.

    Raises: ValueError, which names it.

    >>> check_integers(1, rounds=2, games=1)
    >>> check_integers(1, rounds=0.5)
    Traceback (most recent call last):
        ...
    ValueError: rounds is a whole number, 1 or more, not 0.5
    """
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, Integral) or int(number) < least:
            more = "" if least == -inf else f", {least} or more"
            raise ValueError(f"{name} is a whole number{more}, not {shown(number)}")
