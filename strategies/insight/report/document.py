"""The HTML of pages: the document with its style, scripts and data, and the elements in it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from graphs.arguments import path_of
from strategies.insight.pictures.picture import STYLE, THEMES, Picture
from strategies.insight.pictures.timeline_key import JOINING, TIMELINE_STYLE
from strategies.running.records.sparks import Sparks
from strategies.support.files import write_whole

SCRIPTS: Final = (
    "theme",
    "words",
    "steer",
    "picture",
    "tasks",
    "strips",
    "totals",
    "highlights",
    "timeline",
    "find",
    "overview",
    "data",
    "main",
)
"""The scripts in order: each uses those before it."""
SMALL: Final = 500_000
"""Characters of data; larger data is compressed."""


def document(
    title: str, body: str, data: object, scripts: Sequence[str] = SCRIPTS,
    sheets: Sequence[str] = ("page.css",), style: str = TIMELINE_STYLE + JOINING,
) -> str:  # fmt: skip
    """Return one HTML page with this title and body, and `data` for its scripts.

    `scripts` and `sheets` are files of this package, in order; `style` is added to the sheets.

    Ensures: the page is complete in itself, and its security policy forbids requests.
    """
    folder = files("strategies.insight.report")

    def read(name: str) -> str:
        return folder.joinpath(*name.split("/")).read_text(encoding="utf-8")

    script = "".join(read(f"{name}.js") for name in scripts)
    style = f"{STYLE}{THEMES}{''.join(map(read, sheets))}{style}"
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'<main>\n{body}</main>\n<div id="tip" role="status" hidden></div>\n'
        f"{_packed(data)}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def write_page(path: str | Path, page: Callable[[], str]) -> Path:
    """Write the page that a function returns to a file, atomically.

    Returns: the path.
    Raises: ArgumentError if `path` is not a path, before the page is made; OSError if the file
    cannot be written, and then an existing file is left unchanged.
    """
    target = path_of("path", path)
    write_whole(target, page())
    return target


def _packed(data: object) -> str:
    """Return the data as a script element: readable JSON if it is small, else compressed."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    if len(text) <= SMALL:
        kind, text = "application/json", text.replace("<", "\\u003c")
    else:
        kind, text = "application/zlib", b64encode(zlib.compress(text.encode(), 6)).decode()
    return f'<script type="{kind}" id="data">{text}</script>'


Meanings = Mapping[str, str]
"""Meanings of names, shown as tooltips."""


METHOD = re.compile(r"(?<=[\w)])\.(?=[a-z_])")
"""The dot before the name of a method."""
IN_A_LINE = 8
"""The most facts side by side; more are shared out evenly among several lines."""


def explained(name: str, meanings: Meanings) -> str:
    """Return the attribute that shows the meaning of a name as a tooltip, if it has a meaning."""
    return f' title="{escape(meanings[name])}"' if meanings.get(name) else ""


