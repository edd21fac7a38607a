"""Boards to look at: rows of cells, drawn as SVG in the colours of the text around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from typing import Final

from attrs import field, frozen

from graphs.arguments import check_kind, shown
from graphs.errors import ArgumentError, printable
from graphs.limits import BOARD_CELLS

LOOKS: Final = ("signs", "discs", "tiles")
EMPTY: Final = ("", " ", ".")
"""The texts of a cell without anything in it."""
WALL: Final = "#"
CELL, GAP, LETTER = 28, 6, 9
"""The pixels of a cell, around a text, and of a letter in it."""
HUES: Final = ("#c67c00", "#3a7bd5")
"""The colours of Maxie's and Minnie's discs, for colour-blind readers, too."""
DIGITS = 9
"""The most digits of a number that is a tile."""
DOUBLINGS = 16
"""The doublings of a tile from the palest to the strongest colour."""


def _rows(rows: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, rows))


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


@frozen
class Board:
    """A board as rows of cells, from the top; `Game.picture` returns one for a position.

    A cell is a short text: ``"."`` is empty and ``"#"`` a wall.  By the `look`, X and O are crosses
    and rings ("signs") or discs of two colours ("discs"), and numbers are coloured by their size
    ("tiles"); other texts are written.  `columns` are the names below the board, `lines` those to
    its right, and `below` is a text under it.

    Requires: a row or more, all of the same length; or ArgumentError.

    >>> Board(["X.", ".O"]).rows
    (('X', '.'), ('.', 'O'))
    """

    rows: Sequence[Sequence[str]] = field(converter=_rows)
    look: str = "signs"
    columns: Sequence[str] = field(default=(), converter=_names)
    lines: Sequence[str] = field(default=(), converter=_names)
    below: str = ""

    def __attrs_post_init__(self) -> None:
        if self.look not in LOOKS:
            raise ArgumentError(f"look must be one of {', '.join(LOOKS)}, not {shown(self.look)}")
        if not self.rows or not self.rows[0] or len(set(map(len, self.rows))) > 1:
            raise ArgumentError("the rows of a board have the same number of cells, one or more")
        for cell in chain(*self.rows):
            check_kind(str, "a text", cell=cell)

    @staticmethod
    def of_text(text: str) -> Board | None:
        """Read the board that the first lines of a text show; None if they show none.

        Such lines have one character for each cell, with or without blanks between all of them, and
        all have as many.  A board has four cells or more; a single row has blanks between them.

        >>> Board.of_text("X . O\\n. . X\\nO moves")
        Board(rows=(('X', '.', 'O'), ('.', '.', 'X')), look='signs', columns=(), lines=(), ...)
        >>> Board.of_text("3 points") is None
        True
        """
        lines = text.split("\n")
        spaced = len(lines[0]) > 1 and lines[0][1] == " "
        size, rows = 0, list[Sequence[str]]()
        for line in lines:
            words = line.split() if spaced else list(line)
            if not words or (size or len(words)) != len(words) or _is_prose(words, line, spaced):
                break
            size = len(words)
            rows.append(words)
        if size * len(rows) < 4 or (len(rows) == 1 and not spaced):
            return None
        return Board(rows, below="\n".join(lines[len(rows) :]))

    def svg(self, says: str = "") -> str:
        """Return the board as SVG, which says `says` to those who cannot see it; "" if it has more
        than 1,600 cells.

        Ensures: lines and letters have the colour of the text around the picture, so that it can
        be read in light and dark pages.

        >>> Board(["X.", ".O"]).svg("X at the left").count("<path")
        3
        """
        high, wide = len(self.rows), len(self.rows[0])
        if high * wide > BOARD_CELLS:
            return ""
        letters = max(len(cell) for row in self.rows for cell in row)
        cell = max(CELL, LETTER * letters + 2 * GAP)
        right = LETTER * max(map(len, self.lines)) + GAP if self.lines else 0
        across, tall = cell * wide + right + 2, CELL * high + (18 if self.columns else 0) + 2
        parts = _cells(self, cell)
        grid = [f"M1 {1 + CELL * r}h{cell * wide}" for r in range(high + 1)]
        grid += [f"M{1 + cell * c} 1v{CELL * high}" for c in range(wide + 1)]
        names = [
            _letters(name, 1 + cell * c + cell / 2, CELL * high + 13, "small")
            for c, name in enumerate(self.columns)
        ]
        names += [
            _letters(name, 1 + cell * wide + right / 2, 1 + CELL * r + CELL / 2, "small")
            for r, name in enumerate(self.lines)
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" width="{across}" '
            f'height="{tall}" viewBox="0 0 {across} {tall}" role="img" '
            f'aria-label="{escape(printable(says))}" style="max-width:100%;height:auto" '
            f'font-family="system-ui,sans-serif" font-size="15" fill="currentColor" '
            'text-anchor="middle">'
            f'<path d="{"".join(grid)}" stroke="currentColor" stroke-opacity=".4" fill="none"/>'
            f"{''.join(parts)}{''.join(names)}</svg>"
        )


def _is_prose(words: Sequence[str], line: str, spaced: bool) -> bool:
    """Return whether a line is no row of cells."""
    if spaced:
        return any(len(word) != 1 for word in words)
    return " " in line


def _cells(board: Board, cell: int) -> list[str]:
    """Return the elements of what is in the cells."""
    marks: dict[str, list[tuple[float, float]]] = {"X": [], "O": [], WALL: []}
    parts = []
    for r, row in enumerate(board.rows):
        for c, text in enumerate(row):
            x, y = 1 + cell * c + cell / 2, 1 + CELL * r + CELL / 2
            if text.upper() in marks:
                marks[text.upper()].append((x, y))
            elif board.look == "tiles" and text.isdecimal() and len(text) <= DIGITS:
                parts.append(_tile(int(text), x, y, cell) + _letters(text, x, y))
            elif text.strip() not in EMPTY:
                parts.append(_letters(text, x, y))
    drawn = _walls(marks.pop(WALL), cell)
    for (name, places), hue in zip(marks.items(), HUES, strict=True):
        if places:
            drawn += _discs(name, places, hue) if board.look == "discs" else _signs(name, places)
    return drawn + parts


def _letters(text: str, x: float, y: float, size: str = "") -> str:
    small = ' font-size="11" fill-opacity=".75"' if size else ""
    return f'<text x="{x:g}" y="{y:g}" dy=".35em"{small}>{escape(printable(text))}</text>'


def _tile(number: int, x: float, y: float, cell: int) -> str:
    strength = 0.1 + 0.5 * min(number.bit_length() - 1, DOUBLINGS) / DOUBLINGS
    return (
        f'<rect x="{x - cell / 2 + 1:g}" y="{y - CELL / 2 + 1:g}" width="{cell - 2}" '
        f'height="{CELL - 2}" rx="4" fill="{HUES[0]}" fill-opacity="{strength:.2f}"/>'
    )


def _walls(places: Sequence[tuple[float, float]], cell: int) -> list[str]:
    if not places:
        return []
    each = (f"M{x - cell / 2:g} {y:g}h{cell}" for x, y in places)
    return [
        f'<path d="{"".join(each)}" stroke="currentColor" stroke-opacity=".55" '
        f'stroke-width="{CELL}"/>'
    ]


def _discs(name: str, places: Sequence[tuple[float, float]], hue: str) -> list[str]:
    """Return discs, each a dot of a thick pen; those of Minnie have a dot inside."""
    dots = "".join(f"M{x:g} {y:g}h0" for x, y in places)
    pens = [(hue, 22), ("#fff", 7)] if name == "O" else [(hue, 22)]
    return [
        f'<path d="{dots}" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round"/>'
        for colour, wide in pens
    ]


def _signs(name: str, places: Sequence[tuple[float, float]]) -> list[str]:
    """Return crosses, or rings."""
    one = "M{0:g} {1:g}m-7-7l14 14m0-14l-14 14" if name == "X" else "M{0:g} {1:g}m-8 0{2}"
    ring = "a8 8 0 1 0 16 0a8 8 0 1 0-16 0"
    lines = "".join(one.format(x, y, ring) for x, y in places)
    return [f'<path d="{lines}" stroke="currentColor" stroke-width="2.5" fill="none"/>']
