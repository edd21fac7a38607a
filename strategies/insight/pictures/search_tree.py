"""The tree of a search, drawn as in textbooks."""

from __future__ import annotations

from collections.abc import Iterator

from strategies.insight.analysis.tree_walk import Position, walked
from strategies.insight.pictures.picture import Picture, picture_of
from strategies.insight.pictures.svg import element, escaped, number, width, words
from strategies.insight.pictures.tree_shapes import LOWER, PLY, SIZE, shape_of, spread
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.wording import known, shortened, window
from strategies.support.recursion import room_for

TOP, LEFT = 96.0, 24.0
"""In pixels: the space above and left of the root."""
SIGNS = "▲ Maxie  ▼ Minnie  ● chance; orange: in parallel; thick: best line; dashed: pruned"


def draw_tree(search: SearchGraph, *, most: int = 500) -> Picture:
    """Draw the tree of a search: the positions that it visits, and those that it prunes.

    Triangles point up where Maxie moves and down where Minnie does, circles are chance, squares are
    leaves with their values.  Pruned branches are dashed, branches searched in parallel are orange,
    and the principal variation is thick.

    Requires: a small tree; windows are fixed, and the rules run interpreted.
    Ensures: one mark per position; squares with a value are the leaves that the search evaluates.
    Raises: ValueError if there are more than `most` positions.
    Source: the figures of handouts on alpha-beta pruning.

    >>> from games import HANDOUT_FIRST
    >>> from strategies import alphabeta, search
    >>> draw_tree(search(HANDOUT_FIRST, alphabeta(depth=2))).svg.count('unread"')
    1
    """
    with room_for(search.plan.algorithm.depth):
        return _drawn(search, most)


def _drawn(search: SearchGraph, most: int) -> Picture:
    plan = search.plan
    root = walked(plan, most)
    at: dict[tuple[int, ...], float] = {}
    across = spread(root, at, LEFT, lambda p: _room(search, p)) + LEFT
    everything = tuple(_all(root))
    leaves = [p for p in everything if not p.below]
    read = sum(p.seen is not None for p in leaves)
    title = shortened(f"{plan.algorithm!r} using {plan.using!r}", 110)
    counts = f"{len(everything):,} positions; {read:,} of {len(leaves):,} leaves read"
    across = max(across, width(title, 16) + 28, 520.0)
    tall = TOP + PLY * max(len(p.path) for p in everything) + 2 * SIZE + 30
    best = root.seen.line if root.seen else ()
    parts = [
        words(title, 14, 30, "head"),
        words(counts, 14, 52, "sub"),
        words(SIGNS, 14, 70, "sub"),
        *(_branch(p, at, best) for p in everything if p.path),
        *(_mark(search, p, at[p.path]) for p in everything),
    ]
    return picture_of(repr(plan.strategy), parts, across, tall)


def _all(position: Position) -> Iterator[Position]:
    yield position
    for below in position.below:
        yield from _all(below)


def _room(search: SearchGraph, p: Position) -> float:
    """Return the width of a leaf in pixels."""
    value = width(known(p.seen.interval)) if p.seen else 0.0
    if p.seen and p.below:
        value = max(value, width(window(p.seen.window), 9)) + SIZE
    move = 1.5 * width(shortened(p.move, 8), 10)  # names are at two thirds of the way down
    return max(2 * SIZE, width(_label(search, p)), value, move) + 12


def _height(p: Position) -> float:
    return TOP + SIZE + PLY * len(p.path)


def _branch(p: Position, at: dict[tuple[int, ...], float], best: tuple[int, ...]) -> str:
    x, y = at[p.path], _height(p) - SIZE
    x0, y0 = at[p.path[:-1]], _height(p) - PLY + SIZE
    line = "line " if p.path == best[: len(p.path)] else ""
    way = line + ("spark" if p.spark else "step")
    pruned = "" if p.seen else " unread"
    drawn = element("path", d=f"M{number(x0)} {number(y0)}L{number(x)} {number(y)}",
                   class_=f"branch {way}{pruned}")  # fmt: skip
    name = words(shortened(p.move, 8), (x0 + 2 * x) / 3, (y0 + 2 * y) / 3 + 3, "name", "middle")
    return drawn + name


def _label(search: SearchGraph, p: Position) -> str:
    """Return the game's label of a position, if it is short."""
    label = search.plan.game.label(p.state)
    return label if len(label) <= 4 else ""


def _mark(search: SearchGraph, p: Position, x: float) -> str:
    y, r, value = _height(p), SIZE, ""
    kind = p.kind if p.below else "leaf"
    shape = shape_of(kind, x, y)
    inside = [element("title", escaped(_tooltip(search, p))), shape]
    inside.append(words(_label(search, p), x, y + LOWER[kind], "label"))
    if p.seen:
        value = known(p.seen.interval)
        if p.below:
            inside.append(words(value, x + 21, y + 4, "value"))
            inside.append(words(window(p.seen.window), x + 21, y + 15, "bounds"))
        else:
            inside.append(words(value, x, y + r + 12, "label"))
    return element("g", *inside, class_=f"mark {kind}" + ("" if p.seen else " pruned"))


def _tooltip(search: SearchGraph, p: Position) -> str:
    if p.seen is None:
        return f"{search.plan.game.label(p.state)}\npruned: never visited"
    shown = search.plan.game.show(p.state)
    where = f"\nwindow {window(p.seen.window)}" if p.below else ""
    return f"{shown}{where}\nvalue {known(p.seen.interval)}"
