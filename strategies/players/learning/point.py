"""Points of a learning curve."""

from __future__ import annotations

from typing import Any, NamedTuple

from strategies.players.tournaments.elo import Interval


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
    result_low: float | None = None
    """The ends of the 95% intervals of these means, from the games that measured them; None for
    one game, and in files of earlier versions."""
    result_high: float | None = None
    error_low: float | None = None
    error_high: float | None = None
    strength_low: float | None = None
    strength_high: float | None = None

    def between(self, what: str) -> tuple[float, float] | None:
        """Return the ends of the interval of "result", "error" or "strength"; None if unknown.

        >>> Point(10, 90, 0.1, 0.5, 0.2, result_low=0.3, result_high=0.7).between("result")
        (0.3, 0.7)
        """
        low, high = getattr(self, f"{what}_low"), getattr(self, f"{what}_high")
        return None if low is None or high is None else (low, high)

    def measured(self, what: str, found: Interval) -> Point:
        """Return the point with a mean and its interval; ends are rounded to nine digits, so that
        they do not depend on the order in which games were added up."""
        ends: dict[str, Any] = {
            what: found.value, f"{what}_low": float(f"{found.low:.9g}"),
            f"{what}_high": float(f"{found.high:.9g}"),
        }  # fmt: skip
        return self._replace(**ends)
