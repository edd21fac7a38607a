"""The curves of learning: what was measured on the way, as points to draw."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple

from graphs.errors import ArgumentError
from strategies.players.tournaments.elo import Interval

STRENGTHS = {1: "mean of test games", 2: "score against the game's own estimate"}
"""The meaning of the strength, by the number of players."""


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
        """Return the point with a mean and its interval, all rounded."""
        ends: dict[str, Any] = {
            what: rounded(found.value), f"{what}_low": rounded(found.low),
            f"{what}_high": rounded(found.high),
        }  # fmt: skip
        return self._replace(**ends)


def rounded(mean: float) -> float:
    """Round to nine digits, so that a mean does not depend on the order in which games were added
    up.

    >>> rounded(0.1 + 0.2 + 0.3) == rounded(0.3 + 0.2 + 0.1)
    True
    """
    return float(f"{mean:.9g}")


class Curve(NamedTuple):
    """One measurement over the course of learning."""

    name: str
    what: str
    """The field of the points that it shows."""
    points: list[tuple[Point, float]]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """Return the ends of the interval of each point; the value twice where there is none."""
        return [point.between(self.what) or (value, value) for point, value in self.points]


def curves_of(points: Iterable[Point], players: int) -> dict[str, Curve]:
    """Return the curves "strength", if it was tested, "result" and "error".

    Raises: ValueError if there is no point.
    """
    every = [point for point in points if isfinite(point.result) and isfinite(point.error)]
    if not every:
        raise ArgumentError("there is no curve, because nothing was learned yet")
    result = "mean of games" if players == 1 else "Maxie's mean result"
    strengths = [(p, p.strength) for p in every if p.strength is not None]
    curves = {"strength": Curve(STRENGTHS[players], "strength", strengths)} if strengths else {}
    curves["result"] = Curve(result, "result", [(p, p.result) for p in every])
    curves["error"] = Curve("mean error of a value", "error", [(p, p.error) for p in every])
    return curves
