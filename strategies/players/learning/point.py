"""Points of a learning curve."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """A point of a learning curve: games and moves so far, and means since the last point."""

    games: int
    moves: int
    seconds: float
    result: float
    """The mean result of the games for Maxie."""
    error: float
    """The mean difference between the value of a position and that after the next move."""
    strength: float | None = None
    """The mean result of test games, which are not learned from; None if none were played."""
