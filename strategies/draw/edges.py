"""Edges: from a task down to the tasks that wait for it, along rows and columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from attrs import frozen

from strategies.draw.marks import Mark
from strategies.draw.svg import element, number

BEND = 5.0
"""Pixels of a rounded corner."""


@frozen
class Spot:
    """Where a mark came to stand, in pixels: its middle, its upper and lower edge."""

    x: float
    top: float
    bottom: float
    half: float
    """Half its width."""


def edges(marks: Sequence[Mark], spots: Sequence[Spot], gaps: Sequence[float]) -> list[str]:
    """The lines of all dependencies; `gaps` holds for each mark the pixel above its row where lines
    turn.

    What every task of a live search waits for, its start, is drawn only for those that wait for
    nothing else.
    """
    columns: dict[str, list[float]] = {}
    for spot in sorted(spots, key=lambda s: s.top):
        columns.setdefault(number(spot.x), []).append(spot.top)
    drawn: dict[str, list[str]] = {"window": [], "result": [], "chain": []}
    for i, mark in enumerate(marks):
        for d in mark.after:
            if marks[d].kind == "start" and len(mark.after) > 1:
                continue
            kind = _kind(marks[d], mark)
            above = columns[number(spots[d].x)]
            between = bisect_right(above, spots[i].top - 0.1) - bisect_right(above, spots[d].top)
            path = _path(spots[d], spots[i], _turn(kind, mark, gaps[i]), between > 0)
            drawn[kind].append(path)
    return [
        element("path", class_=f"edge {kind}", d=" ".join(paths))
        for kind, paths in drawn.items()
        if paths
    ]


def _kind(source: Mark, target: Mark) -> str:
    """A window handed down, a result handed up, or the node's own fold."""
    if target.spine and source.spine and source.path == target.path:
        return "chain"
    up = target.spine and source.path[: len(target.path)] == target.path
    return "result" if up else "window"


def _turn(kind: str, target: Mark, gap: float) -> float:
    """Results and windows turn at heights of their own, so that one is not taken for the other."""
    return gap - (9 if kind == "result" else 3) - 3 * (len(target.path) % 2)


def _path(a: Spot, b: Spot, turn: float, blocked: bool) -> str:
    if abs(a.x - b.x) < 0.6:
        if not blocked:
            return f"M{number(a.x)} {number(a.bottom)}V{number(b.top)}"
        out = a.x - max(a.half, b.half) - BEND
        y1, y2 = (a.top + a.bottom) / 2, (b.top + b.bottom) / 2
        return (
            f"M{number(a.x - a.half)} {number(y1)}Q{number(out)} {number(y1)} {number(out)} "
            f"{number(y1 + 2 * BEND)}V{number(y2 - 2 * BEND)}Q{number(out)} {number(y2)} "
            f"{number(b.x - b.half)} {number(y2)}"
        )
    bend = min(BEND, abs(a.x - b.x) / 2, max(b.top - turn, 0), max(turn - a.bottom, 0))
    way = bend if b.x > a.x else -bend
    return (
        f"M{number(a.x)} {number(a.bottom)}V{number(turn - bend)}"
        f"Q{number(a.x)} {number(turn)} {number(a.x + way)} {number(turn)}"
        f"H{number(b.x - way)}"
        f"Q{number(b.x)} {number(turn)} {number(b.x)} {number(turn + bend)}V{number(b.top)}"
    )
