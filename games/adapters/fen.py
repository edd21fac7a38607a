"""Find what is wrong, and where, in a text that is not a position in Forsyth-Edwards notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.text_places import end_of, place_of, placed_words
from graphs.arguments import shown

PIECES: Final = "KQRBNPkqrbnp"
NUMBERS: Final = "12345678"
FIELDS: Final = (
    "eight rows of squares", "the side to move, w or b",
    "rights to castle, - or some of KQkq or of the rooks' files, as in HAha",
    "a square to capture en passant, - or such as e3", "a number of plies without a capture",
    "the number of the move",
)  # fmt: skip
FIELD_OF: Final = {"opposite_check": 1, "bad_castling_rights": 2, "invalid_ep_square": 3}
"""The wrong field for each fault of a position; the default is the squares."""


def unreadable(text: str, read: Callable[[str], object]) -> str:
    """Return the first fault of a text, in a line that begins with its place.

    Requires: `read` raises ValueError for the text, and whether it reads the first fields of a text
    does not depend on the others.

    >>> unreadable("8/8/8/8/8/8/8/KX5k w - -", int)
    "line 1, column 16: 'X' is neither a piece, one of KQRBNPkqrbnp, nor a number of empty squares"
    """
    words = placed_words(text)
    if not words:
        return f"{end_of(text)}: no position of chess, which begins with {FIELDS[0]}"
    squares, place = words[0]
    fault = wrong_square(squares)
    if fault is not None:
        return f"{place_of(text, text.index(squares) + fault[0])}: {fault[1]}"
    for k, what in enumerate(FIELDS):
        word, place = words[k]
        try:
            read(" ".join(word for word, _ in words[: k + 1]))
        except ValueError:
            return f"{place}: {shown(word)} is not {what}"
    word, place = words[len(FIELDS)]
    return f"{place}: {shown(word)} stands behind {FIELDS[-1]}, where a position of chess ends"


def wrong_square(squares: str) -> tuple[int, str] | None:
    """Find the first fault of the field of squares, and its character; None if there is none.

    >>> wrong_square("rnbqkbnr/ppppppp")
    (16, 'row 2 has 7 squares where a board has 8')
    """
    row, wide, before = 1, 0, "/"
    for k, c in enumerate(squares):
        if c == "/":
            if wide != 8:
                return k, f"row {row} has {wide} squares where a board has 8"
            row, wide = row + 1, 0
        elif c == "~":
            if before not in PIECES:
                return k, "'~' marks a promoted piece, and stands behind one"
        elif c in NUMBERS:
            if before in NUMBERS:
                return k, "two numbers side by side"
            wide += int(c)
        elif c in PIECES:
            wide += 1
        else:
            return (
                k,
                f"{shown(c)} is neither a piece, one of {PIECES}, nor a number of empty squares",
            )
        if row > 8 or wide > 8:
            return k, "one square more than a board has in a row" if wide > 8 else "a ninth row"
        before = c
    if wide != 8:
        return len(squares), f"row {row} has {wide} squares where a board has 8"
    return None if row == 8 else (len(squares), f"{row} rows where a board has 8")


def unplayable(text: str, faults: list[str]) -> str:
    """Return why a readable position cannot be played, at the first wrong field.

    >>> unplayable("8/8/8/8/8/8/8/K6k w KQ - 0 1", ["bad_castling_rights"])
    'line 1, column 21: no position of chess: bad castling rights'
    """
    words = placed_words(text)
    place = words[min(FIELD_OF.get(name, 0) for name in faults)][1]
    return f"{place}: no position of chess: {', '.join(faults).replace('_', ' ')}"
