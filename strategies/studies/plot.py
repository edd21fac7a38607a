"""Plot a study: time or speed-up against workers, plies or leaves; as a picture, by Matplotlib."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, inf, log2
from typing import TYPE_CHECKING, Final

from attrs import frozen

from graphs.arguments import shown
from graphs.errors import ArgumentError, JamboreeError
from strategies.algebra.strategy import Modified, Strategy, seq
from strategies.algebra.wording import plural
from strategies.insight.pictures.axes import Axis, Box, Field, decades, logarithmic, sample
from strategies.insight.pictures.picture import Picture, element, escaped, headed, picture_of
from strategies.insight.plots import axes_for, mark
from strategies.running.records.wording import seconds, shortened
from strategies.studies.rows import Row
from strategies.values.notation import parse_using

if TYPE_CHECKING:
    from matplotlib.axes import Axes


BOX = Box(76.0, 70.0, 520.0, 330.0)
HUES = "work", "span", "dispatcher"
POINTS = """.jam .bound.ideal{stroke:var(--fold);stroke-dasharray:1 4}
.jam .work .point{fill:var(--stepped);stroke:var(--stepped)}
.jam .span .point{fill:var(--sparked);stroke:var(--sparked)}
.jam .dispatcher .point{fill:var(--wait);stroke:var(--wait)}
.jam .point.simulated{fill:var(--paper)}
"""
DASHES = "none", "7 4", "2 3", "9 3 2 3"
SHAPES = "", "M-3.6 -3.6h7.2v7.2h-7.2Z", "M0 -5.4L5.4 0L0 5.4L-5.4 0Z", "M0 -4.8L4.8 3.6H-4.8Z"
"""Classes of different hues, dashes, and outlines of points (the first a circle), which together
distinguish 48 lines."""
ASIDE, FARTHEST = 4.0, 12.0
"""The pixels between the points of two strategies on the same workers, whose intervals would hide
each other; and how far a point is moved aside at most."""
EDGE = 0.04
"""The share of the field that is free on either side, for points that are moved aside."""


def plot(every: Sequence[Row], game: str, what: str = "time", by: str = "workers") -> Picture:
    """Draw the times of a study at its greatest depth, or its speed-ups against `seq`.

    Across are the workers, the plies in which a strategy sparks, or the leaves that it visits; all
    axes are logarithmic, but for plies.

    Full points were measured, hollow points simulated; lines join the points of one strategy.  A
    vertical line through a point is the interval of its median.  A short horizontal line is the
    bound from work and span: the larger of the work divided by the workers, and the span.  The best
    sequential search and the ideal speed-up, equal to the number of workers, are dotted lines.

    Raises: ValueError for other plots, for speed-ups if `seq` was not measured, and for plies if no
    strategy sparks in a fixed number of plies.
    """
    lines = lines_of(every, what, by)
    rows, series, of = lines.rows, lines.series, lines.of
    most = max(2, *(r.workers for r in rows)) if by == "workers" else 1
    shown = [of(r, t) for r in rows for t in (r.seconds, r.least, *r.interval)]
    if what == "time":
        scale, label = decades(*_ends(shown)), seconds
    else:
        scale, label = _doublings(min(1.0, *shown), max(most, *shown)), _factor
    field = Field(BOX, _inset(_across(lines)), logarithmic(scale[0], scale[-1], scale, label))
    body = field.drawn(BY[by].label)
    key: list[tuple[str, str]] = []
    if what == "speedup" and by == "workers":
        x, y, right, top = field.x(1), field.y(1.0), field.x(most), field.y(most)
        ideal = f"M{x:.1f} {y:.1f}L{right:.1f} {top:.1f}"
        body.append(element("path", class_="bound ideal", d=ideal))
        key.append((sample("bound ideal"), "ideal: n workers, n times as fast"))
    for row in (r for r in rows if r.strategy == "seq"):
        y = field.y(of(row, row.seconds))
        body.append(element("path", class_="bound best", d=f"M{BOX.x:.1f} {y:.1f}h{BOX.across}"))
        key.append((sample("bound best"), "seq, the best sequential search"))
    asides = _asides(len(series), [field.x(n) for n in lines.places])
    for i, (template, found) in enumerate(series.items()):
        hue, dash, shape = HUES[i % 3], DASHES[i // 3 % 4], SHAPES[i // 12 % 4]
        line, aside = f"bound {hue}", 0.0 if by == "leaves" else asides[i]
        points = [(field.x(lines.at(r)) + aside, field.y(of(r, r.seconds))) for r in found]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        body.append(element("path", class_=line, stroke_dasharray=dash, d=f"M{path}"))
        for r, (x, y) in zip(found, points, strict=True):
            body += _marked(r, hue, shape, x, y, lambda r, t: field.y(of(r, t)))
        point = element("g", _point(found[0], shape, 24.0, -4.0), class_=hue)
        key.append((sample(line, dash=dash) + point, template))
    wide, tall = BOX.x + BOX.across + 380, max(BOX.y + BOX.tall + 46, BOX.y + 18 * (len(key) + 5))
    parts = [
        *headed(lines.title, shortened(f"{rows[0].algorithm} of {game}", 90))[0],
        *body, *field.key([*key, *_signs(rows), *_notes(lines)]),
    ]  # fmt: skip
    return picture_of(lines.title, parts, wide, tall, POINTS)


def _inset(axis: Axis) -> Axis:
    """Return an axis with free space at both ends.

    >>> _inset(Axis(lambda n: n, [(0.5, "half")])).marks
    [(0.5, 'half')]
    """

    def within(at: float) -> float:
        return EDGE + (1 - 2 * EDGE) * at

    return Axis(lambda n: within(axis.at(n)), [(within(at), text) for at, text in axis.marks])


def _asides(count: int, places: Sequence[float]) -> list[float]:
    """Return how far the points of each of `count` strategies are moved aside, in pixels: less than
    half the distance between neighbouring places.

    >>> _asides(3, [0.0, 100.0]), _asides(3, [0.0, 6.0]), _asides(1, [])
    ([-4.0, 0.0, 4.0], [-2.0, 0.0, 2.0], [0.0])
    """
    gap = min((b - a for a, b in pairwise(places)), default=inf)
    each = min(ASIDE, 2 * min(FARTHEST, gap / 3) / max(1, count - 1))
    return [each * (i - (count - 1) / 2) for i in range(count)]


def _point(r: Row, shape: str, x: float, y: float, *inside: str) -> str:
    """Draw the point of a row, without its interval: full if measured, hollow if simulated."""
    kind = "point simulated" if r.how == "simulated" else "point observed"
    if not shape:
        return element("circle", *inside, class_=kind, r=4.0, cx=x, cy=y)
    move = f"translate({x:.1f} {y:.1f})"
    return element("path", *inside, class_=kind, d=shape, transform=move)


def _marked(
    r: Row, hue: str, shape: str, x: float, y: float, height: Callable[[Row, float], float]
) -> list[str]:
    """Draw the point of a row at a place, with its interval and its bound; `height` returns the
    height of a time of the row."""
    line, out = f"bound {hue}", []
    if r.created:
        tip = f"{r.strategy} on {r.workers}: work and span allow {seconds(r.least)}"
        limit = f"M{x - 6:.1f} {height(r, r.least):.1f}h12"
        out.append(element("path", element("title", escaped(tip)), class_=line, d=limit))
    tip = f"{r.strategy}, {r.how}: {seconds(r.seconds)} on {plural(r.workers, 'worker')}"
    tip += f"; {r.leaves:,} leaves"
    if len(r.runs) > 1:
        low, high = (height(r, t) for t in r.interval)
        out.append(element("path", class_=line, d=f"M{x:.1f} {low:.1f}V{high:.1f}"))
        tip += f"; {len(r.runs)} runs, {seconds(r.low)} to {seconds(r.high)}"
    point = _point(r, shape, x, y, element("title", escaped(tip)))
    return [*out, element("g", point, class_=hue)]


def _across(lines: Lines) -> Axis:
    """Return the axis of workers, plies or leaves."""
    places = lines.places
    if lines.by == "plies":
        first, last = places[0], max(places[-1], places[0] + 1)
        marks = [((n - first) / (last - first), str(n)) for n in range(first, last + 1)]
        return Axis(lambda n: (n - first) / (last - first), marks)
    if lines.by == "workers":
        workers = sorted({row.workers for row in lines.rows})
        return logarithmic(1, max(2, workers[-1]), workers, str)
    scale = decades(places[0], max(places[-1], 2 * places[0]))
    return logarithmic(scale[0], scale[-1], scale, "{:,.0f}".format)


def _ends(times: Sequence[float]) -> tuple[float, float]:
    least = min((t for t in times if t > 0), default=1e-3)
    return least, max(*times, 2 * least)


def _doublings(low: float, high: float) -> list[float]:
    """Return the powers of two that enclose `low` to `high`; only every second or third of many.

    >>> _doublings(0.6, 3.0)
    [0.5, 1.0, 2.0, 4.0]
    """
    first, last = floor(log2(low)), ceil(log2(high))
    step = max(1, (last - first) // 8)
    return [2.0**k for k in range(first, last + step, step)]


def _factor(x: float) -> str:
    """Format a speed-up for the axis.

    >>> _factor(128.0), _factor(0.5), _factor(0.03125)
    ('128', '0.5', '0.0312')
    """
    return f"{x:g}" if x >= 1 else f"{x:.3g}"


def _signs(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return samples of the signs that occur at points, with their meanings."""
    simulated = any(r.how == "simulated" for r in rows)
    found = [("observed", "measured")] + [("simulated", "simulated")] * simulated
    signs = [
        (element("circle", class_=f"point {how}", r=4.0, cx=14.0, cy=-4.0), text)
        for how, text in found
    ]
    if any(len(r.runs) > 1 for r in rows):
        signs.append((sample("bound", "M14 -11v14"), "the interval of the median"))
    if any(r.created for r in rows):
        signs.append((sample("bound", "M8 -4h12"), "what work and span allow"))
    return signs


