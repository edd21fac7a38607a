"""Text in a notebook: as it stands, but for lines that are too long for the page."""

from __future__ import annotations

from html import escape


def preformatted(says: str) -> str:
    """Write text as it stands, in lines that break between words where the notebook is narrower.

    >>> preformatted("a < b")
    '<pre style="white-space:pre-wrap">a &lt; b</pre>'
    """
    return f'<pre style="white-space:pre-wrap">{escape(says)}</pre>'


class Text(str):
    """A text of several lines, which a notebook shows as such, and not as Python writes it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return preformatted(self)
