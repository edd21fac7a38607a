"""HTML for notebooks: text, a picture, a board, in the notebook's own theme."""

from __future__ import annotations

from typing import Any

from games import Game, Position
from strategies.insight.pictures.style import THEMES
from strategies.support.notebook_text import preformatted


def card(game: Game[Any, Any], state: Any, says: str, svg: str = "") -> str:
    """Return HTML with text, the position as its game shows it, and a picture below them.

    Ensures: the text has the colours of the page around it, the picture those of its theme.

    >>> from games import TicTacToe
    >>> card(TicTacToe(), TicTacToe().start(), "a < b").partition("</pre>")[0]
    '<pre style="white-space:pre-wrap;font-family:monospace">a &lt; b'
    """
    return f"{worded(says)}{Position(game, state)._repr_html_()}{pictured(svg)}"


def worded(says: str, svg: str = "") -> str:
    """Return HTML with text and a picture below it."""
    return f"{preformatted(says)}{pictured(svg)}"


def pictured(svg: str) -> str:
    """Return a picture, if there is one, in the theme of the page around it."""
    return f"{svg}<style>{THEMES}</style>" if svg else ""
