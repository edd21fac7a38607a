"""The picture of a search's task graph, with lines from a task down to those that wait for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from attrs import frozen

from games.game import player_name
from graphs.arguments import check_kind
from graphs.errors import ArgumentError
from graphs.limits import PICTURE_MARKS
from strategies.algebra.wording import plural
from strategies.insight.analysis.move_naming import ShortNames
from strategies.insight.pictures.labels import LINES, MEANING, Wording, Words, heading, legend
from strategies.insight.pictures.layout import Layout, Rows, folded, laid_out
from strategies.insight.pictures.marks import Mark, drawn, marks_of, size
from strategies.insight.pictures.picture import (
    MARKS,
    Picture,
    element,
    escaped,
    number,
    on_a_page,
    picture_of,
    width,
    words,
)
from strategies.insight.pictures.synopsis import draw_synopsis, synopsis_of
from strategies.running.execution.live_windows import Place
from strategies.running.plans.plan import Names, Node
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import branch_numbers
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import shortened

LEFT = 34.0
"""The left edge of the graph, beside the numbers of the rows, in pixels."""

READ = 700
"""The most tasks of a graph that is drawn, unless the caller asks for marks: of a larger one there
is a synopsis."""
SIGNS: Final = {"max": "▲", "min": "▼", "chance": "●"}
"""The signs of who moves, before the move that leads to a node."""
BELOW: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw_plan(
    search: SearchGraph, result: SearchRun | None = None, *, most: int | None = None
) -> Picture:
    """Draw the task graph of a search: time runs down, parallelism across, lines are dependencies.

    The row of a task is the length of the longest chain of tasks before it, so the height is the
    span in tasks.  Each opened node has a panel, named by its move, and its folds run straight down
    in it.  With a result, marks show the outcomes of their tasks, and tooltips their cost.

    A search that deepens is drawn as one graph to its full depth, without its results.  Above
    `READ` tasks, and above `PICTURE_MARKS` marks, the picture is a synopsis: a table by ply and by
    kind.

    Requires: `result`, if given, is of this search; `most` is at least 3.
    Ensures: one mark per task, and so per created spark, unless there are more than `most` tasks:
    then whole subtrees are folded into one mark each, whose counts add up.  Without `most` there
    are as many marks as fit on a page.  The text depends only on the search and the result.
    Raises: ValueError if the result is of another search.
    Cost: linear in the tasks, and near to it in the marks.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)
    >>> picture = draw_plan(answer)
    >>> picture.svg.count('<g class="mark ') == len(answer.tasks())
    True
    """
    if result is not None:
        check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    return plan_and_marks(search, result, most=most)[0]


def plan_and_marks(
    search: SearchGraph, result: SearchRun | None = None, *, most: int | None = MARKS
) -> tuple[Picture, dict[int, int]]:
    """Return the picture of `draw_plan`, and the number of each record's mark, by its identity."""
    note = ""
    if result and result.graphs:  # a row of graphs has other tasks: only the plan is drawn
        by = plural(len(result.graphs), "graph")
        note = f"as planned; the search deepened by {by}: see timeline, overview"
        result = None
    every = marks_of(search)
    names = ShortNames(search.plan)
    wording = Wording(names, result)
    if result and len(every) > 1 and not any(wording.record(m) for m in every):
        raise ArgumentError(
            "the result is not of this search: no record belongs to a task of the search's graph"
        )
    head = partial(heading, search, result, every, note=note)
    drawn, limit = (PICTURE_MARKS, READ) if most is None else (most, PICTURE_MARKS)
    if min(len(every), drawn) > limit:
        found = synopsis_of(every, [wording.record(mark) for mark in every])
        plain = result is None and not note
        top, across = heading(search, result, every, found.chain, note or found.line)
        more = [] if plain else [words(found.line, 14, 88, "sub")]
        return draw_synopsis(found, repr(search.plan.strategy), [*top, *more], across), {}

    def panelled(layout: Layout, rows: Rows) -> tuple[list[str], list[str]]:
        names_of = [
            words(_named(names, p.path), LEFT + p.left + 3, rows.ends(p)[0] + 11, "name")
            for p in layout.panels
        ]
        return _panels(layout, rows, names), names_of

    def named(path: Place) -> float:
        return width(_named(names, path), 10) + 8

    def drawn_with(most: int) -> tuple[Picture, tuple[Mark, ...]]:
        marks = folded(every, most)
        said = [wording.of(m) for m in marks]
        title = repr(search.plan.strategy)
        return pictured(title, marks, said, head, MEANING, LINES, named, panelled), marks

    picture, marks = on_a_page(len(every), drawn_with) if most is None else drawn_with(most)
    own = {
        id(r): k for k, mark in enumerate(marks) for m in mark.all if (r := wording.record(m))
    }  # fmt: skip
    return picture, own


