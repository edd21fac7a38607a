"""The heading and the legend of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from strategies.collection import Search
from strategies.draw.marks import Mark
from strategies.draw.shapes import SMALL, drawn
from strategies.draw.svg import element, shortened, width, words
from strategies.draw.words import MEANING, sparks_of, tasks
from strategies.result import Result

LEAST = 560.0
"""Pixels across that every picture has, so that its words have room."""


def heading(
    search: Search, result: Result | None, every: tuple[Mark, ...], rows: int
) -> tuple[list[str], float]:
    """What is drawn, what it counts, and how many pixels these words take across."""
    plan = search.plan
    kinds = Counter(m.kind for m in every)
    game = shortened(repr(plan.game), 60)
    if game.endswith("…"):
        game = f"{type(plan.game).__name__}(…)"
    title = shortened(f"{plan.algorithm!r} of {game}, using {plan.using!r}", 110)
    counts = f"{tasks(len(every))}; {sparks_of(kinds['spark'])} created"
    if result is None:
        counts += f", {kinds['dud'] + (plan.attempts - kinds['spark'] - kinds['dud'])} dud"
        more = f"{rows} rows: the tasks of a row can run at the same time"
    else:
        more = result.sparks.line
        counts += f"; {result.nodes:,} nodes, {result.leaves:,} leaves"
    lines = [(title, "head", 30.0, 15), (counts, "sub", 52.0, 12), (more, "sub", 70.0, 12)]
    across = max([LEAST, *(28 + width(text, size + 1) for text, _, _, size in lines)])
    return [words(text, 14, y, class_) for text, class_, y, _ in lines], across


LINES = {
    "window": "a window, handed down",
    "again": "looked at again later",
    "result": "a result, handed to its node",
    "chain": "the fold of a node",
}


def legend(
    outcomes: Collection[tuple[str, str]], lines: Collection[str], across: float, y: float
) -> tuple[list[str], float]:
    """What each shape and line in the picture means; and the height at which it ends."""
    kinds = {kind for kind, _ in outcomes}
    items = [(kind, "done", f"{kind}: {text}") for kind, text in MEANING.items() if kind in kinds]
    if any(outcome == "fizzled" for _, outcome in outcomes):
        items.append(("spark", "fizzled", "fizzled: its window was closed when it started"))
    if "folded" in kinds:
        items.append(("folded", "done", "a subtree, folded"))
    row, out = _Row(across, y), []
    for kind, outcome, text in items:
        x, y = row.place(text)
        sign = drawn(kind, outcome, () if kind in SMALL else ("",), x + 14, y, "")
        out += [sign.replace('"mark ', '"sign '), words(text, x + 34, y + 4, "key")]
    row = _Row(across, y + 22)
    for kind in LINES:
        if kind in lines:
            x, y = row.place(LINES[kind])
            out.append(element("path", class_=f"edge {kind}", d=f"M{x:.0f} {y:.0f}h28"))
            out.append(words(LINES[kind], x + 34, y + 4, "key"))
    if "start" in kinds:
        y += 22
        text = "Every task reads the start's cells; lines from it that say no more are left out."
        out.append(words(text, 14, y + 4, "key"))
    return [element("g", *out, class_="legend")], y + 22


class _Row:
    """Signs and their texts side by side, as many as there is room for."""

    def __init__(self, across: float, y: float) -> None:
        self.across, self.x, self.y = across, 14.0, y

    def place(self, text: str) -> tuple[float, float]:
        room = 34 + width(text) + 14
        if self.x > 14 and self.x + room > self.across:
            self.x, self.y = 14.0, self.y + 22
        x, self.x = self.x, self.x + room
        return x, self.y
