"""The heading and the legend of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from strategies.draw.marks import Mark
from strategies.draw.shapes import drawn
from strategies.draw.svg import element, shortened, width, words
from strategies.draw.words import MEANING, sparks_of, tasks
from strategies.result import Result
from strategies.search import Search

LEAST = 560.0
"""Pixels across that every picture has, so that its words have room."""


def heading(
    search: Search, result: Result | None, every: tuple[Mark, ...], rows: int
) -> tuple[list[str], float]:
    """What is drawn, what it counts, and how many pixels these words take across."""
    plan = search.plan
    kinds = Counter(m.kind for m in every)
    game = shortened(repr(plan.game), 40)
    if game.endswith("…"):
        game = f"{type(plan.game).__name__}(…)"
    title = shortened(f"{plan.algorithm!r} of {game}, using {plan.strategy!r}", 110)
    counts = f"{tasks(len(every))}; {sparks_of(kinds['spark'])} created"
    if result is None:
        counts += f", {kinds['dud'] + (plan.attempts - kinds['spark'] - kinds['dud'])} dud"
        more = f"{rows} rows: the tasks of a row can run at the same time"
    else:
        more = str(result.sparks)
        counts += f"; {result.nodes:,} nodes, {result.leaves:,} leaves"
    lines = [(title, "head", 30.0, 16), (counts, "sub", 52.0, 12), (more, "sub", 70.0, 12)]
    across = max([LEAST, *(24 + width(text, size) for text, _, _, size in lines)])
    return [words(text, 14, y, class_) for text, class_, y, _ in lines], across


def legend(
    outcomes: Mapping[tuple[str, str], int], across: float, y: float, ran: bool
) -> tuple[list[str], float]:
    """What each shape and line in the picture means; and the height at which it ends."""
    kinds = {kind for kind, _ in outcomes}
    done = "done" if ran else "planned"
    items = [(k, done, meaning) for k, meaning in MEANING.items() if k in kinds]
    if any(outcome == "fizzled" for _, outcome in outcomes):
        items.append(("spark", "fizzled", "fizzled: its window was closed when it started"))
    if "folded" in kinds:
        items.append(("folded", done, "a subtree too large to show"))
    x, out = 14.0, []
    for kind, outcome, meaning in items:
        text = meaning if outcome == "fizzled" or kind == "folded" else f"{kind}: {meaning}"
        room = 34 + width(text) + 16
        if x > 14 and x + room > across:
            x, y = 14.0, y + 22
        lines = ("",) if kind not in ("merge", "local", "gate") else ()
        out.append(drawn(kind, outcome, lines, x + 14, y, "").replace('"mark ', '"sign mark '))
        out.append(words(text, x + 34, y + 4, "key"))
        x += room
    y += 22
    x = 14.0
    for kind, text in (
        ("window", "a window, handed down"),
        ("result", "a result, handed to its node"),
        ("chain", "the fold of a node"),
    ):
        out.append(element("path", class_=f"edge {kind}", d=f"M{x:.0f} {y:.0f}h28"))
        out.append(words(text, x + 34, y + 4, "key"))
        x += 34 + width(text) + 16
    if "start" in kinds:
        y += 22
        text = "Every task reads the cells of the start; only lines from it that stand alone are drawn."
        out.append(words(text, 14, y + 4, "key"))
    return [element("g", *out, class_="legend")], y + 22
