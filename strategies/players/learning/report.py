"""The page about learning: the learning curve, point by point."""

from __future__ import annotations

from typing import Any, Final

from games.networks.learned import plain
from graphs.limits import CURVE_POINTS
from strategies.insight.report.chart_page import Chart, Drawn, chart_page, spread
from strategies.players.learning.point import Point
from strategies.running.records.wording import game_text, seconds

MEANINGS: Final = {
    "games": "games of the program against itself",
    "ended by the limit": "games that reached the limit of plies",
    "moves": "moves of all these games, without chance moves",
    "time": "total time of learning",
    "moves a second": "moves divided by time",
    "weights": "numbers of the network",
}
"""The meaning of each fact on the page."""
POINTS: Final = {
    "games": "played so far",
    "moves": "made so far",
    "time": "since the start",
    "result": "mean result of the games for Maxie since the last row",
    "interval": "of 95%, from the games since the last row",
    "error": "mean difference between a value and that after the next move, since the last row",
}
"""The meaning of each column of the tables."""
CURVE: Final = (
    "Each point is a mean since the last one, or of test games. The vertical line through it is "
    "its 95% interval."
)
"""The text above the picture."""


def learned_page(found: Any) -> str:
    """Return the page: the games played, and the course of results and errors.

    Requires: a `Learned`.
    """
    step = -(-len(found.curve) // CURVE_POINTS) or 1
    points = [p for k, p in enumerate(found.curve, 1) if k % step == 0 or k == len(found.curve)]
    results = [p.result for p in points] or [0.0]
    errors = [p.error for p in points] or [0.0]
    least = min(0.0, *results)
    about = [
        ("games", f"{found.games:,}" + (", interrupted" if found.interrupted else "")),
        ("ended by the limit", f"{found.cut:,}"),
        ("moves", f"{found.moves:,}"),
        ("time", seconds(found.seconds)),
        ("weights", f"{found.network.size:,}"),
        ("moves a second", f"{found.moves / found.seconds:,.0f}" if found.seconds else "-"),
    ]
    charts = [
        Chart(
            "results", "Results", "The mean result of the games for Maxie since the last row.",
            ("games", "moves", "time", "result", "interval"),
            [(f"{p.games:,}", f"{p.moves:,}", seconds(p.seconds), f"{p.result:,.4g}",
              _ends(p, "result")) for p in points],
            [spread(min(0.0, p.result), max(0.0, p.result), least, max(0.0, *results), p.result)
             for p in points],
            meanings=POINTS,
        ),
        Chart(
            "errors", "Errors",
            "The mean difference between the value of a position and that after the next move.",
            ("games", "moves", "error", "interval"),
            [(f"{p.games:,}", f"{p.moves:,}", f"{p.error:,.4g}", _ends(p, "error"))
             for p in points],
            [spread(0, p.error, 0, max(errors), p.error) for p in points], meanings=POINTS,
        ),
    ]  # fmt: skip
    game = game_text(plain(found.game), 90)
    drawn = [Drawn("curve", "Learning curve", CURVE, found.draw())] if found.curve else []
    return chart_page("Learning", game, about, [*drawn, *charts], meanings=MEANINGS)


def _ends(point: Point, what: str) -> str:
    """Return the interval of a point as text."""
    ends = point.between(what)
    return "-" if ends is None else "{:,.4g} to {:,.4g}".format(*ends)
