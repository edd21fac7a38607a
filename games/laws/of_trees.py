"""Laws of trees that are no games: what enumeration and optimisation take for granted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from games.laws import rules
from games.laws.law import AnyGame, a_player_moves, law_of_states, law_of_traces
from games.laws.of_hooks import without
from games.laws.rules import Broken
from games.laws.trace import Trace


@law_of_traces(without("measure", "combine"))
def combining_is_associative(game: Any, trace: Trace) -> int:
    """Measures of three nodes combine to the same result, whichever two are combined first."""
    measures = [game.measure(state) for state in trace.states]
    tested = 0
    for a, b, c in zip(measures, measures[1:], measures[2:], strict=False):
        left = game.combine(game.combine(a, b), c)
        right = game.combine(a, game.combine(b, c))
        if left != right and not _rounded(left, right):
            raise Broken(f"{left!r}, as the first two were combined first", f"{right!r}")
        tested += 1
    return tested


def _rounded(left: Any, right: Any) -> bool:
    """Return whether two floats differ only by rounding."""
    numbers = isinstance(left, float) and isinstance(right, float)
    return numbers and abs(left - right) <= 1e-9 * max(abs(left), abs(right))


def unsorted(game: AnyGame) -> str:
    """Return why the law of sorted bounds does not apply to a game."""
    return "" if getattr(game, "sorted_bounds", False) else "the game does not say sorted_bounds"


@law_of_states(a_player_moves, unsorted)
def sorted_bounds_never_rise(game: AnyGame, state: Any) -> None:
    """With `sorted_bounds`, no branch has a greater upper bound than a branch to its left."""
    children = rules.children(game, state)
    most = [rules.ask(game, "bounds", child)[1] for _, child in children]
    for n, (left, right) in enumerate(pairwise(most), 1):
        if right > left:
            raise Broken(f"an upper bound of at most {left!r} at branch {n}", f"{right!r}")
