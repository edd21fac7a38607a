"""Edges from a task down to the tasks that wait for it, drawn along rows and columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from attrs import frozen

from strategies.insight.pictures.marks import Mark
from strategies.insight.pictures.picture import element, number

BEND = 5.0
"""The radius of a rounded corner, in pixels."""
TRACKS = 16
"""The most heights for horizontal lines between two rows; further lines share them."""


@frozen
class Spot:
    """The position of a mark in pixels: its middle, its upper and lower edge."""

    x: float
    top: float
    bottom: float
    half: float
    """Half of its width."""


@frozen
class Edge:
    """A dependency between two marks."""

    source: int
    target: int
    kind: str
    """window: passed down; again: the same, checked later; result: passed up; chain: the fold."""
    blocked: bool
    """Whether there is another mark between the two in their column."""

    @property
    def bus(self) -> tuple[bool, int]:
        """Return the key of its horizontal line: results of a target, or windows of a source, share
        one."""
        return (False, self.target) if self.kind == "result" else (True, self.source)


def edges_of(marks: Sequence[Mark], rows: Sequence[int], middles: Sequence[float]) -> list[Edge]:
    """Return the dependencies to draw.

    All tasks of a live search wait for its start task.  That edge is drawn only to tasks that wait
    for nothing else.
    """
    columns: dict[str, list[int]] = {}
    for row, x in sorted(zip(rows, middles, strict=True)):
        columns.setdefault(number(x), []).append(row)
    edges = []
    for i, mark in enumerate(marks):
        for d in mark.after:
            if marks[d].kind == "start" and len(mark.after) > 1:
                continue
            column = columns[number(middles[d])]
            blocked = bisect_left(column, rows[i]) > bisect_right(column, rows[d])
            kind = _kind(marks[d], mark, rows[i] - rows[d], blocked)
            edges.append(Edge(d, i, kind, blocked))
    return edges


def _kind(source: Mark, target: Mark, rows: int, blocked: bool) -> str:
    if target.spine and source.spine and source.path == target.path:
        return "again" if blocked else "chain"
    if target.spine and source.path[: len(target.path)] == target.path:
        return "result"
    return "window" if rows == 1 else "again"


def tracks(
    edges: Sequence[Edge], rows: Sequence[int], middles: Sequence[float]
) -> list[dict[tuple[bool, int], int]]:
    """Return, for each row, the heights of the horizontal lines above it, as numbers.

    Ensures: lines that do not belong together do not overlap; results come first.
    """
    reach: list[dict[tuple[bool, int], tuple[float, float]]] = [{} for _ in range(max(rows) + 1)]
    for e in edges:
        x, y = sorted((middles[e.source], middles[e.target]))
        if y - x > 0.5:
            buses = reach[rows[e.target]]
            left, right = buses.get(e.bus, (x, y))
            buses[e.bus] = min(left, x), max(right, y)
    heights = []
    for buses in reach:
        ends: list[list[tuple[float, float]]] = []
        height: dict[tuple[bool, int], int] = {}
        for bus, (left, right) in sorted(buses.items()):
            free = (
                k for k, taken in enumerate(ends) if all(b < left or a > right for a, b in taken)
            )
            k = next(free, len(ends) % TRACKS)
            if k == len(ends):
                ends.append([])
            ends[k].append((left, right))
            height[bus] = k
        heights.append(height)
    return heights


def lines(edges: Sequence[Edge], spots: Sequence[Spot], turns: Sequence[float]) -> dict[str, str]:
    """Return one path for the edges of each kind; each edge turns at its height in `turns`."""
    paths: dict[str, list[str]] = {"again": [], "window": [], "result": [], "chain": []}
    for e, turn in zip(edges, turns, strict=True):
        paths[e.kind].append(_path(spots[e.source], spots[e.target], turn, e.blocked))
    return {
        kind: element("path", class_=f"edge {kind}", d=" ".join(found))
        for kind, found in paths.items()
        if found
    }


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
