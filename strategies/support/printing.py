"""Prints sentences and tables: unchanged, fitted to a terminal by rich, or as HTML in notebooks.

Tables are also written as CSV, Markdown and LaTeX.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from io import StringIO
from itertools import accumulate, count, groupby
from typing import TYPE_CHECKING, Any, TextIO

from attrs import frozen

from graphs.limits import BRIEF_LETTERS

if TYPE_CHECKING:  # rich is loaded only where there is a terminal to draw on
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table as Drawn


NAMED = re.compile(r"\S+(?: \S+)*  +(?=\S)|\s*")
"""The name before a fact, with the following spaces; or the indent of a line."""
NARROWEST = 20
"""The least width to which a column of words folds, unless even one more column has no room."""


class Printed:
    """The base class of objects that print as sentences and tables, fitted to a terminal."""

    __slots__ = ()

    def parts(self) -> Iterable[object]:
        """Return the parts to print, from top to bottom: texts, tables, other `Printed` objects."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(map(str, self.parts()))

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        return drawn(self.parts(), options.max_width)

    def _repr_html_(self) -> str:
        """Return the parts as HTML for notebooks: preformatted text, and tables."""
        parts: list[str] = []
        for text, group in groupby(self.parts(), lambda part: isinstance(part, (str, Note))):
            if not text:
                parts += (part._repr_html_() for part in group)  # type: ignore[attr-defined]
            elif lines := "\n".join(map(str, group)).strip("\n"):
                parts.append(preformatted(lines))
        return "".join(parts)


@frozen
class Table:
    """Rows of cells in columns, the header first: words in the columns `left`, else numbers.

    Ensures: in a narrow terminal, words fold, before a method or after a blank if they can; if that
    is not enough, the columns are split into parts of about the same number, each with the columns
    that identify the rows.  Nothing is left out, and no number folds if its column alone fits.

    >>> print(Table([["a", "n"], ["bc", "10"]], ruled=True))
    a    n
    --  --
    bc  10
    """

    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    ruled: bool = False
    """Whether the text has a line of dashes below the header."""

    def __str__(self) -> str:
        head, *rest = columns(self.rows, self.left)
        rule = "  ".join("-" * width for width in _widths(self.rows))
        return "\n".join([head, *[rule] * self.ruled, *rest])

    def _repr_html_(self) -> str:
        """Return the table as HTML for notebooks."""
        head, *rows = self.rows
        return html_table(head, rows, self.left)

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        widths, width = _widths(self.rows), options.max_width
        if _taken(widths) <= width:
            yield self._drawn(range(len(widths)), widths)
            return
        # Headers fold between their words; the cells below fold only if they are words too.
        broken = [[max(head.split(), key=len, default="") for head in self.rows[0]]]
        least = [
            min(NARROWEST, widths[i]) if i in self.left else narrow
            for i, narrow in enumerate(_widths([*broken, *self.rows[1:]]))
        ]
        for number, part in enumerate(self._parts(least, width)):
            if number:
                yield ""
            yield self._drawn(part, least)

    def _parts(self, widths: Sequence[int], room: int) -> list[list[int]]:
        """Return the columns of each part, the columns that identify the rows first."""
        count, rows = len(widths), self.rows[1:]
        apart = (n for n in range(count) if len({tuple(row[:n]) for row in rows}) == len(rows))
        keys = next(apart, 1)
        if _taken([*widths[:keys], max(widths[keys:], default=0)]) > room:
            keys = 1
        every = range(keys, count)
        greedy = list(_parts(widths, keys, every, room, count))
        for most in range(-(-len(every) // len(greedy)), count):  # as many parts, of equal length
            even = list(_parts(widths, keys, every, room, most))
            if len(even) == len(greedy):
                return even
        return greedy

    def _drawn(self, numbers: Iterable[int], widths: Sequence[int]) -> Drawn:
        from rich.box import SIMPLE_HEAD
        from rich.padding import Padding
        from rich.table import Table as Drawn

        # Each column but the first starts with a blank, because versions of rich differ in the
        # width that they compute for a table with padding.
        table = Drawn(box=SIMPLE_HEAD, show_edge=False, padding=0)
        cells: list[list[Padding]] = []
        for i in numbers:
            blank = min(1, len(cells))
            column = [Padding(_cell(row[i], i in self.left), (0, 0, 0, blank)) for row in self.rows]
            if i in self.left:
                table.add_column(column[0])
            else:
                table.add_column(column[0], justify="right", width=widths[i] + blank)
            cells.append(column[1:])
        for row in zip(*cells, strict=True):
            table.add_row(*row)
        return table


def _parts(
    widths: Sequence[int], keys: int, every: Sequence[int], room: int, most: int
) -> Iterator[list[int]]:
    """Yield parts of the columns `every`, filled from the left, each with at most `most` of them
    after the first `keys` columns."""
    part = list(range(keys))
    for column in every:
        wide = _taken([widths[i] for i in [*part, column]]) > room
        if len(part) > keys and (wide or len(part) == keys + most):
            yield part
            part = part[:keys]
        part = [*part, column]
    yield part


def width_of(text: str) -> int:
    """Return how many characters wide a terminal shows a text.

    >>> width_of("move"), width_of("王手"), width_of("e\N{COMBINING ACUTE ACCENT}")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def folded(text: str, width: int) -> str:
    """Break a text into lines of at most `width` characters, before a method or after a blank if
    possible.

    >>> folded("jamboree(0.5).to_ply(2)", 20), folded("a bc", 3), folded("abcdef", 4)
    ('jamboree(0.5)\\n.to_ply(2)', 'a \\nbc', 'abcd\\nef')
    """
    lines = [""]
    for piece in re.split(r"(?=\.[^\W\d])|(?<= )", text):
        if lines[-1] and width_of(lines[-1] + piece) > width:
            lines.append("")
        while width_of(piece) > width:
            ends = enumerate(accumulate(map(width_of, piece)))
            fits = next(n for n, end in ends if end > width) or 1
            lines[-1], piece = piece[:fits], piece[fits:]
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _cell(text: str, words: bool) -> RenderableType:
    """Return a cell of a table; words fold to the width that their column gets."""
    from rich.measure import Measurement
    from rich.text import Text

    if not words:
        return Text(text, overflow="fold")

    class Words:
        def __rich_console__(
            self, console: Console, options: ConsoleOptions
        ) -> Iterator[RenderableType]:
            yield Text(folded(text, options.max_width), overflow="fold")

        def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
            return Measurement(1 if text else 0, width_of(text))

    return Words()


@frozen
class Note:
    """A paragraph: its lines as they are in plain text, filled to the width of a terminal."""

    lines: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __rich__(self) -> RenderableType:
        from rich.text import Text

        return Text(" ".join(self.lines))


def drawn(parts: Iterable[object], width: int) -> Iterator[RenderableType]:
    """Yield the parts as rich renderables, in lines of `width` characters.

    Ensures: a longer line of text continues below its value, or below its first word.
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
    """Return a rich console on a stream; without colours if `NO_COLOR` is set.

    It never hides the cursor, because a killed process could not show it again.
    """
    from rich.console import Console

    class Shown(Console):
        def show_cursor(self, show: bool = True) -> bool:
            return False

    return Shown(file=stream, color_system=None if os.environ.get("NO_COLOR") else "auto")


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in zip(*rows, strict=True)]


def _taken(widths: Sequence[int]) -> int:
    """Return the width of a table with two spaces between its columns."""
    return sum(widths) + 2 * (len(widths) - 1)


def columns(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Align rows of cells in columns: to the left in the columns `left`, else to the right.

    >>> columns([["a", "n"], ["bc", "10"]])
    ['a    n', 'bc  10']
    """
    widths = _widths(rows)

    def aligned(cell: str, width: int, to_left: bool) -> str:
        blank = " " * (width - width_of(cell))
        return cell + blank if to_left else blank + cell

    return [
        "  ".join(
            aligned(cell, width, i in left)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def csv_text(names: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return CSV text: a line of names, and a line for each row.

    >>> csv_text(["a", "n"], [["b,c", 10]])
    'a,n\\n"b,c",10\\n'
    """
    import csv

    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def html_table(
    head: Iterable[str], rows: Iterable[Iterable[str]], left: Collection[int] = (0,)
) -> str:
    """Return a table as HTML, for notebooks, with cells aligned as by `columns`.

    >>> html_table(["a"], [["<b>"]]).partition("<tbody>")[2]
    '<tr><td style="text-align:left">&lt;b&gt;</td></tr></tbody></table>'
    """

    def row(cells: Iterable[str], tag: str) -> str:
        sides = ("left" if i in left else "right" for i in count())
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>'
            for cell, side in zip(cells, sides, strict=False)
        )

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    return f"<table><thead><tr>{row(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def markdown(cells: Sequence[Sequence[str]]) -> str:
    """Write rows of cells, the head first, as a Markdown table with numbers aligned right.

    >>> print(markdown([["strategy", "time"], ["a|b", "0.5"]]))
    | strategy | time |
    |---|---:|
    | a\\|b | 0.5 |
    """
    head, *rows = [[cell.replace("|", r"\|") for cell in row] for row in cells]
    rule = "|" + "|".join(["---", *["---:"] * (len(head) - 1)]) + "|"
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head]] + [rule]
                     + ["| " + " | ".join(row) + " |" for row in rows])  # fmt: skip


LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "…": r"\ldots{}",
})  # fmt: skip


def latex(cells: Sequence[Sequence[str]]) -> str:
    """Write rows of cells, the head first, as a LaTeX `tabular` with the rules of booktabs.

    >>> print(latex([["share", "time"], ["54%", "0.5"]]))
    \\begin{tabular}{lr}
    \\toprule
    share & time \\\\
    \\midrule
    54\\% & 0.5 \\\\
    \\bottomrule
    \\end{tabular}
    """
    head, *rows = ["".join(f" & {c.translate(LATEX)}" for c in row)[3:] + r" \\" for row in cells]
    sides = "l" + "r" * (len(cells[0]) - 1)
    return "\n".join([rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule", *rows,
                      r"\bottomrule", r"\end{tabular}"])  # fmt: skip


def data_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return rows with the same names as a DataFrame of pandas.

    Raises: ImportError, which says what to install.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError("to_pandas() needs pandas: pip install pandas") from None
    return pandas.DataFrame(list(rows))


def preformatted(says: str) -> str:
    """Return the HTML of preformatted text whose long lines wrap between words.

    The font is named, because JupyterLab shows a bare `pre` in the font of its sentences.

    >>> preformatted("a < b")
    '<pre style="white-space:pre-wrap;font-family:monospace">a &lt; b</pre>'
    """
    return f'<pre style="white-space:pre-wrap;font-family:monospace">{escape(says)}</pre>'


class Text(str):
    """A text of several lines, which a notebook shows line by line instead of its repr."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return preformatted(self)


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