def _notes(lines: Lines) -> list[tuple[str, str]]:
    """Return a line that says how many speed-ups say nothing, or how simulated times are drawn if
    that is not as they are."""
    drawn = [row for rows in lines.series.values() for row in rows]
    if lines.what == "time":
        hollow = [r for r in drawn if r.how == "simulated" and r.seconds]
        slower = (lines.of(r, r.seconds) / r.seconds for r in hollow)
        most = max(slower, default=1.0)  # the same for all
        said = f"simulated times are drawn {most:.2g} times as long, as busy as seq"
        return [("", said)] if most > 1.05 else []
    short = sum(row.short for row in drawn)
    if not short:
        return []
    return [("", f"{short} of {len(drawn)} say nothing: it or seq took less than 20 ms")]


TITLES: Final = {"time": "Time", "speedup": "Speed-up"}
"""The plots of a study, with the first words of their headings."""
REPEATED: Final = re.compile(r"\b(to_ply|grain)\((?:plies=)?\d+\)")
"""The number of plies in the text of a strategy."""


def plies_of(row: Row) -> int | None:
    """Return the number of plies in which the strategy of a row sparks; None if it has none.

    It is the number of a sweep, or that of `to_ply` or `grain`; a strategy alone covers one ply.
    """
    if row.plies is not None:
        return row.plies
    try:
        using = parse_using(row.strategy)
    except JamboreeError:  # a strategy of a user's file
        return None
    if not isinstance(using, Strategy) or using == seq:
        return None
    if not isinstance(using, Modified):
        return 1
    plies = min(using.plies or 1, inf if using.spark_plies is None else using.spark_plies)
    return None if plies == inf or using.least is not None else int(plies)


