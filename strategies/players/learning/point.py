"""Points of a learning curve."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """Point of a learning curve: games and moves so far, and means since the point before it."""

    games: int
    moves: int
    seconds: float
    result: float
    """What Maxie's games came to on average."""
    error: float
    """How far the value of a position was from the one after the next move, on average."""
    strength: float | None = None
    """What test games came to here, of which nothing was learned; None where none was played."""
