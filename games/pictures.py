"""Boards as text: one character a cell, rows from the top, blanks ignored; and their places."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from string import digits

from attrs import frozen

MAXIES, MINNIES, EMPTY = "X", "O", "."
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def is_picture(text: str) -> bool:
    """Whether `text` is a picture of a board, and not a row of moves.

    >>> is_picture("X . O"), is_picture("4453")
    (True, False)
    """
    return any(c in text.upper() for c in (MAXIES, MINNIES, EMPTY))


def place_of(text: str, index: int) -> str:
    """Where a character of a text stands, as messages say it.

    >>> place_of("ab\\ncd", 3)
    'line 2, column 1'
    """
    return (
        f"line {text.count(chr(10), 0, index) + 1}, column {index - text.rfind(chr(10), 0, index)}"
    )


def label_in(text: str, pattern: re.Pattern[str], example: str) -> re.Match[str]:
    """The label that a text is, blanks around it apart.

    Raises: ValueError, with line and column and the example, for another text.

    >>> label_in(" 12 ", re.compile(r"\\d+"), "7")[0]
    '12'
    """
    blank = len(text) - len(text.lstrip())
    found = pattern.fullmatch(text.rstrip(), blank)
    if found is None:
        raise ValueError(f"{place_of(text, blank)}: {text.strip()!r} is no label, as {example}")
    return found


def end_of(text: str) -> str:
    """The place just behind a text, where what is missing should stand."""
    return place_of(text, len(text.rstrip()))


@frozen
class Picture:
    """The rows of a board, and the place of each cell in the text that drew it."""

    rows: tuple[str, ...]
    places: tuple[tuple[str, ...], ...]

    def first_line(self, mark: str, length: int) -> str | None:
        """Where so many of a mark in line begin; None if they do nowhere.

        >>> read_picture("X O\\nO X", 2, 2).first_line("O", 2)
        'line 1, column 3'
        """
        high, wide = len(self.rows), len(self.rows[0])
        for r, c, (down, right) in product(range(high), range(wide), STEPS):
            cells = ((r + k * down, c + k * right) for k in range(length))
            if all(y < high and 0 <= x < wide and self.rows[y][x] == mark for y, x in cells):
                return self.places[r][c]
        return None

    def check_turns(self) -> None:
        """Refuses what two players who alternate, Maxie (X) first, cannot have made.

        Raises: ValueError, at the first mark that is one too many.
        """
        marks = [
            (mark, place)
            for row, places in zip(self.rows, self.places, strict=True)
            for mark, place in zip(row, places, strict=True)
        ]
        maxies, minnies = ([place for m, place in marks if m == mark] for mark in (MAXIES, MINNIES))
        surplus = maxies[len(minnies) + 1 :] or minnies[len(maxies) :]
        if surplus:
            raise ValueError(
                f"{surplus[0]}: {len(maxies)} X and {len(minnies)} O: "
                "X, who begins, has as many or one more"
            )


def read_picture(text: str, width: int, height: int) -> Picture:
    """The picture that a text of X, O and dots draws; ``/`` ends a row, as the end of a line does.

    Numbers of rows and columns, before or behind a row or in a line of their own, are passed over.

    Raises: ValueError, with line and column, for a wrong character or a wrong number of cells.

    >>> read_picture("X . O\\n. X .\\n1 2 3", 3, 2).rows
    ('X.O', '.X.')
    """
    rows: list[str] = []
    places: list[tuple[str, ...]] = []
    start = 0
    for part in re.split("([\n/])", text):
        cells = _cells(text, start, start + len(part)) if part != "/" else []
        start += len(part)
        if cells and len(cells) != width:
            place = cells[width][1] if len(cells) > width else end_of(text[:start])
            raise ValueError(f"{place}: {len(cells)} cells where the board has {width}")
        if cells and len(rows) == height:
            raise ValueError(f"{cells[0][1]}: one row more than the board's {height}")
        if cells:
            rows.append("".join(mark for mark, _ in cells))
            places.append(tuple(place for _, place in cells))
    if len(rows) != height:
        raise ValueError(f"{end_of(text)}: {len(rows)} rows where the board has {height}")
    return Picture(tuple(rows), tuple(places))


def _cells(text: str, start: int, stop: int) -> list[tuple[str, str]]:
    """The marks of one row and their places; a number between two marks is none."""
    cells: list[tuple[str, str]] = []
    between: int | None = None
    for index in range(start, stop):
        c = text[index]
        mark = c.upper()
        if mark in (MAXIES, MINNIES, EMPTY):
            if between is not None:
                raise _no_mark(text, between)
            cells.append((mark, place_of(text, index)))
        elif c in digits:
            between = index if cells and between is None else between
        elif not c.isspace():
            raise _no_mark(text, index)
    return cells


def _no_mark(text: str, index: int) -> ValueError:
    return ValueError(f"{place_of(text, index)}: {text[index]!r} is not one of X O .")


def text_of(path: str) -> str:
    """The text of a file of a user's, in UTF-8.

    Raises: ValueError, one line, with line and column for what is no text; for what cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        raise ValueError(f"{place_of(before, len(before))}: this is no text in UTF-8") from None


def placed_words(text: str, blanks: str = "") -> list[tuple[str, str]]:
    """The words of a text, each with where it stands; the characters of `blanks` part words too.

    >>> placed_words("3-4\\n X", blanks="-")
    [('3', 'line 1, column 1'), ('4', 'line 1, column 3'), ('X', 'line 2, column 2')]
    """
    word = re.compile(rf"[^\s{re.escape(blanks)}]+")
    return [(found.group(), place_of(text, found.start())) for found in word.finditer(text)]


def placed_characters(text: str) -> list[tuple[str, str]]:
    """The characters of a text that are not blank, each with where it stands.

    >>> placed_characters("4 5")
    [('4', 'line 1, column 1'), ('5', 'line 1, column 3')]
    """
    return [(c, place_of(text, k)) for k, c in enumerate(text) if not c.isspace()]


def count_at(word: str, place: str, most: int) -> int:
    """The number that a word of a text is, from 0 to `most`.

    Raises: ValueError that says where, and what would be right.
    """
    if not (word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= most):
        raise ValueError(f"{place}: {word!r} is not a number from 0 to {most}")
    return int(word)
