"""Plays of a game as values, and Hypothesis strategies that draw them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen
from hypothesis import assume
from hypothesis import strategies as st

from games.game import Game
from games.laws import rules
from games.laws.rules import Broken

MAX_PLIES = 40
"""How long a drawn play is at most, unless said otherwise."""

_GO_ON = st.integers(0, 31)  # 0 stops: most plays are long, and shrinking shortens them


@frozen(repr=False)
class Trace:
    """A play from the start: the choices made and the positions passed.

    A choice is a move, or the number of an outcome where chance moves.  The repr is code that
    makes the trace again.

    >>> from games import HANDOUT_SMALL
    >>> replay(HANDOUT_SMALL, [2, 1]).state
    Place(index=11)
    """

    game: Game[Any, Any]
    choices: tuple[Any, ...]
    states: tuple[Any, ...]

    @property
    def state(self) -> Any:
        """The position that the play ends in."""
        return self.states[-1]

    @property
    def plies(self) -> int:
        """How many choices were made."""
        return len(self.choices)

    def then(self, choice: Any) -> Trace:
        """The play with one more choice.

        Raises: `Broken` if a rule raises.
        """
        return self.with_state(choice, rules.choose(self.game, self.state, choice))

    def with_state(self, choice: Any, state: Any) -> Trace:
        """The play with one more choice, which is known to lead to `state`."""
        return Trace(self.game, (*self.choices, choice), (*self.states, state))

    def up_to(self, plies: int) -> Trace:
        """The first `plies` choices of the play."""
        return Trace(self.game, self.choices[:plies], self.states[: plies + 1])

    def __repr__(self) -> str:
        return f"replay({self.game!r}, {list(self.choices)!r})"


def replay(game: Game[Any, Any], choices: Iterable[Any] = ()) -> Trace:
    """The play that makes the given choices.

    Requires: each choice is possible where it is made.
    Raises: `Broken` if a rule raises.
    """
    trace = Trace(game, (), (rules.ask(game, "start"),))
    for choice in choices:
        trace = trace.then(choice)
    return trace


@st.composite
def traces(draw: st.DrawFn, game: Game[Any, Any], max_plies: int = MAX_PLIES) -> Trace:
    """Plays of a game from the start, at most `max_plies` long; they shrink to short ones.

    Ensures: a play ends early where a rule raises.

    >>> from hypothesis import find
    >>> from games import HANDOUT_SMALL
    >>> find(traces(HANDOUT_SMALL), lambda trace: trace.plies == 2).choices
    (0, 0)
    """
    trace = replay(game)
    for _ in range(max_plies):
        try:
            options = rules.options(game, trace.state)
            if not options or draw(_GO_ON) == 0:
                break
            choice, make = options[draw(st.integers(0, len(options) - 1))]
            trace = trace.with_state(choice, make())
        except Broken:
            break
    return trace


def states(game: Game[Any, Any], max_plies: int = MAX_PLIES) -> st.SearchStrategy[Any]:
    """Positions that play reaches within `max_plies`.

    >>> from hypothesis import find
    >>> from games import HANDOUT_SMALL
    >>> find(states(HANDOUT_SMALL), lambda state: HANDOUT_SMALL.status(state) != 0)
    Place(index=4)
    """
    return traces(game, max_plies).map(lambda trace: trace.state)


@st.composite
def state_and_move(
    draw: st.DrawFn, game: Game[Any, Any], max_plies: int = MAX_PLIES
) -> tuple[Any, Any]:
    """A reached position in which a player moves, and one of its moves.

    Requires: there is such a position.
    """
    trace = draw(traces(game, max_plies))
    for state in reversed(trace.states):
        if rules.in_play(game, state) and not rules.chance_moves(game, state):
            return state, draw(st.sampled_from(rules.moves(game, state)))
    assume(False)
    raise AssertionError("unreachable")
