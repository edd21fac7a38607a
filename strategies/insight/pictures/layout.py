"""The layout of task graphs: time runs down, parallelism across.

A mark's row is the length of the longest chain of tasks before it, so that tasks in one row can run
at the same time and the height is the span.  Across, a node is a block: its spine, the chain of
folds, runs straight down.  The marks that the folds wait for are placed beside it, as far left as
there is room, so that the width is the parallelism.

If there are too many marks, those of a subtree are folded into one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from graphs.errors import ArgumentError
from strategies.insight.pictures.marks import Mark
from strategies.insight.pictures.picture import element, words
from strategies.running.execution.live_windows import Place

MARGIN = 6.0
"""The distance between neighbours, in pixels."""
PAD = 5.0
"""The distance between a block and the panel around it, in pixels."""


@frozen
class Panel:
    """The area of one opened node: its rows, and its left and right edge in pixels."""

    path: Place
    top: int
    bottom: int
    left: float
    right: float


@frozen
class Layout:
    """The row of each mark and the x coordinate of its middle; the panels, outer ones first."""

    rows: tuple[int, ...]
    middles: tuple[float, ...]
    panels: tuple[Panel, ...]
    width: float


@frozen
class _Item:
    """An item to place in a block: an inner block, or a mark beside the spine."""

    top: int
    until: int
    """The last row that its edge down to the spine crosses."""
    width: float
    block: _Block | None = None
    mark: int = -1


@frozen
class _Block:
    """The layout of a node, in pixels from its own left edge."""

    path: Place
    top: int
    bottom: int
    width: float
    spine: float
    """The middle of the spine."""
    marks: tuple[tuple[int, float], ...]
    blocks: tuple[tuple[_Block, float], ...]


def laid_out(
    marks: Sequence[Mark], widths: Sequence[float], named: Callable[[Place], float]
) -> Layout:
    """Return the layout of marks of these widths, in panels at least as wide as `named` says.

    Requires: each mark comes after all marks that it waits for.
    Ensures: no two marks overlap; an edge goes from a higher row to a lower one.
    """
    rows: list[int] = []
    for mark in marks:
        rows.append(1 + max((rows[d] for d in mark.after), default=-1))
    root = _Packing(marks, widths, rows, named).block(())
    middles, panels = [0.0] * len(marks), []
    todo = [(root, 0.0)]
    while todo:
        block, left = todo.pop()
        for i, x in block.marks:
            middles[i] = left + x
        if block.path:
            panels.append(Panel(block.path, block.top, block.bottom, left, left + block.width))
        todo += [(inner, left + x) for inner, x in reversed(block.blocks)]
    return Layout(tuple(rows), tuple(middles), tuple(panels), root.width)


class _Packing:
    """Packs blocks from the innermost out."""

    def __init__(
        self, marks: Sequence[Mark], widths: Sequence[float], rows: list[int],
        named: Callable[[Place], float],
    ) -> None:  # fmt: skip
        self.marks, self.widths, self.rows, self.named = marks, widths, rows, named
        self.until = list(rows)
        self.own: dict[Place, list[int]] = {(): []}
        self.below: dict[Place, list[Place]] = {}
        for i, mark in enumerate(marks):
            for d in mark.after:
                self.until[d] = max(self.until[d], rows[i] - 1)
            path = mark.path
            while path not in self.own:
                self.own[path] = []
                self.below.setdefault(path[:-1], []).append(path)
                path = path[:-1]
            self.own[mark.path].append(i)

    def block(self, path: Place) -> _Block:
        own = self.own[path]
        spine = [i for i in own if self.marks[i].spine]
        items = [self.inner(below) for below in self.below.get(path, ())]
        items += [
            _Item(self.rows[i], self.until[i], self.widths[i], mark=i)
            for i in own
            if not self.marks[i].spine
        ]
        # In order of time, so that no item belongs above one that was packed before it; items of
        # the same time go in the order of their branches.
        items.sort(key=lambda item: (item.top, self.first(item)))
        return self.packed(path, spine, items)

    def inner(self, path: Place) -> _Item:
        block = self.block(path)
        last = max((i for i, _ in block.marks), key=lambda i: self.rows[i])
        return _Item(block.top, self.until[last], block.width, block)

    def first(self, item: _Item) -> int:
        block = item.block
        return item.mark if block is None else min(i for i, _ in block.marks)

    def packed(self, path: Place, spine: list[int], items: list[_Item]) -> _Block:
        pad = PAD if path else 0.0
        half = max((self.widths[i] for i in spine), default=0.0) / 2
        begin = min((self.rows[i] for i in spine), default=10**9)
        middle = pad + half
        lead = items[0] if items and items[0].until < begin else None
        if lead is not None:  # What runs before the spine starts is placed above it.
            inner = lead.block.spine if lead.block else lead.width / 2
            middle = pad + max(half, inner)
        bound = middle + half + MARGIN
        sky = _Skyline()
        marks, blocks = [(i, middle) for i in spine], []
        top = min([self.rows[i] for i in spine] + [item.top for item in items])
        bottom = max([self.rows[i] for i in spine] + [item.top for item in items])
        right = middle + half
        for item in items:
            inner = item.block.spine if item.block else item.width / 2
            least = middle - inner if item is lead else pad if item.until < begin else bound
            x = sky.place(item.top, item.until, item.width + MARGIN, least)
            if item.block:
                blocks.append((item.block, x))
                bottom = max(bottom, item.block.bottom)
            else:
                marks.append((item.mark, x + item.width / 2))
            right = max(right, x + item.width)
        width = max(right + pad, self.named(path) if path else 0.0)
        return _Block(path, top, bottom, width, middle, tuple(marks), tuple(blocks))


class _Skyline:
    """The occupied height of each stretch of pixels, as (left, right, first free row)."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, float, int]] = []

    def place(self, top: int, until: int, width: float, least: float) -> float:
        """Return the leftmost free position from pixel `least` on, and occupy it to row `until`."""
        x = least
        for left, right, free in sorted(self.taken):
            if free > top and left < x + width and right > x:
                x = right
        self.taken = [t for t in self.taken if t[2] > top]
        self.taken.append((x, x + width, until + 1))
        return x


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


