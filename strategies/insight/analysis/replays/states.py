"""What is known of each position after some moments of a replay."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from strategies.insight.analysis.replays.moments import Moment, Turned
from strategies.insight.analysis.trace_steps import Candidate, Cut, Entered, Led, Path, Returned


@define
class State:
    """The state of one position."""

    seen: bool = False
    open: bool = False
    """Whether the search is in it."""
    value: Candidate | None = None
    """Its result, once it is left."""
    fate: str = ""
    """What became of its branch, as in `Turned`; or ``cut``."""
    lead: int | None = None
    """The branch that is the best so far."""


def states_after(moments: Iterable[Moment]) -> dict[Path, State]:
    """Return the states of all positions that the moments tell of.

    >>> from games import HANDOUT_FIRST
    >>> from strategies import alphabeta, search
    >>> from strategies.insight.analysis.replays.replayed import replayed
    >>> moments = replayed(search(HANDOUT_FIRST, alphabeta(2)).compute()).moments
    >>> states_after(moments)[1, 1].fate, str(states_after(moments)[()].value)
    ('cut', 'Step(0, Guess: 3)')
    """
    found: dict[Path, State] = {}

    def at(path: Path) -> State:
        return found.setdefault(path, State())

    for what in (m.what for m in moments):
        if isinstance(what, Entered):
            at(what.place.path).seen = at(what.place.path).open = True
        elif isinstance(what, Returned):
            state = at(what.place.path)
            state.open, state.value = False, what.best
        elif isinstance(what, Led):
            at(what.place.path).lead = what.best.move
        elif isinstance(what, Cut):
            for i in what.branches:
                state = at((*what.place.path, i))
                state.fate = state.fate or ("" if state.seen else "cut")
        elif isinstance(what, Turned) and what.spark:
            for i in what.branches:
                at((*what.place.path, i)).fate = what.fate
    return found


def best_line(states: dict[Path, State]) -> set[Path]:
    """Return the positions on the line of best branches so far."""
    path: Path = ()
    found = {path}
    while path in states and (lead := states[path].lead) is not None:
        path = (*path, lead)
        found.add(path)
    return found
