"""The marks of a game tree, where they stand, and their legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin
from typing import Final

from strategies.insight.analysis.replays.drawn_tree import Spot
from strategies.insight.analysis.trace_steps import Path
from strategies.insight.pictures.fates import ALONE, signed
from strategies.insight.pictures.picture import element, number, width, words
from strategies.insight.pictures.tree_states import State, best_line

PLY = 74.0
"""The distance between plies, in pixels."""
SIZE = 15.0
"""The distance from the middle of a mark to its edge, in pixels."""
LOWER: Final = {"max": 10.0, "min": 1.0, "chance": 3.0, "leaf": 3.0}
"""How far below its middle a mark has its label, by its kind."""
MOST_CORNERS, HUES = 8, 4
"""The most corners of the mark of a player, and the number of their colours."""


def spread(
    p: Spot, at: dict[Path, float], left: float, room: Callable[[Spot], float],
    ends: Callable[[Spot], bool],
) -> float:  # fmt: skip
    """Place a position and its subtree from pixel `left` on; return the first pixel after them.

    Ensures: `at` has the middle of each position by its path; `room` is the width of one at which
    the tree `ends`, such as a leaf.
    """
    end = left
    if not ends(p):
        for below in p.below:
            end = spread(below, at, end, room, ends)
        at[p.path] = (at[p.below[0].path] + at[p.below[-1].path]) / 2
        return max(end, left + room(p))
    at[p.path] = left + room(p) / 2
    return left + room(p)


def lower(kind: str, player: int | None) -> float:
    """Return how far below its middle a mark has its label."""
    return LOWER["leaf" if player else kind]


def hue(player: int | None) -> str:
    """Return the class of the colour of a player; empty if players have no values of their own."""
    return "" if player is None else f" hue-{player % HUES}"


def shape_of(kind: str, x: float, y: float, size: float = SIZE, player: int | None = None) -> str:
    """Draw a mark with its middle at (x, y): a triangle, a circle, or the square of a leaf.

    Where every player has a value of their own, the first has a triangle, and each next one a
    corner more, up to eight, and another of four colours.

    >>> shape_of("chance", 20, 30)
    '<circle class="shape" cx="20" cy="30" r="15"/>'
    >>> shape_of("max", 20, 30, player=1)
    '<polygon class="shape hue-1" points="20,13.5 36.5,30 20,46.5 3.5,30"/>'
    """
    if player:
        points = _corners(min(3 + player, MOST_CORNERS), x, y, 1.1 * size)
        return element("polygon", class_=f"shape{hue(player)}", points=points)
    if kind == "leaf":
        wide, tall = 1.6 * size, 1.8 * size
        left, top = x - wide / 2, y - size
        return element("rect", class_="shape", x=left, y=top, width=wide, height=tall, rx=2.0)
    if kind == "chance":
        return element("circle", class_="shape", cx=x, cy=y, r=size)
    tip, half = (-size if kind == "max" else size), 1.2 * size
    ends = f"{number(x)},{number(y + tip)} {number(x - half)},{number(y - tip)}"
    corners = f"{ends} {number(x + half)},{number(y - tip)}"
    return element("polygon", class_=f"shape{hue(player)}", points=corners)


def _corners(count: int, x: float, y: float, size: float) -> str:
    """Return the corners of a regular polygon that stands on a side, or is a diamond."""
    turns = [2 * pi * k / count for k in range(count)]
    return " ".join(f"{number(x + size * sin(a))},{number(y - size * cos(a))}" for a in turns)


ROW = 22.0
"""The height of a row of a legend, in pixels."""
LINES = {
    "branch spark": "a spark: asked for ahead of time",
    "branch line": "the best line",
    "branch unread": "not visited",
}
"""The kinds of lines between positions, and their meanings."""


def tree_key(
    every: Sequence[Spot], states: Sequence[Mapping[Path, State]], left: float, across: float,
    y: float,
) -> tuple[list[str], float]:  # fmt: skip
    """Return the legend of a tree under some states, from y on, and where it ends.

    Ensures: it lists what occurs, and nothing else.
    """
    found = [state.get(p.path, State()) for state in states for p in every]
    fates = signed({state.fate for state in found})
    lines = {
        "branch spark": any(state.fate not in ALONE for state in found),
        "branch line": any(len(best_line(dict(state))) > 1 for state in states),
        "branch unread": not all(state.seen for state in found),
    }
    items = list(_movers(every).items())
    items += [((f"fate-{f}", None), text) for f, text in fates.items()]
    items += [((kind, None), LINES[kind]) for kind, occurs in lines.items() if occurs]
    out, x = [], left
    for mark, text in items:
        if x > left and x + 26 + width(text) > left + across:
            x, y = left, y + ROW
        out += [_sample(*mark, x, y), words(text, x + 26, y + 4, "key")]
        x += 44 + width(text)
    return out, y + ROW


def _movers(every: Sequence[Spot]) -> dict[tuple[str, int | None], str]:
    """Return the marks that occur, as kind and player, and who moves there."""
    found = {(p.kind, p.player): p.place.who for p in every}
    order = ("max", "min", "chance", "leaf")
    said = {"chance": "chance moves", "leaf": "a leaf"}
    marks = sorted(found, key=lambda mark: (order.index(mark[0]), mark[1] or 0))
    return {mark: said.get(mark[0], f"{found[mark]} moves") for mark in marks}


def _sample(kind: str, player: int | None, x: float, y: float) -> str:
    """Draw what a line of the legend explains."""
    if kind.startswith("branch"):
        return element("path", class_=kind, d=f"M{x:.0f} {y:.0f}h20")
    if kind.startswith("fate-"):
        shape = element("rect", class_="shape", x=x + 2, y=y - 7, width=16.0, height=14.0, rx=2.0)
        return element("g", element("g", shape, class_=f"sample {kind}"), class_="tree")
    return element("g", shape_of(kind, x + 10, y, 7.0, player), class_=f"sample {kind}")
