"""The trees of searches or replays: every mark and branch has the number of its position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from strategies.insight.analysis.replays.drawn_tree import MOVE, Spot, spots
from strategies.insight.analysis.replays.moments import Replay, Task
from strategies.insight.analysis.trace_steps import Path
from strategies.insight.pictures.fates import ALONE, FATES, SIGNS
from strategies.insight.pictures.picture import (
    Picture,
    element,
    escaped,
    number,
    picture_of,
    width,
    words,
)
from strategies.insight.pictures.tree_shapes import (
    PLY,
    SIZE,
    hue,
    lower,
    shape_of,
    spread,
    tree_key,
)
from strategies.insight.pictures.tree_states import State, best_line, states_after
from strategies.running.records.wording import amount, seconds, shortened

MANY = 120
"""The number of positions above which marks are small and have no names."""
SMALL: Final = MappingProxyType({True: (7.0, 44.0), False: (SIZE, PLY)})
"""For small marks and others: their size, and the least distance between plies, in pixels."""
ROWS, ROW, COLUMN = 12, 16.0, 26.0
"""Small leaves of one node hang in columns: how many in each, and the room of one, in pixels."""
EDGE = 26.0
"""The space around the tree, in pixels."""
TREE_STYLE: Final = """
.jam .tree .sign,.jam .task .sign{font-size:13px;font-weight:700;text-anchor:middle}
.jam .tree .label.value{text-anchor:middle}
.jam .tree .mark{cursor:pointer}
.jam .tree .mark.open .shape{stroke-width:3}
.jam .tree .leaf .shape{fill:var(--field)}
.jam .tree .mark.pruned .shape{fill:var(--paper)}
.jam .tree .fate-converted .sign,.jam .tree .fate-started .sign,
.jam .tree .fate-created .sign{fill:var(--sparked)}
.jam .tree .fate-fizzled .sign,.jam .tree .fate-aborted .sign,
.jam .tree .fate-cut .sign{fill:var(--bad)}
.jam .tree .fate-converted .shape,.jam .tree .fate-started .shape{fill:var(--spark);
stroke:var(--sparked)}
.jam .tree .fate-opened .shape,.jam .tree .fate-created .shape,.jam .tree .fate-asked .shape{
stroke:var(--sparked)}
.jam .tree .fate-fizzled .shape{stroke:var(--bad);stroke-dasharray:2 2}
.jam .tree .fate-aborted .shape{fill:var(--aborted);stroke:var(--bad);stroke-dasharray:6 2}
.jam .tree .fate-known .shape{fill:var(--known);stroke-dasharray:1 2}
.jam .tree .fate-cut .shape{fill:var(--paper);stroke-dasharray:3 3}
.jam .tree .fate-dud .shape{fill:var(--dud);stroke-dasharray:3 2}
.jam .shape.hue-0,.jam .tree .shape.hue-0{stroke:var(--hue0);stroke-width:2.4}
.jam .shape.hue-1,.jam .tree .shape.hue-1{stroke:var(--hue1);stroke-width:2.4}
.jam .shape.hue-2,.jam .tree .shape.hue-2{stroke:var(--hue2);stroke-width:2.4}
.jam .shape.hue-3,.jam .tree .shape.hue-3{stroke:var(--hue3);stroke-width:2.4}
.jam .tree .mark.here .shape{stroke:var(--ink);stroke-width:4.5}
.jam .tree .mark.lit .shape{stroke:var(--ink);stroke-width:4.5;stroke-dasharray:2 2}
.jam .tree .mark .who{font-size:9px;fill:var(--soft);font-weight:400;text-anchor:start}
.jam .tree .mark .who.hue-0{fill:var(--hue0)}.jam .tree .mark .who.hue-1{fill:var(--hue1)}
.jam .tree .mark .who.hue-2{fill:var(--hue2)}.jam .tree .mark .who.hue-3{fill:var(--hue3)}
.jam .tree .mark .more{font-size:8px;fill:var(--soft)}
.jam .bar.running{fill:var(--field);stroke:var(--line)}
.jam .bar.dud{fill:var(--dud);stroke:var(--line);stroke-dasharray:3 2}
.jam .bar.fizzled+.sign{fill:var(--reply)}
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
    root: Spot, longest: int, states: Mapping[Path, State] | None = None, *, many: int = MANY
) -> tuple[str, float, float]:
    """Return a tree as a group, its width and its height; painted, if states are given.

    Above `many` positions marks are small, without names and values.
    """
    every = list(spots(root))
    small = len(every) > many
    painter = _Painter(every, states, small)
    at, across = _places(root, every, small, lambda p: painter.room(p, longest))
    hung = {below.path for p in every if small and _hangs(p) for below in p.below}
    parts = [
        painter.branch(n, p, at[p.path[:-1]], at[p.path], p.path in hung)
        for n, p in enumerate(every)
        if n
    ]
    parts += [painter.mark(n, p, *at[p.path]) for n, p in enumerate(every)]
    tall = max(y for _, y in at.values()) + SMALL[small][0] + EDGE
    return element("g", *parts, class_="tree small" if small else "tree"), across, tall


