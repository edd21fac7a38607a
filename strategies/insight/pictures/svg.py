"""SVG as text: elements, escaped words, and how wide words are, near enough to lay them out."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """The text inside an element or an attribute; what XML cannot hold becomes a mark of its own.

    >>> escaped('a<b> & "c"'), escaped("bell\\x07")
    ('a&lt;b&gt; &amp; &quot;c&quot;', 'bell\\ufffd')
    """
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return _NOT_XML.sub("\ufffd", text)


def number(x: float) -> str:
    """A length in as few characters as a tenth of a pixel needs.

    >>> number(3.0), number(2.25), number(-0.04)
    ('3', '2.2', '0')
    """
    text = f"{x:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """An element; the attribute `class_` is the class, and ``_`` in a name is a hyphen.

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
    """One line of text; `y` is its base line."""
    where = {} if anchor == "start" else {"text_anchor": anchor}
    return element("text", escaped(text), class_=class_, x=x, y=y, **where)


def width(text: str, size: float = 11) -> float:
    """About how many pixels a line takes in a sans-serif font of `size` pixels."""
    return sum(1.0 if east_asian_width(c) in "WF" else 0.6 for c in text) * size
