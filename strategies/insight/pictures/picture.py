"""A picture: SVG text for files, browsers and notebooks; PNG for everything else.

All pictures are made of the same elements in the same style, and some are fitted to a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar
from unicodedata import east_asian_width

from attrs import frozen

from graphs.arguments import path_of, shown
from graphs.errors import ArgumentError
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
                "PNG needs one more package: pip install resvg-py; an .svg file needs none"
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


STYLE: Final = """
.jam{--paper:#fff;--ink:#1d2733;--soft:#6b7785;--line:#8b98a7;--rule:#e3e8ee;--panel:#5b7ea61a;
--edge:#5b7ea659;--spark:#ffc75a;--sparked:#b97500;--step:#a9d3f5;--stepped:#2673b0;--fold:#76828f;
--dud:#f4f6f8;--bad:#d1450f;--answer:#1d2733;--reply:#fff;--result:#9aa5b1;--window:#d99a2b;--field:#f4f6f8;--wait:#b48ad6;
--aborted:#f0a6c8;--known:#a5d6b5;--hue0:#c4500a;--hue1:#007a5a;--hue2:#0b6bb0;--hue3:#a24a86;
background:var(--paper);font-family:system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
@media (prefers-color-scheme:dark){.jam{--paper:#12171d;--ink:#e6ebf0;--soft:#93a1b0;--line:#66727f;
--rule:#1b222a;--panel:#86b0dc1a;--edge:#86b0dc4d;--spark:#8a5c0b;--sparked:#ffc457;--step:#1d4f78;
--stepped:#7fbdf0;--fold:#93a1b0;--dud:#1b222a;--bad:#ff7d4d;--answer:#e6ebf0;--reply:#12171d;
--result:#66727f;--window:#b9862f;--field:#1b222a;--wait:#8b63b0;
--aborted:#7d3c5e;--known:#2f6446;--hue0:#ff8a4d;--hue1:#3ccf9f;--hue2:#62b5f2;--hue3:#e29cc8}}
.jam text{fill:var(--ink);font-size:11px}
.jam .paper{fill:var(--paper)}
.jam .head{font-size:15px;font-weight:600}
.jam .sub{font-size:12px;fill:var(--soft)}
.jam .key{font-size:11px;fill:var(--soft)}
.jam .clock{font-size:9px;fill:var(--soft)}
.jam .rule{stroke:var(--rule);stroke-width:1}
.jam .panel rect{fill:var(--panel);stroke:var(--edge)}
.jam .name{font-size:10px;fill:var(--soft);stroke:var(--paper);stroke-width:3px;paint-order:stroke;
stroke-linejoin:round}
.jam .edge{fill:none;stroke:var(--result);stroke-width:1.1}
.jam .edge.window{stroke:var(--window)}
.jam .edge.again{stroke:var(--window);stroke-dasharray:2 3;opacity:.6}
.jam .edge.chain{stroke:var(--fold);stroke-width:2}
.jam .mark text{text-anchor:middle;font-weight:500}
.jam .less{font-size:9px;font-weight:400;opacity:.8}
.jam .shape{stroke-width:1.4;fill:var(--paper);stroke:var(--line)}
.jam .spark .shape{fill:var(--spark);stroke:var(--sparked)}
.jam .step .shape{fill:var(--step);stroke:var(--stepped)}
.jam .resolve .shape{fill:var(--step);stroke:var(--stepped)}
.jam .resolve.done .shape{fill:var(--paper)}
.jam .dud .shape{fill:var(--dud);stroke:var(--line);stroke-dasharray:3 2}
.jam .merge .shape{fill:var(--fold);stroke:none}
.jam .local .shape{stroke:var(--fold)}
.jam .gate .shape{stroke:var(--stepped)}
.jam .start .shape{stroke:var(--sparked)}
.jam .result .shape{fill:var(--answer);stroke:var(--answer)}
.jam .result text{fill:var(--reply);font-weight:600}
.jam .fizzled .shape{fill:var(--paper);stroke:var(--bad);stroke-dasharray:2 2}
.jam .fizzled text{fill:var(--bad)}
.jam .aborted .shape{fill:var(--aborted);stroke:var(--bad);stroke-dasharray:6 2}
.jam .known .shape{fill:var(--known);stroke:var(--line);stroke-dasharray:1 2}
.jam .unseen .shape{fill:var(--paper)}
.jam .branch{fill:none;stroke:var(--result);stroke-width:1.3}
.jam .branch.line{stroke:var(--ink);stroke-width:2.6}
.jam .branch.spark{stroke:var(--window)}
.jam .branch.unread{stroke-dasharray:3 4}
.jam .max .shape{fill:var(--rule);stroke:var(--fold)}
.jam .min .shape{stroke:var(--fold)}
.jam .mark.pruned .shape{fill:var(--paper);stroke:var(--line);stroke-dasharray:3 3}
.jam .mark.pruned text{fill:var(--soft)}
.jam .mark .value{text-anchor:start;font-weight:600}
.jam .field{fill:var(--field)}
.jam .axis{fill:none;stroke:var(--line)}
.jam .bar.converted{fill:var(--spark);stroke:var(--sparked);stroke-width:.5}
.jam .area.converted{fill:var(--spark)}
.jam .bar.fizzled,.jam .area.fizzled{fill:var(--bad)}
.jam .bar.aborted{fill:var(--aborted);stroke:var(--bad);stroke-dasharray:4 2}
.jam .area.aborted{fill:var(--aborted)}
.jam .bar.known{fill:var(--known);stroke:var(--line);stroke-dasharray:1 2}
.jam .area.known{fill:var(--known)}
.jam .bar-sign{font-size:11px;font-weight:700;text-anchor:middle;pointer-events:none}
.jam .bar-sign.fizzled{fill:var(--reply)}
.jam .bar.step{fill:var(--step);stroke:var(--stepped);stroke-width:.5}
.jam .bar.fold{fill:var(--fold)}
.jam .area.busy{fill:var(--stepped);opacity:.7}
.jam .area.made{fill:var(--window)}
.jam .area.pool{fill:var(--fold);opacity:.7}
.jam .waiting{fill:none;stroke:var(--wait);stroke-width:4}
.jam .bar:hover{stroke:var(--ink);stroke-width:1.6}
.jam .mark .bounds{text-anchor:start;font-size:9px;fill:var(--soft);font-weight:400}
.jam .folded.converted .shape{stroke:var(--sparked)}
.jam .grid{stroke:var(--rule)}
.jam .bound{fill:none;stroke-width:2;stroke:var(--stepped)}
.jam .bound.greedy{stroke:var(--fold);stroke-dasharray:6 3}
.jam .bound.span{stroke:var(--sparked)}
.jam .bound.dispatcher{stroke:var(--wait)}
.jam .bound.best{stroke:var(--ink);stroke-dasharray:2 4}
.jam .point{fill:var(--ink);stroke:var(--ink);stroke-width:1.6}
.jam .point.simulated{fill:var(--paper)}
.jam .mark:hover .shape{stroke:var(--ink);stroke-width:2.4}
"""

LIGHT, DARK = re.findall(r"\.jam\{((?:--[\w-]+:[^;}]+;?\s*)+)", STYLE)
"""The colours of the style sheet, by name."""
HOSTS: Final = ("[data-theme={}]", "[data-jp-theme-light={}]", ".vscode-{}")
"""The selectors by which pages, JupyterLab and VS Code mark the theme that the reader chose."""


def _chosen(theme: str, colours: str) -> str:
    names = (theme, "true" if theme == "light" else "false", theme)
    hosts = (host.format(name) for host, name in zip(HOSTS, names, strict=True))
    return f"{','.join(f'{host} .jam' for host in hosts)}{{{colours.strip()}}}\n"


THEMES: Final = _chosen("light", LIGHT) + _chosen("dark", DARK)
"""The style of pictures in a page: the theme chosen there overrides that of the desktop."""


def plain(svg: str) -> str:
    """The picture without the variables and media queries of CSS, which few programs read.

    >>> plain(f"<style>{STYLE}</style>").count("var(")
    0
    """
    rules = re.search(r"\.jam\{(.*?)\}", svg, re.S)
    colours = dict(re.findall(r"--([\w-]+):([^;}]+)", rules[1] if rules else ""))
    svg = re.sub(r"@media[^{]*\{[^{}]*\{[^{}]*\}\s*\}", "", svg)
    svg = re.sub(r"--[\w-]+:[^;}]+;\s*", "", svg)
    svg = re.sub(r"var\(--([\w-]+)\)", lambda m: colours[m[1]], svg)
    return svg.replace("system-ui,", "")
