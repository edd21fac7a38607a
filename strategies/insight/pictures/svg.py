"""SVG as text: elements, escaped text, and estimated text widths for layouts."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

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
