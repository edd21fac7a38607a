"""Draw the pictures of the gallery and of other pages, by running the examples on these pages.

Each section of pictures.md is an example that assigns `picture`, which is drawn.  A click on the
picture opens it alone, or opens the page that the example wrote.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import chdir
from doctest import DocTestParser
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def examples(page: str) -> Iterator[tuple[str, str]]:
    """Yield each heading of a page and its code, without output, after the code above all headings.

    >>> [title for title, _ in examples("pictures")][0]
    'A timeline'
    """
    parts = SECTION.split((HERE / f"{page}.md").read_text(encoding="utf-8"))
    begin = _code(parts[0])
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        code = _code(text)
        if code:
            yield title, begin + code


def _code(text: str) -> str:
    return "".join(example.source for example in DocTestParser().get_examples(text))


def slug(title: str) -> str:
    """Return the name of a heading's file and anchor.

    >>> slug("A timeline")
    'a-timeline'
    """
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def write(folder: Path) -> None:
    """Run the examples, and write their pictures and the grid of thumbnails."""
    pictures = folder / "extra" / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    cards = []
    for page in ("index", "pictures", "no-speed-up", "spark-depth"):
        for title, code in examples(page):
            svg = _drawn(code, pictures)
            if svg is None:
                continue
            name = slug(title)
            (pictures / f"{name}.svg").write_text(svg, encoding="utf-8")
            if page == "pictures":
                cards.append(
                    f'<a class="card" href="#{name}"><img src="pictures/{name}.svg" alt="" '
                    f'loading="lazy"><span>{escape(title)}</span></a>'
                )
    grid = f'<div class="cards">{"".join(cards)}</div>\n'
    (folder / "gallery.html").write_text(grid, encoding="utf-8")


def _drawn(code: str, folder: Path) -> str | None:
    """Return the picture of an example as SVG; pages that the example writes go to the folder."""
    names: dict[str, Any] = {"__name__": "example"}
    with chdir(folder), open(os.devnull, "w") as nowhere:
        from contextlib import redirect_stdout

        with redirect_stdout(nowhere):
            exec(compile(code, "example", "exec"), names)
    picture = names.get("picture")
    return None if picture is None else str(picture.svg)
