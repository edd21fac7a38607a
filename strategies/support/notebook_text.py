"""Preformatted text for notebooks, in which only long lines wrap."""

from __future__ import annotations

from html import escape


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
