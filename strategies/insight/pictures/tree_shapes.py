"""The marks of a game tree, where they stand, their legend, and the state of each position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, inf, pi, sin
from typing import Any, Final

from attrs import define

from strategies.algorithms.fold import UNKNOWN, Interval
from strategies.insight.analysis.replays.drawn_tree import Spot, spots
from strategies.insight.analysis.replays.moments import Inside, Turned, What
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Candidate,
    Cut,
    Entered,
    Inlined,
    Led,
    Path,
    Returned,
    Windows,
)
from strategies.insight.pictures.fates import ALONE, signed
from strategies.insight.pictures.picture import element, number, width, words
from strategies.running.records.wording import bound, known, window

PLY = 74.0
"""The distance between plies, in pixels."""
SIZE = 15.0
"""The distance from the middle of a mark to its edge, in pixels."""
LOWER: Final = {"max": 10.0, "min": 1.0, "chance": 3.0, "leaf": 3.0}
"""How far below its middle a mark has its label, by its kind."""
MOST_CORNERS, HUES = 8, 4
"""The most corners of the mark of a player, and the number of their colours."""


def spread(
    p: Spot, at: dict[Path, float], left: float, room: Callable[[Spot], float],
    ends: Callable[[Spot], bool],
) -> float:  # fmt: skip
    """Place a position and its subtree from pixel `left` on; return the first pixel after them.

    Ensures: `at` has the middle of each position by its path; `room` is the width of one at which
    the tree `ends`, such as a leaf.
    """
    end = left
    if not ends(p):
        for below in p.below:
            end = spread(below, at, end, room, ends)
        at[p.path] = (at[p.below[0].path] + at[p.below[-1].path]) / 2
        return max(end, left + room(p))
    at[p.path] = left + room(p) / 2
    return left + room(p)


def lower(kind: str, player: int | None) -> float:
    """Return how far below its middle a mark has its label."""
    return LOWER["leaf" if player else kind]


def hue(player: int | None) -> str:
    """Return the class of the colour of a player; empty if players have no values of their own."""
    return "" if player is None else f" hue-{player % HUES}"


def shape_of(kind: str, x: float, y: float, size: float = SIZE, player: int | None = None) -> str:
    """Draw a mark with its middle at (x, y): a triangle, a circle, or the square of a leaf.

    Where every player has a value of their own, the first has a triangle, and each next one a
    corner more, up to eight, and another of four colours.

    >>> shape_of("chance", 20, 30)
    '<circle class="shape" cx="20" cy="30" r="15"/>'
    >>> shape_of("max", 20, 30, player=1)
    '<polygon class="shape hue-1" points="20,13.5 36.5,30 20,46.5 3.5,30"/>'
    """
    if player:
        points = _corners(min(3 + player, MOST_CORNERS), x, y, 1.1 * size)
        return element("polygon", class_=f"shape{hue(player)}", points=points)
    if kind == "leaf":
        wide, tall = 1.6 * size, 1.8 * size
        left, top = x - wide / 2, y - size
        return element("rect", class_="shape", x=left, y=top, width=wide, height=tall, rx=2.0)
    if kind == "chance":
        return element("circle", class_="shape", cx=x, cy=y, r=size)
    tip, half = (-size if kind == "max" else size), 1.2 * size
    ends = f"{number(x)},{number(y + tip)} {number(x - half)},{number(y - tip)}"
    corners = f"{ends} {number(x + half)},{number(y - tip)}"
    return element("polygon", class_=f"shape{hue(player)}", points=corners)


def _corners(count: int, x: float, y: float, size: float) -> str:
    """Return the corners of a regular polygon that stands on a side, or is a diamond."""
    turns = [2 * pi * k / count for k in range(count)]
    return " ".join(f"{number(x + size * sin(a))},{number(y - size * cos(a))}" for a in turns)


ROW = 22.0
"""The height of a row of a legend, in pixels."""
LINES = {
    "branch spark": "a spark: asked for ahead of time",
    "branch line": "the best line",
    "branch unread": "not visited",
}
"""The kinds of lines between positions, and their meanings."""


def tree_key(
    every: Sequence[Spot], states: Sequence[Mapping[Path, State]], left: float, across: float,
    y: float,
) -> tuple[list[str], float]:  # fmt: skip
    """Return the legend of a tree under some states, from y on, and where it ends.

    Ensures: it lists what occurs, and nothing else.
    """
    found = [state.get(p.path, State()) for state in states for p in every]
    fates = signed({state.fate for state in found})
    lines = {
        "branch spark": any(state.fate not in ALONE for state in found),
        "branch line": any(len(best_line(dict(state))) > 1 for state in states),
        "branch unread": not all(state.seen for state in found),
    }
    items = list(_movers(every).items())
    items += [((f"fate-{f}", None), text) for f, text in fates.items()]
    items += [((kind, None), LINES[kind]) for kind, occurs in lines.items() if occurs]
    out, x = [], left
    for mark, text in items:
        if x > left and x + 26 + width(text) > left + across:
            x, y = left, y + ROW
        out += [_sample(*mark, x, y), words(text, x + 26, y + 4, "key")]
        x += 44 + width(text)
    return out, y + ROW


def _movers(every: Sequence[Spot]) -> dict[tuple[str, int | None], str]:
    """Return the marks that occur, as kind and player, and who moves there."""
    found = {(p.kind, p.player): p.place.who for p in every}
    order = ("max", "min", "chance", "leaf")
    said = {"chance": "chance moves", "leaf": "a leaf"}
    marks = sorted(found, key=lambda mark: (order.index(mark[0]), mark[1] or 0))
    return {mark: said.get(mark[0], f"{found[mark]} moves") for mark in marks}


def _sample(kind: str, player: int | None, x: float, y: float) -> str:
    """Draw what a line of the legend explains."""
    if kind.startswith("branch"):
        return element("path", class_=kind, d=f"M{x:.0f} {y:.0f}h20")
    if kind.startswith("fate-"):
        shape = element("rect", class_="shape", x=x + 2, y=y - 7, width=16.0, height=14.0, rx=2.0)
        return element("g", element("g", shape, class_=f"sample {kind}"), class_="tree")
    return element("g", shape_of(kind, x + 10, y, 7.0, player), class_=f"sample {kind}")


IDLE: Final = ("cut", "fizzled", "known")
"""What becomes of branches that nothing is searched of, until something is."""


@define
class State:
    """The state of one position."""

    seen: bool = False
    open: bool = False
    """Whether the search is in it."""
    value: Candidate | None = None
    """Its result, once it is left."""
    fate: str = ""
    """What became of its branch: one of `fates.FATES`, or nothing for a step."""
    searched: str = ""
    """What became of it when it was searched: a spark on it that fizzles later changes nothing."""
    lead: int | None = None
    """The branch that is the best so far."""
    ab: Windows | None = None
    """The window of its last search, unless values are those of several players."""
    proved: Interval | None = None
    """The bounds on its value that its searches prove, unless values are those of several."""

    @property
    def window(self) -> str:
        """Return the window as text; empty if there is none."""
        if self.ab is None:
            return ""
        low, high = self.ab
        if low.shown or high.shown:
            return f"({low.shown or bound(low.value)}, {high.shown or bound(high.value)})"
        return window((low.value, high.value))

    @property
    def claim(self) -> str:
        """Return what is proved of the value, once it is left: the value, or a bound on it."""
        if self.value is None:
            return ""
        return bound(self.value.value) if self.proved is None else known(self.proved)

    def tips(self, leaf: bool) -> list[str]:
        """Return the window, but not of a leaf, and the value, as a tooltip tells them."""
        found = [f"window {self.window}"] if self.window and not leaf else []
        return [*found, f"value {self.claim}"] if self.value else found


class TreeStates:
    """The states of the positions of a tree, step by step."""

    def __init__(self, root: Spot) -> None:
        self.spots = {p.path: p for p in spots(root)}
        self.found: dict[Path, State] = {}

    def at(self, path: Path) -> State:
        return self.found.setdefault(path, State())

    def add(self, what: What) -> None:
        """Note a step."""
        path = what.place.path
        if isinstance(what, Entered):
            state = self.at(path)
            state.seen = state.open = True
            state.ab = what.ab
            state.fate = "" if state.fate in IDLE else state.fate
        elif isinstance(what, Returned):
            self.returned(self.at(path), what)
        elif isinstance(what, Led):
            self.at(path).lead = what.best.move
        elif isinstance(what, Inside):
            for i in what.branches:
                self.at((*path, i)).seen = True
        elif isinstance(what, (Cut, Inlined, Turned)):
            for i in what.branches:
                _turn(self.at((*path, i)), what)

    def returned(self, state: State, what: Returned) -> None:
        """Note the result of a position."""
        state.open, state.value = False, what.best
        spot = self.spots.get(what.place.path)
        found = None if spot is None else self.proof(spot, state, what.best.value)
        if found is None:
            return
        old = state.proved or UNKNOWN
        both = max(found[0], old[0]), min(found[1], old[1])
        state.proved = both if both[0] <= both[1] else found  # a mean may be rounded

    def proof(self, spot: Spot, state: State, value: Any) -> Interval | None:
        """Return the bounds on the value of a position that the leaves below it prove.

        None if values are those of several players, or if positions below are not drawn.
        """
        if isinstance(value, tuple):
            return None
        below = [self.at(b.path) for b in spot.below]
        if spot.kind == "leaf" or not spot.path:  # the window of the root is open
            return value, value
        if not below or any(b.value is not None and b.proved is None for b in below):
            return None
        inner = [b.proved or UNKNOWN for b in below]
        if spot.kind != "chance":
            pick = max if spot.kind == "max" else min
            return pick(lo for lo, _ in inner), pick(hi for _, hi in inner)
        low, high = state.ab or OPEN
        if all(lo == hi for lo, hi in inner):
            return value, value
        return (-inf if value < high.value else value, inf if value > low.value else value)


def states_after(steps: Iterable[What], root: Spot) -> dict[Path, State]:
    """Return the states of all positions that the steps of a search or run tell of.

    >>> from games import HANDOUT_FIRST
    >>> from strategies import alphabeta, search
    >>> from strategies.insight.analysis.replays.drawn_tree import drawn_tree
    >>> from strategies.insight.analysis.replays.replayed import replayed
    >>> answer = search(HANDOUT_FIRST, alphabeta(2))
    >>> moments = replayed(answer.compute()).moments
    >>> states = states_after((m.what for m in moments), drawn_tree(answer.plan, []))
    >>> states[1, 1].fate, states[1,].claim, states[()].claim
    ('cut', '≤2', '3')
    """
    states = TreeStates(root)
    for what in steps:
        states.add(what)
    return states.found


def _turn(state: State, what: Cut | Inlined | Turned) -> None:
    """Note what became of a branch."""
    if isinstance(what, Turned):
        if what.fate in ("converted", "aborted"):
            state.searched = what.fate
        fate = state.searched if what.fate in IDLE and state.seen else what.fate
        state.fate = fate if what.spark else state.fate
    elif isinstance(what, Inlined):
        state.fate = state.fate or "inlined"
    elif not state.seen and (state.fate in ALONE or state.fate == "asked"):
        state.fate = "cut"


def best_line(states: dict[Path, State]) -> set[Path]:
    """Return the positions on the line of best branches so far."""
    path: Path = ()
    found = {path}
    while path in states and (lead := states[path].lead) is not None:
        path = (*path, lead)
        found.add(path)
    return found
