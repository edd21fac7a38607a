"""What a notebook shows: words, a picture, a board, in the notebook's own theme."""

from __future__ import annotations

from typing import Any

from games import Game, Position
from strategies.insight.pictures.style import THEMES
from strategies.support.notebook_text import preformatted


def card(game: Game[Any, Any], state: Any, says: str, svg: str = "") -> str:
    """Write words, the position as its game tells it, and a picture below them.

    Ensures: text has the colours of the page around it, and the picture those of its theme.

    >>> from games import TicTacToe
    >>> card(TicTacToe(), TicTacToe().start(), "a < b").partition("</pre>")[0]
    '<pre style="white-space:pre-wrap">a &lt; b'
    """
    return f"{worded(says)}{Position(game, state)._repr_html_()}{pictured(svg)}"


def worded(says: str, svg: str = "") -> str:
    """Write words, and a picture below them."""
    return f"{preformatted(says)}{pictured(svg)}"


def pictured(svg: str) -> str:
    """Write a picture in the theme of the page around it, if there is one."""
    return f"{svg}<style>{THEMES}</style>" if svg else ""
