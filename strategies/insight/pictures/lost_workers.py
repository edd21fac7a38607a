"""Marks in a timeline for lost workers, and for tasks that were run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from strategies.insight.analysis.lost_marks import LostMark
from strategies.insight.analysis.utilisation import Bar
from strategies.insight.pictures.svg import element, escaped, number, width, words

SHEET = """.jam .lost{fill:none;stroke:var(--bad);stroke-width:1.6}
.jam .lost.line{stroke-width:1;stroke-dasharray:1 3}
.jam .flag{fill:var(--ink)}
"""
"""The style of these marks, in addition to the common style."""
LOST = {"lost": "a worker was lost or left"}
AGAIN = {"flag": "run again: lost with its worker"}
SIZE = 9.0
"""The font size, in pixels."""


def drawn_losses(
    marks: Sequence[LostMark], at: Callable[[float], float], y: float, bottom: float, right: float
) -> list[str]:
    """Draw a cross at height `y` for each loss, with a label, and a line down to `bottom`.

    Ensures: the tooltip has the full text; a label ends left of `right`, and is left out where it
    would cover the label before it.
    """
    out, free = [], 0.0
    for mark in marks:
        x = min(at(mark.time), right)
        tip = element("title", escaped(mark.says))
        out += [
            element("path", class_="lost line", d=f"M{number(x)} {number(y)}V{number(bottom)}"),
            element("path", tip, class_="lost", d=cross(x, y)),
        ]
        wide = width(mark.name, SIZE)
        left = x + 7 if x + 7 + wide <= right else x - 7 - wide
        if left >= free:
            out.append(words(mark.name, left, y + 3, "clock"))
            free = left + wide + 14
    return out


def cross(x: float, y: float) -> str:
    """Return the path of a cross around a point."""
    return (
        f"M{number(x - 4)} {number(y - 4)}L{number(x + 4)} {number(y + 4)}"
        f"M{number(x + 4)} {number(y - 4)}L{number(x - 4)} {number(y + 4)}"
    )


def flag(x: float, y: float) -> str:
    """Return the path of a small triangle in the upper left corner of a bar."""
    return f"M{number(x)} {number(y)}h7l-7 7z"


def again(bars: Iterable[Bar]) -> str:
    """Say how often the tasks of a bar were lost; empty if they were not."""
    times = sum(bar.record.lost for bar in bars)
    if not times:
        return ""
    count = "" if times == 1 else f" {times} times"
    return f"run again: lost with its worker{count}"
