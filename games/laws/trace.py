"""Plays of a game as values, and Hypothesis strategies that draw them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Any

from attrs import frozen
from hypothesis import assume, note
from hypothesis import strategies as st

from games.answers import answers
from games.game import Game, check_game
from games.laws import rules
from games.laws.rules import Broken, Hung
from graphs.arguments import check_integers, shown
from graphs.errors import ArgumentError

MAX_PLIES = 40
"""The default of the most plies of a drawn play."""

ASKED = ("status", "player", "moves", "outcomes", "estimate", "utility")
"""The rules that must return the same twice in a drawn position."""
_STOP, _PASS, _FIRST = 0, 1, 2
"""The numbers drawn for a ply: the end of the play, nothing, or a choice (2 is the first)."""
_WIDTH = 65
"""The highest number drawn, unless there are more choices; a play stops at one ply in 66."""
_UNREAD = 128
"""The most numbers drawn beyond the number of plies."""


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
        """Return the last position of the play."""
        return self.states[-1]

    @property
    def plies(self) -> int:
        """Return the number of choices."""
        return len(self.choices)

    def then(self, choice: Any) -> Trace:
        """Return the play with one more choice.

        Raises: `Broken` if a rule raises.
        """
        return self.with_state(choice, rules.choose(self.game, self.state, choice))

    def with_state(self, choice: Any, state: Any) -> Trace:
        """Return the play with one more choice, which leads to `state`."""
        return Trace(self.game, (*self.choices, choice), (*self.states, state))

    def up_to(self, plies: int) -> Trace:
        """Return the first `plies` choices of the play."""
        return Trace(self.game, self.choices[:plies], self.states[: plies + 1])

    def __repr__(self) -> str:
        return f"replay({self.game!r}, {list(self.choices)!r})"


def replay(game: Game[Any, Any], choices: Iterable[Any] = ()) -> Trace:
    """Return the play with the given choices.

    Requires: each choice is possible in its position.
    Raises: `Broken` if a rule raises.
    """
    if isinstance(choices, (str, bytes)) or not isinstance(choices, Iterable):
        raise ArgumentError(f"choices must be a row of moves and chances, not {shown(choices)}")
    trace = Trace(game, (), (rules.ask(check_game(game), "start"),))
    for choice in choices:
        trace = trace.then(choice)
    return trace


class Cut(BaseException):
    """Raised if a rule does not return within the limit, so that no more plays are drawn."""

    def __init__(self, trace: Trace, hung: Hung) -> None:
        super().__init__(str(hung))
        self.trace, self.hung = trace, hung


class Impure(BaseException):
    """Raised if a rule that is called twice returns two results, so that no test can be repeated.

    Hypothesis passes it on at once, while it would call other errors flaky.
    """


@st.composite
def traces(draw: st.DrawFn, game: Game[Any, Any], max_plies: int = MAX_PLIES) -> Trace:
    """Draw plays of a game from the start, at most `max_plies` long; they shrink to short ones.

    Ensures: a play ends early if a rule raises.
    Raises: `Impure` if a rule returns two results in one position.

    >>> from hypothesis import find
    >>> from games import HANDOUT_SMALL
    >>> find(traces(HANDOUT_SMALL), lambda trace: trace.plies == 2).choices
    (0, 0)
    """
    trace = draw(drawn(game, max_plies))
    check_fixed(trace)
    return trace


def check_fixed(trace: Trace) -> None:
    """Check that a play leads to the same positions again, and that rules return the same there.

    Raises: `Impure`.
    """
    try:
        again = replay(trace.game, trace.choices).states
    except Broken as broken:
        raise _impure(trace, trace.plies, broken.expected, broken.got) from broken
    for ply, (state, other) in enumerate(zip(trace.states, again, strict=True)):
        if state != other:
            raise _impure(trace, ply, f"the position {state!r}", repr(other))
        first, second = (
            {rule: answer.text for rule, answer in answers(trace.game, state, ASKED).items()}
            for _ in range(2)
        )
        for rule, answer in first.items():
            if second.get(rule) != answer:
                raise _impure(trace, ply, f"{rule} {answer}", str(second.get(rule)))


def _impure(trace: Trace, ply: int, once: str, again: str) -> Impure:
    return Impure(
        f"the rules of {type(trace.game).__name__} are not fixed: after the choices "
        f"{list(trace.choices[:ply])}, {once} became {again} when the rules were called again; "
        "rules must use no random numbers, no clock and nothing that they change"
    )


@st.composite
def drawn(draw: st.DrawFn, game: Game[Any, Any], max_plies: int) -> Trace:
    """Draw plays as `traces` does, of rules that need not be fixed."""
    # Hypothesis shortens a test by leaving out numbers, lowering them, and moving an amount from
    # one to a later one.  So a play is one number per ply, all of one range; a number may mean no
    # choice; and after the end of the play, numbers are read until one means stop, so that a play
    # whose early choices are left out ends where it ended before.
    check_integers(0, max_plies=max_plies)
    trace, options, read = replay(game), None, 0
    while read < max_plies + _UNREAD:
        if options is None:
            options = _options(trace, max_plies)
        number = draw(_numbers(max(_WIDTH, len(options) - 1 + _FIRST)))
        read += 1
        if number == _STOP:
            break
        if number == _PASS or not options:
            continue
        choice, make = options[(number - _FIRST) % len(options)]
        try:
            trace, options = trace.with_state(choice, make()), None
        except Hung as hung:
            raise Cut(trace, hung) from None
        except Broken:
            options = ()
    return trace


def random_play(game: Game[Any, Any], max_plies: int, random: Random) -> Trace:
    """Play at random, every choice equally likely; a play ends early if a rule raises.

    Raises: `Cut` if a rule does not return within the limit.
    """
    trace = replay(game)
    while options := _options(trace, max_plies):
        choice, make = random.choice(options)
        try:
            trace = trace.with_state(choice, make())
        except Hung as hung:
            raise Cut(trace, hung) from None
        except Broken:
            break
    return trace


@cache
def _numbers(most: int) -> st.SearchStrategy[int]:
    """Return the strategy for numbers up to `most`; looking it up took a fifth of a play."""
    return st.integers(0, most)


def _options(trace: Trace, max_plies: int) -> tuple[tuple[Any, Callable[[], Any]], ...]:
    """Return the next choices of a drawn play; none if it is long enough, or a rule raises.

    Raises: `Cut` if a rule does not return within the limit.
    """
    if trace.plies >= max_plies:
        return ()
    try:
        return rules.options(trace.game, trace.state)
    except Hung as hung:
        raise Cut(trace, hung) from None
    except Broken:
        return ()


def in_order(game: Game[Any, Any]) -> Iterator[Trace]:
    """Yield the shortest play to each position, plays of fewer choices first, then of earlier ones.

    A play ends if a rule raises, or positions cannot be hashed.

    Raises: `Cut` if a rule does not return within the limit, if there is one.
    """
    row, seen = deque([replay(game)]), set()
    while row:
        trace = row.popleft()
        yield trace
        try:
            for choice, state in rules.children(game, trace.state):
                if state not in seen:
                    seen.add(state)
                    row.append(trace.with_state(choice, state))
        except Hung as hung:
            raise Cut(trace, hung) from None
        except Exception:
            continue


def states(game: Game[Any, Any], max_plies: int = MAX_PLIES) -> st.SearchStrategy[Any]:
    """Return a strategy for positions that play reaches within `max_plies`.

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
    """Draw a reachable position in which a player moves, and one of its moves.

    If a test fails on it, Hypothesis prints the moves that lead there.

    Requires: there is such a position.
    """
    trace = draw(traces(game, max_plies))
    for ply in reversed(range(len(trace.states))):
        state = trace.states[ply]
        if rules.in_play(game, state) and not rules.chance_moves(game, state):
            move = draw(st.sampled_from(rules.moves(game, state)))
            note(f"The position is that of {trace.up_to(ply)!r}")
            return state, move
    assume(False)
    raise AssertionError("unreachable")