def _places(
    root: Spot, every: Sequence[Spot], small: bool, room: Callable[[Spot], float]
) -> tuple[dict[Path, tuple[float, float]], float]:
    """Return the middle of each mark, and the width."""
    x: dict[Path, float] = {}
    ends = _hangs if small else lambda p: not p.below
    across = spread(root, x, EDGE, room, ends) + EDGE
    plies, (_, least) = max(1, *(len(p.path) for p in every)), SMALL[small]
    ply = max(least, min(1.6 * PLY, across / (4 * plies)))  # a wide tree is high as well
    at = {path: (middle, EDGE + ply * len(path)) for path, middle in x.items()}
    for p in every:
        if small and _hangs(p):
            left, top = at[p.path][0] - room(p) / 2, at[p.path][1] + least
            for i, below in enumerate(p.below):
                column, row = divmod(i, ROWS)
                at[below.path] = left + _column(p) * column + 14, top + ROW * row
    return at, across


def _hangs(p: Spot) -> bool:
    """Return whether all branches of a position are leaves of the drawn tree, if any."""
    return not any(below.below for below in p.below)


def _column(p: Spot) -> float:
    return COLUMN + (10 if any(below.folded for below in p.below) else 0)


class _Painter:
    """Draws marks and branches: blank, or as the states say."""

    def __init__(
        self, every: Sequence[Spot], states: Mapping[Path, State] | None, small: bool
    ) -> None:  # fmt: skip
        self.states, self.size, self.small = states, SMALL[small][0], small
        self.line = best_line(dict(states)) if states else set()
        self.named = any(p.player for p in every)

    def state(self, p: Spot) -> State:
        return (self.states or {}).get(p.path) or State(seen=self.states is None)

    def room(self, p: Spot, longest: int) -> float:
        """Return the width in pixels of a leaf, or of a small node whose leaves hang in columns."""
        if self.small:
            return _column(p) * max(1, -(-len(p.below) // ROWS))
        move, (value, under) = 1.8 * width(shortened(p.move, MOVE), 10), self.texts(p)
        own = 6.5 * longest + 20 if p.kind == "leaf" else 13 * max(longest, 4) + 2 * SIZE
        if p.kind != "leaf":
            own = max(own, max(width(value, 11), width(under, 9)) + 2 * SIZE + 14)
        return max(width(p.label) + 14, 46.0, own, width(value) + 6, move)

    def texts(self, p: Spot) -> tuple[str, str]:
        """Return the value of a position, and the text under it: who moves, or its window."""
        state = self.state(p)
        named = self.named and p.kind != "chance"
        return state.claim or " ", p.place.who if named else state.window or " "

    def branch(
        self, n: int, p: Spot, start: tuple[float, float], end: tuple[float, float], hung: bool
    ) -> str:
        (x0, y0), (x, y) = start, end
        y0, y = y0 + self.size, y - self.size
        way = f"M{number(x0)} {number(y0)}L{number(x)} {number(y)}"
        if hung:  # below others of its column
            y, left = y + self.size, x - self.size
            top = start[1] + SMALL[True][1] - ROW
            way = f"M{number(x0)} {number(y0)}L{number(left - 4)} {number(top)}V{number(y)}"
            way += f"H{number(left)}"
        state = self.state(p)
        kind = "branch" + (" spark" if state.fate not in ALONE else "")
        kind += ("" if state.seen else " unread") + (" line" if p.path in self.line else "")
        drawn = element("path", d=way, class_=kind, data_n=str(n))
        if self.small:
            return drawn
        text = shortened(p.move, MOVE)
        return drawn + words(text, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3 + 3, "name", "middle")

    def mark(self, n: int, p: Spot, x: float, y: float) -> str:
        size, state = self.size, self.state(p)
        inside = [element("title", escaped(self.tip(p))), shape_of(p.kind, x, y, size, p.player)]
        value, under = self.texts(p)
        if not self.small:
            inside.append(words(p.label, x, y + lower(p.kind, p.player), "label"))
            if p.kind == "leaf":
                inside.append(words(value, x, y + size + 12, "label value"))
            else:
                right = x + size + 5
                inside.append(words(value, right, y + 4, "value"))
                how = f"who{hue(p.player)}" if self.named else "bounds"
                inside.append(words(under, right, y + 15, how))
        sign = SIGNS.get(state.fate, " ")
        beside = 3 if self.small or p.kind == "leaf" else 9
        inside.append(words(sign, x - size - beside, y - size + 6, "sign"))
        if p.folded:
            at = (x + size + 1, y + 3) if self.small else (x, y + size + 12)
            inside.append(words(f"+{amount(p.folded)}", *at, "more"))
        kind = f"mark {p.kind}" + ("" if state.seen else " pruned")
        kind += (" open" if state.open else "") + (f" fate-{state.fate}" if state.fate else "")
        return element("g", *inside, class_=kind, data_n=str(n), data_kind=p.kind)

    def tip(self, p: Spot) -> str:
        """Return the tooltip of a mark."""
        state, lines = self.state(p), [p.name]
        lines += [] if p.shown == p.place.label else [p.shown]
        if self.states is not None:
            lines += [FATES[state.fate]] if state.fate in FATES else []
            lines += [] if state.seen or state.fate else ["never searched"]
            lines += state.tips(p.kind == "leaf")
        return "\n".join(lines)


TOP, LANE, LEFT, GAP = 92.0, 24.0, 14.0, 28.0
"""In pixels: the space above the trees, the height of a lane, the left edge, the space between."""


def draw_replay(root: Spot, replays: Sequence[Replay]) -> Picture:
    """Draw replays of one search on its tree, as they are at their ends.

    Ensures: the same text for the same replays.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, search
    >>> from strategies.insight.analysis.replays.drawn_tree import drawn_tree
    >>> from strategies.insight.analysis.replays.replayed import replayed
    >>> answer = search(HANDOUT_SMALL, alphabeta(2))
    >>> replay = replayed(answer.compute())
    >>> draw_replay(drawn_tree(answer.plan, [replay]), [replay]).svg.count("✂<")
    2
    """
    end = max(replay.end for replay in replays)
    parts, left, tall = [], LEFT, 0.0
    states = [states_after((m.what for m in replay.moments), root) for replay in replays]
    for replay, state in zip(replays, states, strict=True):
        side, across, high = _side(root, replay, state, end)
        parts.append(element("g", *side, transform=f"translate({left:.0f} 0)"))
        left, tall = left + across + GAP, max(tall, high)
    wide = left - GAP
    key, low = tree_key(list(spots(root)), states, LEFT, wide - LEFT, tall + 16)
    parts.append(element("g", *key, class_="legend"))
    title = " and ".join(replay.title for replay in replays)
    return picture_of(title, parts, wide + LEFT, low, TREE_STYLE)


def _side(
    root: Spot, replay: Replay, states: Mapping[Path, State], end: float
) -> tuple[list[str], float, float]:
    counts = replay.counts()
    tree, across, tall = tree_group(root, 3, states)

    def told(x: float) -> str:
        return f"{x:,.0f}" if replay.ticks else seconds(x)

    costs = f"leaves {counts.get('leaves', 0):,}, work {told(counts.get('work', 0))}"
    sparks = ", ".join(
        f"{counts[name]:.0f} {name}"
        for name in ("converted", "fizzled", "aborted", "opened")
        if counts.get(name)
    )
    parts = [
        words(replay.title, 0, 30, "head"),
        words(f"{costs}, span {told(counts.get('span', 0))}", 0, 52, "sub"),
        words(f"sparks: {sparks}" if sparks else "no sparks", 0, 70, "sub"),
        element("g", tree, transform=f"translate(0 {TOP - 12:.0f})"),
    ]
    top = TOP + tall
    scale = (across - 30) / (end or 1)
    for worker in range(replay.workers):
        y = top + LANE * worker
        parts.append(words(str(worker + 1), 4, y + 12, "clock"))
        parts += [_bar(t, scale, y) for t in replay.tasks if t.worker == worker]
    return parts, across, top + LANE * replay.workers


def _bar(task: Task, scale: float, y: float) -> str:
    kind = "step" if task.role == "step" else task.became
    x, across = 20 + scale * task.start, max(4.0, scale * (task.end - task.start) - 1)
    bar = element("rect", class_=f"bar {kind}", x=x, y=y, width=across, height=LANE - 8, rx=2.0)
    sign = SIGNS.get(kind, "") if across > 14 else ""
    return element("g", bar, words(sign, x + across / 2, y + 12, "sign"), class_="task")
