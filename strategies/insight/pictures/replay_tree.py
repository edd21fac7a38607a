"""The tree of a replay as a picture: every mark and branch has the number of its position."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from strategies.insight.analysis.replays.drawn_tree import Spot, spots
from strategies.insight.analysis.replays.states import State, best_line
from strategies.insight.analysis.trace_steps import Path
from strategies.insight.pictures.svg import element, escaped, number, width, words
from strategies.insight.pictures.tree_shapes import LOWER, shape_of, spread
from strategies.running.records.wording import amount, bound, shortened

MANY = 120
"""The number of positions above which marks are small and have no names."""
SMALL: Final = MappingProxyType({True: (7.0, 44.0), False: (15.0, 74.0)})
"""For small marks and others: their size, and the distance between plies, in pixels."""
LABEL, MOVE = 5, 8
"""The most characters of a label in a mark, and of a move on a branch."""
EDGE = 26.0
"""The space around the tree, in pixels."""
SIGNS: Final = MappingProxyType(
    {
        "created": "◇", "started": "▸", "converted": "✓", "fizzled": "✕", "known": "=",
        "aborted": "⊘", "dud": "·", "opened": "⊞", "inlined": "↓", "cut": "✂",
    }
)  # fmt: skip
"""The signs of what becomes of branches: colour is never the only one."""
TREE_STYLE: Final = """
.jam .tree .sign,.jam .task .sign{font-size:13px;font-weight:700;text-anchor:middle}
.jam .tree .mark{cursor:pointer}
.jam .tree .mark.open .shape{stroke-width:3}
.jam .tree .mark.leaf .shape{fill:var(--field)}
.jam .tree .mark.pruned .shape{fill:var(--paper)}
.jam .tree .fate-converted .sign,.jam .tree .fate-started .sign,
.jam .tree .fate-created .sign{fill:var(--sparked)}
.jam .tree .fate-fizzled .sign,.jam .tree .fate-aborted .sign,
.jam .tree .fate-cut .sign{fill:var(--bad)}
.jam .tree .fate-fizzled .shape,.jam .tree .fate-aborted .shape{stroke:var(--bad);
stroke-dasharray:4 2}
.jam .tree .fate-aborted .shape{fill:var(--aborted)}
.jam .tree .mark.here .shape{stroke:var(--ink);stroke-width:4.5}
.jam .tree .mark.lit .shape{stroke:var(--ink);stroke-width:4.5;stroke-dasharray:2 2}
.jam .tree .mark .who{font-size:9px;fill:var(--soft);font-weight:400;text-anchor:start}
.jam .tree .mark .more{font-size:8px;fill:var(--soft)}
.jam .bar.running{fill:var(--field);stroke:var(--line)}
.jam .bar.dud{fill:var(--dud);stroke:var(--line);stroke-dasharray:3 2}
.jam .bar.fizzled{fill:var(--paper);stroke:var(--bad)}
"""
"""The style of the tree and of the lanes of a replay."""


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
    tree, across, tall = tree_group(root, longest)
    return element(
        "svg", tree, class_="jam", width=across, height=tall,
        viewBox=f"0 0 {across:.0f} {tall:.0f}", role="img", aria_label=name,
    )  # fmt: skip


def tree_group(
    root: Spot, longest: int, states: Mapping[Path, State] | None = None
) -> tuple[str, float, float]:
    """Return a tree as a group, its width and its height; painted, if states are given."""
    every = list(spots(root))
    small = len(every) > MANY
    size, ply = SMALL[small]
    at: dict[Path, float] = {}
    across = spread(root, at, EDGE, lambda p: _room(p, small, longest)) + EDGE
    tall = 2 * EDGE + size + ply * max(len(p.path) for p in every)
    painter = _Painter(states, size, small)

    def place(path: Path) -> tuple[float, float]:
        return at[path], EDGE + ply * len(path)

    parts = [
        painter.branch(n, p, place(p.path[:-1]), place(p.path))
        for n, p in enumerate(every)
        if p.path
    ]
    parts += [painter.mark(n, p, *place(p.path)) for n, p in enumerate(every)]
    return element("g", *parts, class_="tree small" if small else "tree"), across, tall


def _room(p: Spot, small: bool, longest: int) -> float:
    """Return the width of a leaf in pixels."""
    if small:
        return 18.0
    move = 1.8 * width(shortened(p.move, MOVE), 10)
    value = 6.5 * longest + 20
    return max(width(_label(p)) + 14, 54.0 if p.below else 46.0, value, move)


def _label(p: Spot) -> str:
    return p.place.label if len(p.place.label) <= LABEL else ""


class _Painter:
    """Draws marks and branches: blank, or as the states say."""

    def __init__(self, states: Mapping[Path, State] | None, size: float, small: bool) -> None:
        self.states, self.size, self.small = states, size, small
        self.line = best_line(dict(states)) if states else set()

    def state(self, p: Spot) -> State:
        return (self.states or {}).get(p.path) or State(seen=self.states is None)

    def branch(
        self, n: int, p: Spot, start: tuple[float, float], end: tuple[float, float]
    ) -> str:  # fmt: skip
        (x0, y0), (x, y) = start, end
        y0, y = y0 + self.size, y - self.size
        way = f"M{number(x0)} {number(y0)}L{number(x)} {number(y)}"
        state = self.state(p)
        kind = "branch" + (" spark" if state.fate not in ("", "cut") else "")
        kind += ("" if state.seen else " unread") + (" line" if p.path in self.line else "")
        drawn = element("path", d=way, class_=kind, data_n=str(n))
        if self.small:
            return drawn
        text = shortened(p.move, MOVE)
        return drawn + words(text, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3 + 3, "name", "middle")

    def mark(self, n: int, p: Spot, x: float, y: float) -> str:
        size, state = self.size, self.state(p)
        tip = f"{p.place}\n{p.shown}" if p.shown != p.place.label else str(p.place)
        inside = [element("title", escaped(tip)), shape_of(p.kind, x, y, size)]
        value = " " if state.value is None else bound(state.value.value)
        right = x + size + 5
        if not self.small:
            inside.append(words(_label(p), x, y + LOWER[p.kind], "label"))
            if p.kind == "leaf":
                inside.append(words(value, x, y + size + 12, "label value"))
            else:
                many = p.place.who.startswith("Player")
                below = (p.place.who.lower(), "who") if many else (" ", "bounds")
                inside.append(words(value, right, y + 4, "value"))
                inside.append(words(below[0], right, y + 15, below[1]))
        sign = SIGNS.get(state.fate, " ")
        inside.append(words(sign, x - size - (3 if self.small else 9), y - size + 6, "sign"))
        if p.folded:
            inside.append(words(f"+{amount(p.folded)}", x, y + size + 12, "more"))
        kind = f"mark {p.kind}" + ("" if state.seen else " pruned")
        kind += (" open" if state.open else "") + (f" fate-{state.fate}" if state.fate else "")
        return element("g", *inside, class_=kind, data_n=str(n), data_kind=p.kind)
