"""The tree of a replay as a picture: every mark and branch has the number of its position."""

from __future__ import annotations

from strategies.insight.analysis.replays.drawn_tree import Spot, spots
from strategies.insight.pictures.svg import element, escaped, number, width, words
from strategies.insight.pictures.tree_shapes import LOWER, shape_of, spread
from strategies.running.records.wording import amount, shortened

MANY = 120
"""The number of positions above which marks are small and have no names."""
SMALL = {True: (7.0, 44.0), False: (15.0, 74.0)}
"""For small marks and others: their size, and the distance between plies, in pixels."""
LABEL, MOVE = 5, 8
"""The most characters of a label in a mark, and of a move on a branch."""
EDGE = 26.0
"""The space around the tree, in pixels."""


def replay_tree(root: Spot, name: str, longest: int = 3) -> str:
    """Draw a tree for a script that shows on it what happens.

    `longest` is the number of characters of the longest value of a leaf.

    Ensures: position n, counted in move order, has the mark and the branch with ``data-n="n"``.

    >>> from games import HANDOUT_FIRST
    >>> from strategies import alphabeta, search
    >>> from strategies.insight.analysis.replays.drawn_tree import drawn_tree
    >>> replay_tree(drawn_tree(search(HANDOUT_FIRST, alphabeta(2)).plan, []), "a").count("<title>")
    7
    """
    every = list(spots(root))
    small = len(every) > MANY
    size, ply = SMALL[small]
    at: dict[tuple[int, ...], float] = {}
    across = spread(root, at, EDGE, lambda p: _room(p, small, longest)) + EDGE
    tall = 2 * EDGE + size + ply * max(len(p.path) for p in every)

    def place(path: tuple[int, ...]) -> tuple[float, float]:
        return at[path], EDGE + ply * len(path)

    parts = []
    for n, p in enumerate(every):
        if p.path:
            parts.append(_branch(n, p, place(p.path[:-1]), place(p.path), size, small))
    parts += [_mark(n, p, place(p.path), size, small) for n, p in enumerate(every)]
    return element(
        "svg", *parts, class_="jam tree" + (" small" if small else ""), width=across, height=tall,
        viewBox=f"0 0 {across:.0f} {tall:.0f}", role="img", aria_label=name,
    )  # fmt: skip


def _room(p: Spot, small: bool, longest: int) -> float:
    """Return the width of a leaf in pixels."""
    if small:
        return 18.0
    move = 1.5 * width(shortened(p.move, MOVE), 10)
    value = 6.5 * longest + 20
    return max(width(_label(p)) + 14, 54.0 if p.below else 46.0, value, move)


def _label(p: Spot) -> str:
    return p.place.label if len(p.place.label) <= LABEL else ""


def _branch(
    n: int, p: Spot, start: tuple[float, float], end: tuple[float, float], size: float, small: bool
) -> str:  # fmt: skip
    (x0, y0), (x, y) = start, end
    y0, y = y0 + size, y - size
    way = f"M{number(x0)} {number(y0)}L{number(x)} {number(y)}"
    drawn = element("path", d=way, class_="branch", data_n=str(n))
    if small:
        return drawn
    text = shortened(p.move, MOVE)
    return drawn + words(text, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3 + 3, "name", "middle")


def _mark(n: int, p: Spot, place: tuple[float, float], size: float, small: bool) -> str:
    x, y = place
    tip = f"{p.place}\n{p.shown}" if p.shown != p.place.label else str(p.place)
    inside = [element("title", escaped(tip)), shape_of(p.kind, x, y, size)]
    if not small:
        inside.append(words(_label(p), x, y + LOWER[p.kind], "label"))
        leaf = p.kind == "leaf"
        right = (x, y + size + 12) if leaf else (x + size + 5, y + 4)
        inside.append(words(" ", *right, "label value" if leaf else "value"))
        if not leaf and p.place.who.startswith("Player"):
            inside.append(words(p.place.who.lower(), x + size + 5, y + 15, "who"))
        elif not leaf:
            inside.append(words(" ", x + size + 5, y + 15, "bounds"))
    inside.append(words(" ", x - size - (3 if small else 9), y - size + 6, "sign"))
    if p.folded:
        inside.append(words(f"+{amount(p.folded)}", x, y + size + 12, "more"))
    return element("g", *inside, class_=f"mark {p.kind}", data_n=str(n), data_kind=p.kind)
