"""The HTML document of a report: style, scripts and data in one file."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from graphs.arguments import path_of
from strategies.insight.pictures.style import STYLE, THEMES
from strategies.insight.pictures.timeline_key import JOINING, TIMELINE_STYLE
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
