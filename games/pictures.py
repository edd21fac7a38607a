"""Boards as text: one character a cell, rows from the top, blanks ignored."""

from __future__ import annotations

import re

MAXIES, MINNIES, EMPTY = "X", "O", "."


def is_picture(text: str) -> bool:
    """Whether `text` is a picture of a board, and not a row of moves.

    >>> is_picture("X . O"), is_picture("4453")
    (True, False)
    """
    return any(c in text.upper() for c in (MAXIES, MINNIES, EMPTY))


def read_picture(text: str, width: int, height: int) -> list[str]:
    """The rows of a picture of X, O and dots; a line of column numbers is passed over.

    Raises: ValueError, with line and column, for a wrong character or a wrong number of cells.

    >>> read_picture("X . O\\n. X .\\n1 2 3", 3, 2)
    ['X.O', '.X.']
    """
    rows = []
    for number, line in enumerate(text.upper().splitlines(), 1):
        row = ""
        for column, c in enumerate(line, 1):
            if c in (MAXIES, MINNIES, EMPTY):
                row += c
            elif not c.isspace() and not c.isdigit():
                raise ValueError(f"line {number}, column {column}: {c!r} is not one of X O .")
        if row and len(row) != width:
            raise ValueError(f"line {number}: {len(row)} cells where the board has {width}")
        if row:
            rows.append(row)
    if len(rows) != height:
        raise ValueError(f"{len(rows)} rows where the board has {height}")
    return rows


def check_turns(rows: list[str]) -> None:
    """Refuses a picture that two players who alternate, Maxie (X) first, cannot have made."""
    maxies, minnies = (sum(row.count(c) for row in rows) for c in (MAXIES, MINNIES))
    if maxies - minnies not in (0, 1):
        raise ValueError(f"{maxies} X and {minnies} O: X, who begins, has as many or one more")


def placed_words(text: str, blanks: str = "") -> list[tuple[str, str]]:
    """The words of a text, each with where it stands; the characters of `blanks` part words too.

    >>> placed_words("3-4\\n X", blanks="-")
    [('3', 'line 1, column 1'), ('4', 'line 1, column 3'), ('X', 'line 2, column 2')]
    """
    word = re.compile(rf"[^\s{re.escape(blanks)}]+")
    return [
        (found.group(), f"line {number}, column {found.start() + 1}")
        for number, line in enumerate(text.splitlines(), 1)
        for found in word.finditer(line)
    ]


def count_at(word: str, place: str, most: int) -> int:
    """The number that a word of a text is, from 0 to `most`.

    Raises: ValueError that says where, and what would be right.
    """
    if not (word.isascii() and word.isdigit() and int(word[:9]) == int(word) <= most):
        raise ValueError(f"{place}: {word!r} is not a number from 0 to {most}")
    return int(word)
