"""The legend of a tree: who moves, what became of branches, and the lines between positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from strategies.insight.analysis.replays.drawn_tree import Spot
from strategies.insight.analysis.trace_steps import Path
from strategies.insight.pictures.fates import ALONE, signed
from strategies.insight.pictures.svg import element, width, words
from strategies.insight.pictures.tree_shapes import shape_of
from strategies.insight.pictures.tree_states import State, best_line

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
