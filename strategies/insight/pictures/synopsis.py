"""The picture of a synopsis: a row for each kind of task at each ply, with counts and times."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.insight.pictures.legend import legend
from strategies.insight.pictures.picture import Picture, picture_of
from strategies.insight.pictures.shapes import SMALL, drawn
from strategies.insight.pictures.svg import element, words
from strategies.insight.pictures.synopsis_rows import Row, Synopsis
from strategies.running.records.wording import seconds

TOP, ROW, LEFT, BAR = 122.0, 21.0, 14.0, 150.0
"""In pixels: the space above the rows, the height of a row, the left edge, the longest bar."""
KIND, TASKS, FATES, TOTAL, LONGEST = 120.0, 290.0, 460.0, 740.0, 990.0
"""In pixels: the left edges of kinds and outcomes, the right edges of counts and times."""
ACROSS = 1010.0
SHEET = """.jam .amount{fill:var(--stepped);opacity:.55}
"""


def draw_synopsis(found: Synopsis, title: str, heads: Sequence[str], across: float) -> Picture:
    """Draw a synopsis below the lines of a heading, whose width is `across`.

    Ensures: as many rows as kinds of tasks at plies, whatever the number of tasks; the bars of a
    column are as long as their numbers.
    """
    timed = found.rows[0].total is not None
    across = max(across, ACROSS if timed else TASKS + BAR + 30)
    most = max(row.tasks for row in found.rows)
    slowest = max((row.total or 0.0 for row in found.rows), default=0.0)
    parts = [*heads, *_head(timed)]
    for number, row in enumerate(found.rows):
        y = TOP + ROW * number
        new = number == 0 or row.ply != found.rows[number - 1].ply
        if new:
            parts.append(element("path", class_="rule", d=f"M{LEFT} {y:.0f}H{across - LEFT:.0f}"))
            parts.append(words(row.depth, LEFT, y + 15, "label"))
        parts += _row(row, y + ROW / 2, most, slowest, timed)
    bottom = TOP + ROW * len(found.rows)
    outcomes = {(row.kind, "done") for row in found.rows}
    outcomes |= {("spark", fate) for row in found.rows for fate, _ in row.became}
    key, end = legend(outcomes, (), across, bottom + 26, edge_words={})
    return picture_of(title, [*parts, *key], across, end, SHEET)


def _head(timed: bool) -> list[str]:
    """Draw the names of the columns."""
    y = TOP - 8
    names = [words("ply", LEFT, y, "key"), words("kind", KIND, y, "key"),
             words("tasks", TASKS, y, "key", "end")]  # fmt: skip
    if timed:
        names += [words("sparks", FATES, y, "key"), words("total time", TOTAL, y, "key", "end"),
                  words("longest", LONGEST, y, "key", "end")]  # fmt: skip
    return names


def _row(row: Row, y: float, most: int, slowest: float, timed: bool) -> list[str]:
    sign = drawn(row.kind, "done", () if row.kind in SMALL else ("",), KIND + 10, y, "")
    out = [
        sign.replace('"mark ', '"sign '),
        words(row.kind, KIND + 32, y + 4, "label"),
        words(f"{row.tasks:,}", TASKS, y + 4, "label", "end"),
        _bar(TASKS + 10, y, row.tasks / most),
    ]
    if timed:
        total, share = row.total or 0.0, (row.total or 0.0) / (slowest or 1.0)
        out += [
            words(row.fates, FATES, y + 4, "label"),
            words(seconds(total), TOTAL, y + 4, "label", "end"),
            _bar(TOTAL + 10, y, share),
            words(seconds(row.longest or 0.0), LONGEST, y + 4, "label", "end"),
        ]
    return out


def _bar(x: float, y: float, share: float) -> str:
    """Draw a bar for a share of the greatest number of its column."""
    return element("rect", class_="amount", x=x, y=y - 5, width=max(BAR * share, 0.5), height=10.0)
