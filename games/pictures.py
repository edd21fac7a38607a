"""Boards as text: one character a cell, rows from the top, blanks ignored."""

from __future__ import annotations

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
