"""Boards as text: one character per cell, rows from the top, blanks ignored."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from string import digits

from attrs import frozen

from games.text_places import end_of, place_of, places_in
from graphs.arguments import shown
from graphs.errors import MalformedError

MAXIES, MINNIES, EMPTY = "X", "O", "."
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def is_board_text(text: str) -> bool:
    """Return whether `text` is a board rather than a row of moves.

    >>> is_board_text("X . O"), is_board_text("4453")
    (True, False)
    """
    return any(c in text.upper() for c in (MAXIES, MINNIES, EMPTY))


@frozen
class BoardText:
    """The rows of a board, and the place of each cell in its text."""

    rows: tuple[str, ...]
    places: tuple[tuple[str, ...], ...]

    def first_line(self, mark: str, length: int) -> str | None:
        """Return the place where a line of `length` equal marks begins; None if there is none.

        >>> read_board_text("X O\\nO X", 2, 2).first_line("O", 2)
        'line 1, column 3'
        """
        high, wide = len(self.rows), len(self.rows[0])
        for r, c, (down, right) in product(range(high), range(wide), STEPS):
            cells = ((r + k * down, c + k * right) for k in range(length))
            if all(y < high and 0 <= x < wide and self.rows[y][x] == mark for y, x in cells):
                return self.places[r][c]
        return None

    def check_turns(self) -> None:
        """Check that two alternating players, Maxie (X) first, can have made the board.

        Raises: ValueError, at the first surplus mark.
        """
        marks = [
            (mark, place)
            for row, places in zip(self.rows, self.places, strict=True)
            for mark, place in zip(row, places, strict=True)
        ]
        maxies, minnies = ([place for m, place in marks if m == mark] for mark in (MAXIES, MINNIES))
        surplus = maxies[len(minnies) + 1 :] or minnies[len(maxies) :]
        if surplus:
            raise MalformedError(
                f"{surplus[0]}: {len(maxies)} X and {len(minnies)} O; "
                "X begins, so there must be as many X as O, or one more"
            )


def read_board_text(text: str, width: int, height: int) -> BoardText:
    """Read a board of X, O and dots; a row ends with ``/`` or a line break.

    Row and column numbers, before or after a row or on a separate line, are ignored.

    Raises: ValueError, with line and column, for a wrong character or a wrong number of cells.

    >>> read_board_text("X . O\\n. X .\\n1 2 3", 3, 2).rows
    ('X.O', '.X.')
    """
    rows: list[str] = []
    places: list[tuple[str, ...]] = []
    start, place_in = 0, places_in(text)
    for part in re.split("([\n/])", text):
        cells = _cells(text, start, start + len(part), place_in) if part != "/" else []
        start += len(part)
        if cells and len(cells) != width:
            place = cells[width][1] if len(cells) > width else end_of(text[:start])
            raise MalformedError(f"{place}: {len(cells)} cells where the board has {width}")
        if cells and len(rows) == height:
            raise MalformedError(f"{cells[0][1]}: more rows than the board's {height}")
        if cells:
            rows.append("".join(mark for mark, _ in cells))
            places.append(tuple(place for _, place in cells))
    if len(rows) != height:
        raise MalformedError(f"{end_of(text)}: {len(rows)} rows where the board has {height}")
    return BoardText(tuple(rows), tuple(places))


def _cells(text: str, start: int, stop: int, place: Callable[[int], str]) -> list[tuple[str, str]]:
    """Read the marks of one row and their places; a number between two marks is an error."""
    cells: list[tuple[str, str]] = []
    between: int | None = None
    for index in range(start, stop):
        c = text[index]
        mark = c.upper()
        if mark in (MAXIES, MINNIES, EMPTY):
            if between is not None:
                raise _no_mark(text, between)
            cells.append((mark, place(index)))
        elif c in digits:
            between = index if cells and between is None else between
        elif not c.isspace():
            raise _no_mark(text, index)
    return cells


def _no_mark(text: str, index: int) -> ValueError:
    return MalformedError(f"{place_of(text, index)}: {shown(text[index])} is not one of X O .")
