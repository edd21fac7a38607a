"""Prints sentences and tables: whole, or, by rich at a terminal, as wide as that is."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from attrs import frozen

from strategies.support.tables import columns

if TYPE_CHECKING:  # rich is loaded only where there is a terminal to draw on
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table as Drawn

NAMED = re.compile(r"\S+(?: \S+)*  +(?=\S)|\s*")
"""The name in front of a fact, with the space up to it; or how far a line is indented."""
NARROWEST = 16
"""A column of words folds to no less, unless even one column beside it has no room."""


class Printed:
    """What prints as sentences and tables, which fit the width of a terminal."""

    __slots__ = ()

    def parts(self) -> Iterable[object]:
        """Return what is printed, one below the other: texts, tables, and others of this class."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(map(str, self.parts()))

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        return drawn(self.parts(), options.max_width)


@frozen
class Table:
    """Rows of cells in columns, heads first: words in the columns `left`, else numbers.

    Ensures: where a terminal is too narrow, words fold; if that is not enough the columns come in
    parts, each with those that tell the rows apart.  Nothing is left out, and no number folds
    where it has room alone.

    >>> print(Table([["a", "n"], ["bc", "10"]], ruled=True))
    a    n
    --  --
    bc  10
    """

    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    ruled: bool = False
    """Whether the text has a line of dashes below the heads."""

    def __str__(self) -> str:
        head, *rest = columns(self.rows, self.left)
        rule = "  ".join("-" * width for width in _widths(self.rows))
        return "\n".join([head, *[rule] * self.ruled, *rest])

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        widths, width = _widths(self.rows), options.max_width
        if _taken(widths) <= width:
            yield self._drawn(range(len(widths)), widths)
            return
        # Heads fold between their words; what stands below them does not, unless it is words too.
        broken = [[max(head.split(), key=len, default="") for head in self.rows[0]]]
        least = [
            min(NARROWEST, widths[i]) if i in self.left else narrow
            for i, narrow in enumerate(_widths([*broken, *self.rows[1:]]))
        ]
        for number, part in enumerate(self._parts(least, width)):
            if number:
                yield ""
            yield self._drawn(part, least)

    def _parts(self, widths: Sequence[int], room: int) -> Iterator[list[int]]:
        """The columns of each part, which has those in front that tell the rows apart."""
        count, rows = len(widths), self.rows[1:]
        apart = (n for n in range(count) if len({tuple(row[:n]) for row in rows}) == len(rows))
        keys = next(apart, 1)
        if _taken([*widths[:keys], max(widths[keys:], default=0)]) > room:
            keys = 1
        part = list(range(keys))
        for column in range(keys, count):
            if len(part) > keys and _taken([widths[i] for i in [*part, column]]) > room:
                yield part
                part = part[:keys]
            part = [*part, column]
        yield part

    def _drawn(self, numbers: Iterable[int], widths: Sequence[int]) -> Drawn:
        from rich.box import SIMPLE_HEAD
        from rich.padding import Padding
        from rich.table import Table as Drawn
        from rich.text import Text

        # Each column but the first has a blank of its own: versions of rich differ in how wide
        # they take a table to be whose padding is its own.
        table = Drawn(box=SIMPLE_HEAD, show_edge=False, padding=0)
        cells: list[list[Padding]] = []
        for i in numbers:
            blank = min(1, len(cells))
            column = [Padding(Text(row[i], overflow="fold"), (0, 0, 0, blank)) for row in self.rows]
            if i in self.left:
                table.add_column(column[0])
            else:
                table.add_column(column[0], justify="right", width=widths[i] + blank)
            cells.append(column[1:])
        for row in zip(*cells, strict=True):
            table.add_row(*row)
        return table


def drawn(parts: Iterable[object], width: int) -> Iterator[RenderableType]:
    """Yield what rich draws of texts, tables and others, in lines of `width` characters.

    Ensures: a line of text that is longer goes on under the value that it tells, or under its
    first word.
    """
    from rich.table import Column
    from rich.table import Table as Drawn
    from rich.text import Text

    for part in parts:
        if not isinstance(part, str):
            yield part  # type: ignore[misc]  # a table, or of the class that says how it is drawn
            continue
        for line in part.split("\n"):
            text = Text.from_ansi(line)
            named = NAMED.match(text.plain)
            margin = named.end() if named else 0
            if 0 < margin < width // 2 and text.cell_len > width:
                grid = Drawn.grid(Column(width=margin), Column(overflow="fold"))
                grid.add_row(*text.divide([margin]))
                yield grid
            else:
                yield text


def console(stream: TextIO) -> Console:
    """Return the console of rich on a stream; without colours where `NO_COLOR` is set.

    Its cursor is never hidden: a process that is killed could not show it again.
    """
    from rich.console import Console

    class Shown(Console):
        def show_cursor(self, show: bool = True) -> bool:
            return False

    return Shown(file=stream, color_system=None if os.environ.get("NO_COLOR") else "auto")


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _taken(widths: Sequence[int]) -> int:
    """How wide a table is, with two spaces between its columns."""
    return sum(widths) + 2 * (len(widths) - 1)
