"""The parts of a page: headings, facts, tables and figures as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from strategies.insight.pictures.picture import Picture


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values, side by side."""
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in rows
    )
    return f'<dl class="facts">{items}</dl>'


def section(name: str, title: str, *inside: str, says: str = "") -> str:
    """A part of the page with its heading."""
    lead = f'<p class="lead">{escape(says)}</p>' if says else ""
    return f'<section id="{name}"><h2>{escape(title)}</h2>{lead}{"".join(inside)}</section>\n'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table; the columns of these numbers stand right."""
    right = set(numbers)

    def row(cells: Sequence[str], tag: str) -> str:
        found = (
            f"<{tag}{' class=num' if i in right else ''}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(found)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    whole = f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{whole}</div>'


def still(picture: Picture) -> str:
    """A picture as it is; where the page is narrower, it scrolls, by keys too."""
    return f'<div class="figure still" tabindex="0">{_bare(picture)}</div>'


def moving(picture: Picture, name: str) -> str:
    """A picture to zoom and pan; its tooltips become those of the page."""
    return (
        f'<div class="figure moving" id="{name}" tabindex="0" role="group" '
        f'aria-label="{escape(name)}: drag to pan, plus and minus to zoom">'
        f"{tools()}{_bare(picture)}</div>"
    )


def tools(*inside: str) -> str:
    """The bar of a figure that zooms: what it says, and its buttons."""
    buttons = (("in", "+", "zoom in"), ("out", "-", "zoom out"), ("fit", "fit", "show all"))
    found = "".join(
        f'<button type="button" data-do="{do}" title="{title}">{sign}</button>'
        for do, sign, title in buttons
    )
    return f'<div class="tools">{"".join(inside)}{found}</div>'


def _bare(picture: Picture) -> str:
    """The picture without its style sheet: the page has it once."""
    return re.sub(r"<style>.*?</style>\n?", "", picture.svg, flags=re.S)
