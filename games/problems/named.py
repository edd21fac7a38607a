"""Problems by name, as the command line calls them: ``queens:1000``."""

from __future__ import annotations

from typing import Any

from games.problems.problem import Problem
from games.problems.queens import Queens

NAMES = {"queens": "n queens on an n by n board, none of which attacks another, as queens:1000"}
"""What each problem is, by its name."""


def find_problem(text: str) -> Problem[Any]:
    """The problem that a text names: ``queens`` (of 8), ``queens:1000`` or ``queens(n=1000)``.

    Raises: ValueError, one line.

    >>> find_problem("queens:20")
    Queens(n=20)
    """
    name, _, size = text.strip().replace("(n=", ":").removesuffix(")").partition(":")
    if name not in NAMES:
        raise ValueError(f"there is no problem {name!r}; problems: {' '.join(NAMES)}")
    if not size and ":" not in text:
        return Queens()
    if not size.isdecimal():
        raise ValueError(f"{text!r}: the number of queens is a whole number, as in queens:1000")
    return Queens(int(size))
