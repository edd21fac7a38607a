"""The state of each position of a tree after a search: its value, and what became of its branch."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
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
from strategies.insight.pictures.fates import ALONE
from strategies.running.records.wording import bound, known, window

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