@frozen
class Across:
    """What a plot of a study has across."""

    label: str
    at: Callable[[Row], int | None]
    """Returns where the point of a row is; None if it has none."""


BY: Final = {
    "workers": Across("workers", lambda row: row.workers),
    "plies": Across("plies with sparks", plies_of),
    "leaves": Across("leaves", lambda row: max(1, row.leaves)),
}
"""What a plot may have across."""


@frozen
class Lines:
    """The rows at a study's greatest depth, one line per strategy.  Made by `lines_of`."""

    what: str
    by: str
    rows: tuple[Row, ...]
    series: Mapping[str, Sequence[Row]]
    """The rows by strategy, without `seq` and without those that have no point; unless workers are
    across, by strategy without its number of plies, and by workers."""
    base: float | None
    """The seconds of `seq`, the best sequential search, if it was measured."""

    def of(self, row: Row, seconds: float) -> float:
        """Return the value to draw for a time of a row: the time itself, or its speed-up against
        `seq`.

        Ensures: the speed-up of the row's own time is its `speedup`, as in the table: that of a
        simulated row is against the processor time of `seq`.  Times are those of a clock, so a
        simulated one is drawn as if its processors were as busy with other work as that of `seq`.
        """
        faster = (row.speedup or 0.0) * row.seconds / max(seconds, 1e-12)
        if self.what != "time":
            return faster
        return self.base / faster if row.how == "simulated" and self.base and faster else seconds

    def at(self, row: Row) -> int:
        """Return where the point of a row is across."""
        return BY[self.by].at(row) or 0

    @property
    def places(self) -> list[int]:
        """Return the different places across, in order."""
        return sorted({self.at(row) for rows in self.series.values() for row in rows})

    @property
    def title(self) -> str:
        """Return the heading of the plot."""
        return f"{TITLES[self.what]} against {BY[self.by].label}"