def pictured(
    title: str, marks: Sequence[Mark], said: Sequence[Words],
    head: Callable[[int], tuple[list[str], float]], meaning: Mapping[str, str],
    edge_words: Mapping[str, str],
    named: Callable[[Place], float] = lambda _: 0.0,
    panelled: Callable[[Layout, Rows], tuple[list[str], list[str]]] = lambda *_: ([], []),
) -> Picture:  # fmt: skip
    """Draw tasks, each with its texts; `head` returns the heading for a number of rows."""
    sizes = [size(m.kind, s.lines) for m, s in zip(marks, said, strict=True)]
    layout = laid_out(marks, [w for w, _ in sizes], named)
    edges = edges_of(marks, layout.rows, layout.middles)
    across_at = tracks(edges, layout.rows, layout.middles)
    rows = Rows(layout, [h for _, h in sizes], [len(set(t.values())) for t in across_at])
    spots = [
        Spot(LEFT + x, rows.middle[r] - h / 2, rows.middle[r] + h / 2, w / 2)
        for x, r, (w, h) in zip(layout.middles, layout.rows, sizes, strict=True)
    ]
    to = [layout.rows[e.target] for e in edges]
    turns = [rows.turn(r, across_at[r].get(e.bus, 0)) for e, r in zip(edges, to, strict=True)]
    drawn_lines = lines(edges, spots, turns)
    top, least = head(len(rows.middle))
    across = max(LEFT + layout.width + 20, least)
    outcomes = {(m.kind, s.outcome) for m, s in zip(marks, said, strict=True)}
    outcomes |= {("folded", fate) for s in said for fate in s.fates}
    key, tall = legend(outcomes, tuple(drawn_lines), across, rows.bottom + 26, meaning, edge_words)
    behind, before = panelled(layout, rows)
    parts = [
        *top,
        *rows.ruled(across),
        *behind,
        *drawn_lines.values(),
        *before,
        *(
            drawn(m.kind, s.outcome, s.lines, p.x, (p.top + p.bottom) / 2, s.tooltip)
            for m, s, p in zip(marks, said, spots, strict=True)
        ),
        *key,
    ]
    return picture_of(title, parts, across, tall)


def _panels(layout: Layout, rows: Rows, names: Names) -> list[str]:
    out = []
    for p in layout.panels:
        top, bottom = rows.ends(p)
        box = element("rect", x=LEFT + p.left, y=top, width=p.right - p.left,
                      height=bottom - top, rx=5.0)  # fmt: skip
        node = names.node(p.path)
        kind = _mover(node, names)[1]
        tip = f"{kind} after {' '.join(names.way(p.path))}"
        if str(p.path[-1]).endswith("?"):
            tip += ": tested with a null window"
        out.append(element("g", element("title", escaped(tip)), box, class_="panel"))
    return out


def _named(names: Names, path: Place) -> str:
    """Return the name of a panel: the move to its node, with the sign of the player to move."""
    sign = _mover(names.node(path), names)[0]
    test = "?" if str(path[-1]).endswith("?") else ""
    return f"{sign} {shortened(names.move(path[:-1], branch_numbers(path)[-1]), 12)}{test}"


def _mover(node: Node | None, names: Names) -> tuple[str, str]:
    """Return the sign of the player to move at a node, and the name of such nodes.

    Where every player has a value of their own, all of them maximize: the number says who.
    """
    if node is None:
        return "", " node"
    if names.plan.algorithm.many and names.plan.algorithm.tuples and node.kind != "chance":
        number = str(node.player).translate(BELOW)
        return f"▲{number}", f"{player_name(node.player)}'s node"
    return SIGNS[node.kind], f"{node.kind} node"


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
