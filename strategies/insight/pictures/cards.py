"""What a notebook shows: words, a picture, a board, in the notebook's own theme."""

from __future__ import annotations

from html import escape
from typing import Any

from games import Game
from strategies.insight.pictures.style import THEMES


def card(game: Game[Any, Any], state: Any, says: str, svg: str = "") -> str:
    """Write words, a picture below them, and the position as its game draws it.

    Ensures: text has the colours of the page around it, and the picture those of its theme.

    >>> from games import TicTacToe
    >>> card(TicTacToe(), TicTacToe().start(), "a < b").partition("</pre>")[0]
    '<pre>a &lt; b'
    """
    return f"{worded(says, svg)}<pre>{escape(game.show(state))}</pre>"


def worded(says: str, svg: str = "") -> str:
    """Write words, and a picture below them."""
    pictured = f"{svg}<style>{THEMES}</style>" if svg else ""
    return f"<pre>{escape(says)}</pre>{pictured}"
