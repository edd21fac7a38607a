"""The task graph of a search as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from strategies.draw.edges import Spot, edges
from strategies.draw.folding import folded
from strategies.draw.layout import Layout, Panel, laid_out
from strategies.draw.legend import heading, legend
from strategies.draw.marks import Mark, Names, marks_of, number
from strategies.draw.picture import Picture
from strategies.draw.shapes import drawn, size
from strategies.draw.style import STYLE
from strategies.draw.svg import element, escaped, shortened, words
from strategies.draw.words import Wording
from strategies.result import Result
from strategies.search import Search

GAP, NAME, FOOT = 24.0, 15.0, 6.0
"""Pixels between rows, for the name of a panel, and below a panel."""
LEFT, TOP = 34.0, 84.0
"""Where the graph begins, beside the numbers of the rows and below the heading."""


def draw_plan(search: Search, result: Result | None = None, *, most: int = 400) -> Picture:
    """The task graph of a search: down is time, across is parallelism, a line is a dependency.

    A row holds the tasks that the same number of tasks must precede, so the height is the span in
    tasks.  Each opened node has a panel, named by its move, and its folds run straight down in it.
    With a result, marks show what became of their tasks, and tooltips what they cost.

    Requires: `result`, if given, is of this search; `most` is at least 3.
    Ensures: one mark a task, and one mark a spark created, unless there are more than `most`
    tasks: then whole subtrees are folded into one mark each, whose counts add up.  The text
    depends on nothing but the search and the result.
    Raises: ValueError if the result is of another search.
    Cost: linear in the tasks, and near to it in the marks.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)
    >>> picture = draw_plan(answer)
    >>> picture.svg.count('<g class="mark ') == len(answer.tasks())
    True
    """
    every = marks_of(search)
    wording = Wording(Names(search.plan), result)
    if result is not None and not any(wording.record(m) for m in every):
        raise ValueError("the result is not of this search: none of its records is of a task here")
    marks = folded(every, most)
    said = [wording.of(m) for m in marks]
    sizes = [size(m.kind, s.lines) for m, s in zip(marks, said, strict=True)]
    layout = laid_out(marks, [w for w, _ in sizes])
    rows = _Rows(layout, [h for _, h in sizes])
    spots = [
        Spot(LEFT + x, rows.middle[r] - h / 2, rows.middle[r] + h / 2, w / 2)
        for x, r, (w, h) in zip(layout.middles, layout.rows, sizes, strict=True)
    ]
    head, least = heading(search, result, every, len(rows.middle))
    across = max(LEFT + layout.width + 20, least)
    outcomes = Counter((m.kind, s.outcome) for m, s in zip(marks, said, strict=True))
    key, tall = legend(outcomes, across, rows.bottom + 26, result is not None)
    parts = [
        element("title", escaped(repr(search.plan.strategy))),
        element("style", STYLE),
        element("rect", class_="paper", width=across, height=tall),
        *head,
        *rows.ruled(across),
        *_panels(layout, rows, wording.names),
        *edges(marks, spots, [rows.gap[r] for r in layout.rows]),
        *_names(layout, rows, wording.names),
        *(
            drawn(m.kind, s.outcome, s.lines, p.x, (p.top + p.bottom) / 2, s.tooltip)
            for m, s, p in zip(marks, said, spots, strict=True)
        ),
        *key,
    ]
    size_ = {"width": across, "height": tall, "viewBox": f"0 0 {across:.0f} {tall:.0f}"}
    svg = element(
        "svg", *(p + "\n" for p in parts), xmlns="http://www.w3.org/2000/svg", class_="jam", **size_
    )
    return Picture(svg + "\n")


class _Rows:
    """The heights of rows: room for the marks, the lines, and the panels that begin and end."""

    def __init__(self, layout: Layout, heights: Sequence[float]) -> None:
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
        self.gap: list[float] = []
        self.tall = tall
        y = TOP
        for row in range(last):
            y += GAP
            self.gap.append(y - 4)
            y += NAME * heads[row] + tall[row] / 2
            self.middle.append(y)
            y += tall[row] / 2 + FOOT * feet[row]
        self.bottom = y

    def ends(self, panel: Panel) -> tuple[float, float]:
        """The upper and the lower edge of a panel."""
        top = self.middle[panel.top] - self.tall[panel.top] / 2
        bottom = self.middle[panel.bottom] + self.tall[panel.bottom] / 2
        return top - NAME * self.head[panel.path], bottom + FOOT * self.foot[panel.path]

    def ruled(self, across: float) -> list[str]:
        """A line and a number for each row."""
        out = []
        for row, y in enumerate(self.middle):
            out.append(element("path", class_="rule", d=f"M26 {y:.1f}H{across - 12:.1f}"))
            out.append(words(str(row + 1), 20, y + 3, "clock", "end"))
        return out


def _nested(panels: Sequence[Panel]) -> tuple[dict[object, int], dict[object, int]]:
    """How many panels, one inside the other, begin and end where each panel does."""
    head: dict[object, int] = {}
    foot: dict[object, int] = {}
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


def _panels(layout: Layout, rows: _Rows, names: Names) -> list[str]:
    out = []
    for p in layout.panels:
        top, bottom = rows.ends(p)
        box = element("rect", x=LEFT + p.left, y=top, width=p.right - p.left,
                      height=bottom - top, rx=5.0)  # fmt: skip
        node = names.node(p.path)
        kind = node.kind if node else ""
        tip = f"{kind} node after {' '.join(names.way(p.path))}"
        if str(p.path[-1]).endswith("?"):
            tip += ": tested with a zero window"
        out.append(element("g", element("title", escaped(tip)), box, class_="panel"))
    return out


def _names(layout: Layout, rows: _Rows, names: Names) -> list[str]:
    """The move to each panel's node, with the sign of who moves there."""
    out = []
    for p in layout.panels:
        node = names.node(p.path)
        sign = {"max": "▲", "min": "▼", "chance": "●"}[node.kind] if node else ""
        move = names.move(p.path[:-1], number(p.path[-1]))
        test = "?" if str(p.path[-1]).endswith("?") else ""
        room = max(int((p.right - p.left - 18) / 6), 1)
        text = f"{sign} {shortened(move, room)}{test}"
        out.append(words(text, LEFT + p.left + 3, rows.ends(p)[0] + 11, "name"))
    return out
