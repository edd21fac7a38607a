"""The brief form of a value that no expression writes: its class, and what it tells first."""

from __future__ import annotations

from typing import Final

MOST: Final = 120
"""Characters of the line; a longer one is cut."""


def brief(value: object) -> str:
    """Return the ``repr`` of a value that holds too much to be written: ``<Name: its first line>``.

    Requires: a class with a ``__str__`` of its own.

    >>> from strategies.searches.solution import Solution
    >>> Solution(low=2, high=6)
    <Solution: between 2 and 6>
    """
    line = str(value).partition("\n")[0]
    return f"<{type(value).__name__}: {line if len(line) <= MOST else line[:MOST] + '…'}>"