def lines_of(every: Sequence[Row], what: str, by: str = "workers") -> Lines:
    """Return the lines of a plot of "time" or "speedup", by "workers", "plies" or "leaves".

    Raises: ValueError for other plots, for speed-ups if `seq` was not measured, and for plies if no
    strategy sparks in a fixed number of plies.
    """
    if what not in TITLES:
        raise ArgumentError(f"a study draws {' or '.join(TITLES)}, not {shown(what)}")
    if by not in BY:
        raise ArgumentError(f"by must be one of {', '.join(BY)}, not {shown(by)}")
    if not every:
        raise ArgumentError("there is nothing to draw: the study has no measurements yet")
    depth = max(r.depth for r in every)
    rows = tuple(r for r in every if r.depth == depth)
    base = next((r.seconds for r in rows if r.strategy == "seq"), None)
    if what == "speedup" and not base:
        raise ArgumentError("there is no speed-up: seq was not measured at the greatest depth")
    drawn = [r for r in rows if r.strategy != "seq" and BY[by].at(r) is not None]
    if by == "plies" and not drawn:
        raise ArgumentError(
            "there are no plies to draw: no strategy sparks in a fixed number of plies"
        )
    several = by != "workers" and len({r.workers for r in drawn}) > 1
    series: dict[str, list[Row]] = {}
    for r in drawn:
        name = r.template if by == "workers" else REPEATED.sub(r"\1(n)", r.template)
        series.setdefault(
            f"{name} on {plural(r.workers, 'worker')}" if several else name, []
        ).append(r)
    lines = Lines(what, by, rows, series, base)
    if by != "workers":
        for found in series.values():
            found.sort(key=lines.at)
    return lines


def plot_lines(lines: Lines, ax: Axes | None = None) -> Axes:
    """Plot a study into axes, or new ones; see `Study.plot`.

    Raises: ImportError without Matplotlib.
    """
    ax = axes_for(ax)
    if lines.what == "speedup" and lines.by == "workers":
        most = max(r.workers for r in lines.rows)
        ax.plot([1, most], [1, most], ":", color="gray", label="ideal")
    if lines.base is not None:
        ax.axhline(
            lines.base if lines.what == "time" else 1.0, color="gray", linestyle="--", label="seq"
        )
    for number, (template, rows) in enumerate(lines.series.items()):
        (line,) = ax.plot(
            [lines.at(r) for r in rows], [lines.of(r, r.seconds) for r in rows],
            marker=mark(number), label=template,
        )  # fmt: skip
        for row in rows:
            x, y = [lines.at(row)], [lines.of(row, row.seconds)]
            ax.errorbar(
                x, y, yerr=_interval(lines, row), fmt=mark(number), color=line.get_color(),
                mfc=ax.get_facecolor() if row.how == "simulated" else None, capsize=3,
            )  # fmt: skip
            if row.created:  # the bound from its work and span
                ax.plot(x, [lines.of(row, row.least)], "_", color=line.get_color(), markersize=12)
    ax.set(
        xlabel=BY[lines.by].label, title=lines.title,
        ylabel="seconds" if lines.what == "time" else "speed-up against seq",
    )  # fmt: skip
    if lines.by == "workers":
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    elif lines.by == "plies":
        ax.set_xticks(lines.places)
    else:
        ax.set_xscale("log")
    if lines.what == "time":
        ax.set_yscale("log")
    else:
        ax.set_yscale("log", base=2)
        ax.yaxis.set_major_formatter("{x:g}")
    ax.legend(fontsize="small")
    return ax


def _interval(lines: Lines, row: Row) -> list[list[float]] | None:
    """Return how far the median's interval extends below and above the point; None for one run."""
    if len(row.runs) < 2:
        return None
    middle = lines.of(row, row.seconds)
    ends = sorted(lines.of(row, t) for t in row.interval)
    return [[middle - ends[0]], [ends[1] - middle]]
