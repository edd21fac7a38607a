"""A picture: SVG text for files, browsers and notebooks; PNG for everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar
from unicodedata import east_asian_width

from attrs import frozen

from graphs.arguments import path_of, shown
from graphs.errors import ArgumentError
from strategies.insight.pictures.style import STYLE, THEMES, plain
from strategies.support.files import is_stream, write_whole

FONT: Final = "DejaVu Sans"
"""The font of PNG pictures if none of the fonts in the style sheet is installed."""
LEAST: Final = 560.0
"""The least width in pixels of a picture with a heading, so that other texts fit, too."""


@frozen
class Picture:
    """A picture as SVG text.

    Ensures: well-formed XML that is complete in itself; equal pictures have equal text.

    >>> Picture('<svg xmlns="http://www.w3.org/2000/svg"/>')._repr_svg_()
    '<svg xmlns="http://www.w3.org/2000/svg"/>'
    """

    svg: str

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg):,} characters of SVG>"

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height in pixels."""
        found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', self.svg)
        return (float(found[1]), float(found[2])) if found else (0.0, 0.0)

    def write(self, path: str | Path) -> Path:
        """Write the picture to a file, atomically: as PNG if its name ends in ``.png``, else SVG.

        Returns: the path.
        Raises: OSError if the file cannot be written, and then an existing file is left unchanged;
        ValueError for another kind of file; ImportError as `png` does.
        """
        target = path_of("path", path)
        if target.suffix.lower() not in (".svg", ".png") and not is_stream(target):
            raise ArgumentError(
                f"the name of a picture ends in .svg or .png; not {shown(str(path))}"
            )
        write_whole(target, self.png() if target.suffix.lower() == ".png" else self.svg)
        return target

    def png(self, scale: float = 2.0) -> bytes:
        """Return the picture as PNG, enlarged by `scale`, in the light theme.

        Requires: the package resvg-py, a single wheel that needs no other program.
        Raises: ImportError, with what to install.
        """
        try:
            from resvg_py import svg_to_bytes
        except ImportError:
            raise ImportError(
                "PNG needs one more package: pip install 'jamboree-search[png]' (resvg-py); "
                "an .svg file needs none"
            ) from None
        drawn = svg_to_bytes(
            svg_string=plain(self.svg), zoom=scale, background="#fff", sans_serif_family=FONT
        )
        return bytes(drawn)

    def _repr_svg_(self) -> str:
        """Return the SVG for notebooks that show no HTML; it follows the desktop's theme."""
        return self.svg

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the picture in the notebook's theme."""
        return f"{self.svg}<style>{THEMES}</style>"


def picture_of(
    title: str, parts: Iterable[str], across: float, tall: float, sheet: str = ""
) -> Picture:
    """Return a picture of these parts and size; `sheet` is the style of its own parts."""
    head = (
        element("title", escaped(title)), element("style", STYLE + sheet),
        element("rect", class_="paper", width=across, height=tall),
    )  # fmt: skip
    svg = element(
        "svg", "\n", *(part + "\n" for part in (*head, *parts)),
        xmlns="http://www.w3.org/2000/svg", class_="jam", width=across, height=tall,
        viewBox=f"0 0 {across:.0f} {tall:.0f}",
    )  # fmt: skip
    return Picture(svg + "\n")


def headed(title: str, *under: str) -> tuple[list[str], float]:
    """Return the lines of a heading, and their width in pixels, at least `LEAST`."""
    lines = [words(title, 14, 30, "head")]
    lines += [words(text, 14, 52 + 18 * n, "sub") for n, text in enumerate(under)]
    return lines, max(LEAST, 28 + width(title, 16), *(28 + width(text, 13) for text in under))


Drawn = TypeVar("Drawn", bound=tuple[Picture, Any])

MARKS: Final = 400
"""The most marks of a graph, unless the caller asks for more."""
FEWEST: Final = 12
"""The fewest marks to which a graph is folded."""
SHORT: Final = 1400.0
LONG: Final = 1980.0
"""The sides of a page, upright or across, in pixels: on A4, 11 of them are 1.6 mm."""


def fits_a_page(picture: Picture) -> bool:
    """Return whether a picture fits on a page, in portrait or landscape format."""
    short, long = sorted(picture.size)
    return short <= SHORT and long <= LONG


def on_a_page(tasks: int, draw: Callable[[int], Drawn]) -> Drawn:
    """Draw with as many marks as fit on a page; `draw` takes the largest number of marks.

    Ensures: the first drawing that fits, with fewer and fewer marks; or the one with `FEWEST`.
    Cost: several drawings if the full graph does not fit.
    """
    most = tasks if tasks <= MARKS else MARKS // 4
    found = draw(max(most, FEWEST))
    while most > FEWEST and not fits_a_page(found[0]):
        most = max(FEWEST, 2 * most // 3)
        found = draw(most)
    return found


_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Return text escaped for XML; characters that XML cannot hold are replaced.

    >>> escaped('a<b> & "c"'), escaped("bell\\x07")
    ('a&lt;b&gt; &amp; &quot;c&quot;', 'bell\\ufffd')
    """
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return _NOT_XML.sub("\ufffd", text)


def number(x: float) -> str:
    """Return a length as text, rounded to a tenth of a pixel.

    >>> number(3.0), number(2.25), number(-0.04)
    ('3', '2.2', '0')
    """
    text = f"{x:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """Return an element; `class_` is the class attribute, and ``_`` in a name becomes a hyphen.

    >>> element("rect", class_="a", stroke_width=2.0)
    '<rect class="a" stroke-width="2"/>'
    """
    words = [name]
    for key, value in attributes.items():
        text = escaped(value) if isinstance(value, str) else number(value)
        words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    start = " ".join(words)
    return f"<{start}>{''.join(inside)}</{name}>" if inside else f"<{start}/>"


def words(text: str, x: float, y: float, class_: str, anchor: str = "start") -> str:
    """Return one line of text; `y` is its base line."""
    where = {} if anchor == "start" else {"text_anchor": anchor}
    return element("text", escaped(text), class_=class_, x=x, y=y, **where)


def width(text: str, size: float = 11) -> float:
    """Estimate the width of a line in a sans-serif font of `size` pixels."""
    return sum(1.0 if east_asian_width(c) in "WF" else 0.6 for c in text) * size
