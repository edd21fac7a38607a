"""Writes rows of texts as tables: in columns, as CSV, and in HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from io import StringIO
from itertools import count
from typing import Any


def columns(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Align rows of cells in columns: to the left in the columns `left`, else to the right.

    >>> columns([["a", "n"], ["bc", "10"]])
    ['a    n', 'bc  10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
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


def data_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return rows with the same names as a DataFrame of pandas.

    Raises: ImportError, which says what to install.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError("to_pandas() needs pandas: pip install pandas") from None
    return pandas.DataFrame(list(rows))
