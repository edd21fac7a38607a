"""Problems by name, as the command line calls them: ``queens:1000``."""

from __future__ import annotations

import re
from typing import Any

from games.problems.problem import Problem
from games.problems.queens import Queens
from graphs.arguments import shown
from graphs.errors import MalformedError

SIZE = re.compile(r"(:(?P<short>[0-9]{1,9})|\(n=(?P<long>[0-9]{1,9})\))?")
NAMES = {"queens": "n queens on an n by n board, none of which attacks another, as queens:1000"}
"""The description of each problem, by its name."""


def find_problem(text: str) -> Problem[Any]:
    """Return the problem that a text names: ``queens`` (8), ``queens:1000``, ``queens(n=1000)``.

    Raises: ValueError, one line.

    >>> find_problem("queens:20")
    Queens(n=20)
    """
    name = re.split("[:(]", text.strip())[0]
    if name not in NAMES:
        raise MalformedError(f"there is no problem {shown(name)}; problems: {' '.join(NAMES)}")
    found = SIZE.fullmatch(text.strip().removeprefix(name))
    if found is None:
        raise MalformedError(
            f"{shown(text)}: the number of queens must be a whole number, as in queens:1000"
        )
    size = found["short"] or found["long"]
    return Queens(int(size)) if size else Queens()