def folded(marks: tuple[Mark, ...], most: int) -> tuple[Mark, ...]:
    """Return at most `most` marks that stand for all of `marks`.

    Requires: `most` is at least 3; the marks are in the order of `marks_of`.
    Ensures: nodes are opened ply by ply, left to right, as long as there is room; the counts add
    up; each mark still comes after all marks that it waits for.
    Cost: linear in the marks.
    """
    if most < 3:
        raise ArgumentError(f"most must be at least 3 marks, not {most}")
    if len(marks) <= most:
        return marks
    shown = _shown(marks, most)
    groups: dict[Place | int, list[int]] = {}
    for i, mark in enumerate(marks):
        groups.setdefault(shown[mark.path] or i, []).append(i)
    rows = list(groups.values())
    if len(rows) > most:
        rows[most - 2 : -1] = [[i for row in rows[most - 2 : -1] for i in row]]
    return _joined(marks, rows)


def _shown(marks: tuple[Mark, ...], most: int) -> dict[Place, Place | None]:
    """Return, for each node, the place of the mark that hides it, or None if it is shown."""
    own: Counter[Place] = Counter()
    below: dict[Place, list[Place]] = {(): []}
    for mark in marks:
        own[mark.path] += 1
        path = mark.path
        while path not in below:
            below[path] = []
            path = path[:-1]
    for path in below:
        if path:
            below[path[:-1]].append(path)
    shown: dict[Place, Place | None] = {(): None}
    count, layer = own[()] + len(below[()]), below[()]
    while layer:
        deeper: list[Place] = []
        for path in layer:
            cost = own[path] + len(below[path]) - 1
            hidden = shown[path[:-1]] or (path if count + cost > most else None)
            shown[path] = hidden
            count += 0 if hidden else cost
            deeper += below[path]
        layer = deeper
    return shown


def _joined(marks: tuple[Mark, ...], rows: list[list[int]]) -> tuple[Mark, ...]:
    """Return one mark for each row of numbers."""
    to = {i: k for k, row in enumerate(rows) for i in row}
    joined = []
    for k, row in enumerate(rows):
        after = {to[d] for i in row for d in marks[i].after} - {k}
        mark = evolve(marks[row[0]], after=tuple(sorted(after)))
        if len(row) > 1:
            place = _common([marks[i].path for i in row])
            members = tuple(marks[i] for i in row)
            mark = evolve(
                mark, kind="folded", place=place, path=place[:-1], spine=False, members=members
            )
        joined.append(mark)
    return tuple(joined)


def _common(paths: list[Place]) -> Place:
    """Return the deepest common ancestor of places."""
    least = min(paths, key=len)
    n = next((i for i in range(len(least)) if any(p[i] != least[i] for p in paths)), len(least))
    return least[:n]


def counted(mark: Mark) -> Counter[str]:
    """Count the tasks of each kind that a mark stands for."""
    return Counter(m.kind for m in mark.all)
