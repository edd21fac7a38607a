"""The heights of rows and of the spaces between them."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.insight.pictures.layout import Layout, Panel
from strategies.insight.pictures.svg import element, words
from strategies.running.execution.live_windows import Place

TOP, GAP, TRACK, NAME, FOOT = 78.0, 8.0, 5.0, 15.0, 6.0
"""Pixels above the graph, above the lines between two rows, per line, for the name of a panel, and
below a panel."""


class Rows:
    """The heights of rows, with room for marks, lines, and the edges of panels."""

    def __init__(self, layout: Layout, heights: Sequence[float], tracks: Sequence[int]) -> None:
        last = max(layout.rows) + 1
        tall = [0.0] * last
        for row, height in zip(layout.rows, heights, strict=True):
            tall[row] = max(tall[row], height)
        self.head, self.foot = _nested(layout.panels)
        heads, feet = [0] * last, [0] * last
        for panel in layout.panels:
            heads[panel.top] = max(heads[panel.top], self.head[panel.path])
            feet[panel.bottom] = max(feet[panel.bottom], self.foot[panel.path])
        self.middle: list[float] = []
        self.turns: list[float] = []
        self.tall = tall
        y = TOP
        for row in range(last):
            y += GAP
            self.turns.append(y)
            y += TRACK * tracks[row] + GAP
            y += NAME * heads[row] + tall[row] / 2
            self.middle.append(y)
            y += tall[row] / 2 + FOOT * feet[row]
        self.bottom = y

    def ends(self, panel: Panel) -> tuple[float, float]:
        """Return the upper and the lower edge of a panel."""
        top = self.middle[panel.top] - self.tall[panel.top] / 2
        bottom = self.middle[panel.bottom] + self.tall[panel.bottom] / 2
        return top - NAME * self.head[panel.path], bottom + FOOT * self.foot[panel.path]

    def turn(self, row: int, track: int) -> float:
        """Return the height of a horizontal track above a row."""
        return self.turns[row] + TRACK * (track + 0.5)

    def ruled(self, across: float) -> list[str]:
        """Draw a line and a number for each row."""
        out = []
        for row, y in enumerate(self.middle):
            out.append(element("path", class_="rule", d=f"M26 {y:.1f}H{across - 12:.1f}"))
            out.append(words(str(row + 1), 20, y + 3, "clock", "end"))
        return out


def _nested(panels: Sequence[Panel]) -> tuple[dict[Place, int], dict[Place, int]]:
    """Count the nested panels that start, and those that end, where each panel does."""
    head: dict[Place, int] = {}
    foot: dict[Place, int] = {}
    tops = {p.path: p.top for p in panels}
    bottoms = {p.path: p.bottom for p in panels}
    for p in reversed(panels):
        head.setdefault(p.path, 1)
        foot.setdefault(p.path, 1)
        outer = p.path[:-1]
        if tops.get(outer) == p.top:
            head[outer] = max(head.get(outer, 1), head[p.path] + 1)
        if bottoms.get(outer) == p.bottom:
            foot[outer] = max(foot.get(outer, 1), foot[p.path] + 1)
    return head, foot
