"""Laws of values, and their agreement with the status."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any, Final

from games.failed import wanted_value
from games.game import WIN, Status
from games.laws import rules
from games.laws.law import AnyGame, in_play, law_of_states, law_of_traces, over
from games.laws.rules import Broken
from games.laws.trace import Trace

ROUNDING: Final = 1e-9
"""The relative error allowed in a sum of values, because estimates are rounded."""


def is_number(value: Any) -> bool:
    """Return whether a value is a number that can be compared, so not NaN."""
    return isinstance(value, Real) and not isinstance(value, bool) and bool(value == value)


def numbers_of(game: AnyGame, value: Any, rule: str) -> tuple[Any, ...]:
    """Return the value as a tuple: one number, or one for each of more than two players.

    Raises: `Broken` if it is neither, or no search takes it.
    """
    values = value if game.players > 2 else (value,)
    wanted = wanted_value(game, value)
    if wanted or not all(map(is_number, values)):
        raise Broken(f"{rule} to be {wanted or 'a number'}", repr(value))
    found: tuple[Any, ...] = values
    return found


def no_range(game: AnyGame) -> str:
    """Return why the laws of the declared range do not apply."""
    return "" if game.value_range is not None else "the game declares no value_range"


def inside_range(game: AnyGame, value: Any, rule: str) -> None:
    low, high = game.value_range or (-WIN, WIN)
    if not all(low <= v <= high for v in numbers_of(game, value, rule)):
        raise Broken(f"{rule} from {low} to {high}, the value_range", repr(value))


@law_of_traces(no_range)
def value_range_is_finite(game: AnyGame, trace: Trace) -> int:
    """The declared range is a pair of finite numbers, the low one first."""
    given = game.value_range
    pair = isinstance(given, tuple) and len(given) == 2 and all(map(is_number, given))
    if not pair or not all(map(isfinite, given or ())) or not given or given[0] > given[1]:
        raise Broken("value_range to be two finite numbers, low and high", repr(given))
    return 1


@law_of_states(in_play)
def estimate_is_a_number(game: AnyGame, state: Any) -> None:
    """The estimate of a position in play is a number that searches take; with more than two
    players, one for each."""
    numbers_of(game, rules.ask(game, "estimate", state), "estimate")


@law_of_states(in_play)
def estimate_is_no_win(game: AnyGame, state: Any) -> None:
    """An estimate is strictly between Minnie's win and Maxie's win."""
    value = rules.ask(game, "estimate", state)
    if not all(-WIN < v < WIN for v in numbers_of(game, value, "estimate")):
        raise Broken(f"estimate strictly between {-WIN} and {WIN}", repr(value))


@law_of_states(in_play, no_range)
def estimate_is_in_range(game: AnyGame, state: Any) -> None:
    """An estimate is in the declared `value_range`."""
    inside_range(game, rules.ask(game, "estimate", state), "estimate")


def no_sum(game: AnyGame) -> str:
    """Return why the law of the declared sum does not apply."""
    if game.players < 3:
        return "a value is one number, as there are not more than two players"
    return "" if game.value_sum is not None else "the game declares no value_sum"


@law_of_states(unless=no_sum)
def values_keep_to_the_value_sum(game: AnyGame, state: Any) -> None:
    """With more than two players, their values sum to at most the declared `value_sum`, in play and
    at the end."""
    rule = "estimate" if rules.in_play(game, state) else "utility"
    values, most = numbers_of(game, rules.ask(game, rule, state), rule), game.value_sum
    if not is_number(most):
        raise Broken("value_sum to be a number", repr(most))
    if not sum(values) <= most + ROUNDING * max(map(abs, (most, *values))):
        raise Broken(f"{rule} to sum to at most {most}, the value_sum", f"{values!r}")


@law_of_states(over)
def utility_is_a_number(game: AnyGame, state: Any) -> None:
    """The utility of a finished position is a number that searches take; with more than two
    players, one for each."""
    numbers_of(game, rules.ask(game, "utility", state), "utility")


@law_of_states(over, no_range)
def utility_is_in_range(game: AnyGame, state: Any) -> None:
    """A utility is in the declared `value_range`."""
    inside_range(game, rules.ask(game, "utility", state), "utility")


@law_of_states(over)
def utility_agrees_with_status(game: AnyGame, state: Any) -> None:
    """Maxie's win is worth more than 0, Minnie's less; a draw is not a forced win.

    With more than two players, the winner has the most.
    """
    status, value = rules.ask(game, "status", state), rules.ask(game, "utility", state)
    if status == Status.OVER:
        return
    values = numbers_of(game, value, "utility")
    if game.players > 2:
        winner = {Status.MAXIE_WINS: 0, Status.MINNIE_WINS: 1}.get(status)
        if winner is not None and values[winner] != max(values):
            raise Broken(f"most for player {winner}, as {status.name}", repr(value))
    elif status == Status.MAXIE_WINS and not values[0] > 0:
        raise Broken("a utility above 0, as MAXIE_WINS", repr(value))
    elif status == Status.MINNIE_WINS and not values[0] < 0:
        raise Broken("a utility below 0, as MINNIE_WINS", repr(value))
    elif status == Status.DRAW and not -WIN < values[0] < WIN:
        raise Broken("a utility that is no forced win, as DRAW", repr(value))
