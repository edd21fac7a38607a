"""The marks of a game tree, as in textbooks, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, Self, TypeVar

from strategies.insight.pictures.svg import element, number

PLY = 74.0
"""The distance between plies, in pixels."""
SIZE = 15.0
"""The distance from the middle of a mark to its edge, in pixels."""
LOWER: Final = {"max": 10.0, "min": 1.0, "chance": 3.0, "leaf": 3.0}
"""How far below its middle a mark has its label, by its kind."""


class Spreads(Protocol):
    """A position with the positions below it."""

    @property
    def path(self) -> tuple[int, ...]: ...
    @property
    def below(self) -> Sequence[Self]: ...


P = TypeVar("P", bound=Spreads)


def spread(
    p: P, at: dict[tuple[int, ...], float], left: float, room: Callable[[P], float],
    ends: Callable[[P], bool] = lambda p: not p.below,
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


def shape_of(kind: str, x: float, y: float, size: float = SIZE) -> str:
    """Draw a mark with its middle at (x, y): a triangle, a circle, or the square of a leaf.

    >>> shape_of("chance", 20, 30)
    '<circle class="shape" cx="20" cy="30" r="15"/>'
    """
    if kind == "leaf":
        wide, tall = 1.6 * size, 1.8 * size
        left, top = x - wide / 2, y - size
        return element("rect", class_="shape", x=left, y=top, width=wide, height=tall, rx=2.0)
    if kind == "chance":
        return element("circle", class_="shape", cx=x, cy=y, r=size)
    tip, half = (-size if kind == "max" else size), 1.2 * size
    ends = f"{number(x)},{number(y + tip)} {number(x - half)},{number(y - tip)}"
    corners = f"{ends} {number(x + half)},{number(y - tip)}"
    return element("polygon", class_="shape", points=corners)