def facts(rows: Iterable[tuple[str, str]], meanings: Meanings = MappingProxyType({})) -> str:
    """Return a list of names and their values."""
    items = [
        f"<div{explained(name, meanings)}><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>"
        for name, text in rows
    ]
    lines = -(-len(items) // IN_A_LINE) or 1
    return f'<dl class="facts" style="--across:{-(-len(items) // lines)}">{"".join(items)}</dl>'


def section(name: str, title: str, *inside: str, says: str = "") -> str:
    """Return a section of the page with its heading."""
    lead = f'<p class="lead">{escape(says)}</p>' if says else ""
    return f'<section id="{name}"><h2>{escape(title)}</h2>{lead}{"".join(inside)}</section>\n'


Span = tuple[float, float, float]
"""The start and end of a bar, and the position of its mark: fractions of the width, from 0 to 1."""


def charted(
    head: Sequence[str], rows: Iterable[Sequence[str]], spans: Iterable[Span],
    numbers: Iterable[int] = (), meanings: Meanings = MappingProxyType({}),
) -> str:  # fmt: skip
    """Return a table with a bar at the end of each row; the cells hold the numbers it shows."""
    plain = table([*head, "as a bar"], ([*row, ""] for row in rows), numbers, meanings)
    body = plain.split("<td></td></tr>")
    bars = (_bar(*span) for span in spans)
    return "".join(part + bar for part, bar in zip(body, [*bars, ""], strict=True))


def _bar(start: float, end: float, mark: float) -> str:
    where = f"left:{100 * start:.1f}%;width:{100 * max(end - start, 0.003):.1f}%"
    return (
        f'<td class="chart"><span style="{where}"></span>'
        f'<i style="left:{100 * mark:.1f}%"></i></td></tr>'
    )


def heading(title: str, under: str) -> str:
    """Return the heading of a page, with the button for light and dark themes."""
    button = '<button type="button" id="theme">theme</button>'
    return f'{button}<h1>{_breaking(title)}</h1><p class="under">{escape(under)}</p>'


def _breaking(text: str) -> str:
    """Return a text that breaks before the methods of an expression, where it must.

    >>> _breaking("young_brothers_wait.to_ply(2) 0.25")
    'young_brothers_wait<wbr>.to_ply(2) 0.25'
    """
    return METHOD.sub("<wbr>.", escape(text))


def text(says: str) -> str:
    """Return preformatted text, which scrolls where the page is narrower."""
    return f'<pre tabindex="0">{escape(says)}</pre>'


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (),
    meanings: Meanings = MappingProxyType({}),
) -> str:  # fmt: skip
    """Return a table; the columns with these indices are aligned right."""
    right = set(numbers)

    def row(cells: Sequence[str], tag: str) -> str:
        found = (
            f"<{tag}{' class=num' if i in right else ''}"
            f"{explained(cell, meanings) if tag == 'th' else ''}>{_breaking(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(found)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    whole = f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0">{whole}</div>'


def still(picture: Picture) -> str:
    """Return a fixed picture, which scrolls where the page is narrower."""
    return f'<div class="figure still" tabindex="0">{_bare(picture)}</div>'


def moving(picture: Picture, name: str) -> str:
    """Return a picture that can be zoomed and panned."""
    return (
        f'<div class="figure moving" id="{name}" tabindex="0" role="group" '
        f'aria-label="{escape(name)}: drag to pan, plus and minus to zoom">'
        f"{tools()}{_bare(picture)}</div>"
    )


Button = tuple[str, str, str]
"""The action of a button, its label, and its title."""
ZOOM: tuple[Button, ...] = (
    ("in", "+", "zoom in"),
    ("out", "-", "zoom out"),
    ("fit", "fit", "fit all into the window"),
)


def tools(*inside: str, own: tuple[Button, ...] = ()) -> str:
    """Return the toolbar of a figure that zooms: `inside`, the buttons `own`, then zoom buttons."""
    return f'<div class="tools">{"".join(inside)}{buttons(*own, *ZOOM)}</div>'


def buttons(*own: Button) -> str:
    """Return buttons, each with its action for the scripts."""
    return "".join(
        f'<button type="button" data-do="{do}" title="{title}" aria-label="{title}">{sign}</button>'
        for do, sign, title in own
    )


def _bare(picture: Picture) -> str:
    """Return the picture without the common style sheet, which the page contains once."""
    return picture.svg.replace(STYLE, "").replace("<style></style>", "")


COUNTS: Final[Mapping[str, str]] = {
    "attempts": "branches that the strategy sparked: created, dud and overflowed",
    "dud": "value known without a search, so no task was created",
    "overflowed": "always 0: a plan has room for all its sparks, or is refused",
    "created": "sparks with a task: converted, fizzled, GC'd and remaining",
    "converted": "the task started with an open window and searched",
    "fizzled": "the task started, but there was nothing left to search",
    "GC'd": "cancelled before the task started; a dash if the scheduler cannot cancel tasks",
    "remaining": "not started when the run ended",
    "inlined": "sparked below the grain, and searched inside another task",
    "pruned": "branches never searched, because their window was closed when their turn came",
    "aborted": "converted, but stopped half-way because a sibling closed the window",
    "opened": "replaced in the plan by the tasks that they consist of; not attempts",
    "lost": "how often a spark was lost with its worker",
    "repeated": "sparks that were run again because their worker was lost",
}
"""The meaning of each count; `Sparks` says how they add up."""


def counted(sparks: Sparks) -> str:
    """Return the counts by name, and the reasons why sparks fizzled."""
    rows = [(name, "-" if n is None else f"{n:,}") for name, n in sparks.counts.items()]
    why = ", ".join(f"{n:,} {reason}" for reason, n in sparks.reasons)
    return facts(rows, COUNTS) + (f"<p>Fizzled: {escape(why)}.</p>" if why else "")
