"""Shows how learning went: the learning curve as a picture, and the page with its points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import Any, Final

from games.networks.learned import plain
from graphs.limits import CURVE_POINTS
from strategies.insight.pictures.axes import Axis, Box, Field, logarithmic, ticks
from strategies.insight.pictures.picture import Picture, element, escaped, headed, picture_of, words
from strategies.insight.report.chart_page import Chart, Drawn, chart_page, spread
from strategies.players.learning.curves import Point, curves_of
from strategies.running.records.wording import game_text, seconds, shortened

ACROSS, TALL, LEFT, TOP, GAP = 330.0, 130.0, 74.0, 84.0, 56.0
HUES = {"strength": "span", "result": "work", "error": "dispatcher"}
"""The CSS class of each curve."""


def draw_curve(points: Iterable[Point], game: str, players: int = 1) -> Picture:
    """Draw a learning curve: a row for each measurement, over games and over time.

    The axis of games is logarithmic; the first points scatter because they are of few games each.
    A vertical line through a point is its 95% interval; a panel has room for twice the range of its
    values, and cuts longer lines.
    Requires: at least one point.
    Raises: ValueError if there is none.

    >>> "games" in draw_curve([Point(1, 9, 0.1, 1.0, 0.5)], "TicTacToe()", 2).svg
    True
    """
    curves = curves_of(points, players)
    every = [point for point, _ in curves["result"].points]
    powers = max(1, ceil(log10(max(p.games for p in every))))
    games = logarithmic(1, 10**powers, [10**k for k in range(powers + 1)], "{:,}".format)
    times = _linear(0.0, max(p.seconds for p in every), seconds)
    body: list[str] = []
    spread = False
    for n, (what, curve) in enumerate(curves.items()):
        hue, values, ends = HUES[what], curve.points, curve.intervals
        least, most = min(v for _, v in values), max(v for _, v in values)
        low = max(min(a for a, _ in ends), least - (most - least) / 2)
        high = min(max(b for _, b in ends), most + (most - least) / 2)
        up = _linear(min(low, 0.0) if low < 0 or high > 2 * low else low, high, _told)
        spread = spread or any(a < b for a, b in ends)
        for k, (across, of) in enumerate(((games, "games"), (times, "seconds"))):
            x, y = LEFT + k * (ACROSS + GAP), TOP + n * (TALL + 40)
            field = Field(Box(x, y, ACROSS, TALL), across, up)
            body += field.drawn()
            body += [words(curve.name, x, y - 6, "key")] if k == 0 else []
            places = [field.x(getattr(p, of)) for p, _ in values]
            body += _intervals(field, hue, places, ends)
            body += _line(field, hue, places, values)
    low_end = TOP + len(curves) * (TALL + 40)
    for k, text in enumerate(("games", "time")):
        middle = LEFT + k * (ACROSS + GAP) + ACROSS / 2
        body.append(words(text, middle, low_end - 4, "key", "middle"))
    wide, tall = LEFT + 2 * ACROSS + GAP + 30, low_end + 12
    last = every[-1]
    told = f"{last.games:,} games, {last.moves:,} moves in {seconds(last.seconds)}"
    told += "; vertical lines: 95% intervals" if spread else ""
    title = "Learning curve"
    heads, _ = headed(title, f"{shortened(game, max(20, 110 - len(told)))}: {told}")
    return picture_of(title, [*heads, *body], wide, tall)


def _told(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _linear(low: float, high: float, told: Callable[[float], str]) -> Axis:
    """Return an axis with round numbers that covers `low` to `high`.

    >>> [text for _, text in _linear(-1.0, 1.0, "{:g}".format).marks]
    ['-1', '-0.5', '0', '0.5', '1']
    """
    most = max(abs(low), abs(high))
    wide = high - low if high - low > 1e-9 * most > 1e-290 else most if most > 1e-290 else 1.0
    step = ticks(wide, 4)[1]
    first, last = floor(low / step + 1e-9), ceil((low + wide) / step - 1e-9)
    begin, count = first * step, max(1, last - first)
    marks = [(k / count, told(float(f"{begin + k * step:.12g}"))) for k in range(count + 1)]
    return Axis(lambda value: (value - begin) / (count * step), marks)


def _line(
    field: Field, hue: str, places: Sequence[float], values: Sequence[tuple[Point, float]]
) -> list[str]:
    """Draw the points of a curve, joined by a line; `places` are theirs across."""
    points = [(x, field.y(value)) for x, (_, value) in zip(places, values, strict=True)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    out = [element("path", class_=f"bound {hue}", d=f"M{path}")]
    for (x, y), (point, value) in zip(points, values, strict=True):
        tip = f"{_told(value)} after {point.games:,} games, {seconds(point.seconds)}"
        title = element("title", escaped(tip))
        out.append(element("circle", title, class_="point", r=2.0, cx=x, cy=y))
    return out


def _intervals(
    field: Field, hue: str, places: Sequence[float], ends: Sequence[tuple[float, float]]
) -> list[str]:
    """Draw the intervals of the points that have one, cut to the panel."""
    top, out = field.box.y, []
    for x, (low, high) in zip(places, ends, strict=True):
        if low < high:
            first, last = (min(top + TALL, max(top, field.y(end))) for end in (low, high))
            line = f"M{x:.1f} {first:.1f}V{last:.1f}"
            out.append(element("path", class_=f"bound {hue}", opacity=0.5, d=line))
    return out


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
