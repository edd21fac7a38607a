"""The curves of learning: measurements on the way, as points to draw."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from graphs.errors import ArgumentError
from strategies.players.learning.point import Point

STRENGTHS = {1: "mean of test games", 2: "score against the game's own estimate"}
"""The meaning of the strength, by the number of players."""


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
