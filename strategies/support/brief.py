"""The brief repr of a value: its class, and the first line of its text."""

from __future__ import annotations

from graphs.limits import BRIEF_LETTERS


def brief(value: object) -> str:
    """Return the ``repr`` of a value that is too large for an expression: ``<Name: first line>``.

    Requires: a class that defines ``__str__``.

    >>> from strategies.searches.solution import Solution
    >>> Solution(low=2, high=6)
    <Solution: between 2 and 6>
    """
    line = str(value).partition("\n")[0]
    cut = line if len(line) <= BRIEF_LETTERS else line[:BRIEF_LETTERS] + "…"
    return f"<{type(value).__name__}: {cut}>"
