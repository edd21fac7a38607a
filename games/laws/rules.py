"""Call the rules of a game one at a time, so that an error in a rule breaks a law."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from traceback import extract_tb
from typing import Any

from games.game import CHANCE, Game, NoEstimate, Status
from games.laws.limits import TooLong, limit_here, within_limit
from graphs.arguments import shown

GENERATORS = ("moves", "moves_in_play", "children", "outcomes", "candidates", "rollout_moves")
PLAY = ("start", "status", "player", "moves", "outcomes", "make_move")
"""The rules that must return in every position."""
MANY = 100_000
"""The most moves or outcomes of a position; a generator of more counts as endless."""


class Broken(AssertionError):
    """Raised if a law does not hold: the expected result, the actual one, and the moves `then` that
    show it.

    `ply` is the ply of the play at which it was found; None is its last.  A law about many plays
    sets `trace` to the play.  `more` returns further details that take long to find; it is called
    when the shortest moves are known.  Results that are not texts are written as `repr` does, and a
    single move stands for a row of one.

    >>> print(Broken("at most 2 tokens", 3))
    expected at most 2 tokens, got 3
    """

    def __init__(self, expected: object, got: object, then: Any = ()) -> None:
        self.expected, self.got = (
            each if isinstance(each, str) else repr(each) for each in (expected, got)
        )
        super().__init__(f"expected {self.expected}, got {self.got}")
        self.then: tuple[Any, ...] = tuple(then) if isinstance(then, (tuple, list)) else (then,)
        self.ply: int | None = None
        self.trace: Any = None
        self.more: Callable[[], str] | None = None


class Raised(Broken):
    """Raised if a rule raised an error where it should have returned."""


class Hung(Broken):
    """Raised if a rule did not return within the limit."""


def ask(game: Game[Any, Any], rule: str, *args: Any, most: int = MANY + 1) -> Any:
    """Return the result of a rule; generators are read to their end, or up to `most` elements.

    Raises: `Raised` if the rule raises, except `NoEstimate` if the rule is not in `PLAY`; `Broken`
    if a generator yields more than `MANY`; `Hung` if it exceeds the current time limit.
    """
    try:
        answer = within_limit(partial(_answer, game, rule, args, most), (rule, args))
    except TooLong as error:
        seconds = limit_here()
        expected = f"{called(rule, args)} to answer within {seconds:g} s"
        raise Hung(expected, f"no answer{_at(error)}", _then(rule, args)) from None
    except KeyboardInterrupt as stop:
        noted(stop, f"rule {called(rule, args)}", *args[:1])
        raise
    except Exception as error:
        if isinstance(error, NoEstimate) and rule not in PLAY:
            raise
        got = f"{type(error).__name__}: {error}"
        raise Raised(f"{called(rule, args)} to answer", got, _then(rule, args)) from error
    if isinstance(answer, tuple) and rule in ("moves", "outcomes") and len(answer) > MANY:
        raise Broken(f"{rule} to end", f"more than {MANY} of them")
    return answer


def _answer(game: Game[Any, Any], rule: str, args: tuple[Any, ...], most: int) -> Any:
    answer = getattr(game, rule)(*args)
    return tuple(islice(answer, most)) if rule in GENERATORS else answer


def called(rule: str, args: tuple[Any, ...]) -> str:
    """Return the text of a call of a rule: its name, and its arguments except the state."""
    return f"{rule}({', '.join(map(shown, args[1:]))})" if args[1:] else rule


def _then(rule: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return args[1:] if rule == "make_move" else ()


def _at(error: BaseException) -> str:
    """Return where a call was when it was stopped."""
    *_, last = extract_tb(error.__traceback__)
    return "" if last.filename == __file__ else f"; it was in {last.name}, line {last.lineno}"


def noted(stop: BaseException, what: str, *state: Any) -> None:
    """Add a note to an error: what was being called, and where; the innermost note comes first."""
    where = f" in {state[0]!r}" if state else ""
    stop.add_note(f"{what}{where}")


def unlike(value: Any, other: Any) -> str:
    """Return the text of the other of two unequal values, and a remark if both print alike."""
    text = repr(other)
    if text != repr(value):
        return text
    own = vars(object)["__eq__"] is getattr(type(other), "__eq__", None)
    why = f"{type(other).__name__} equals only itself (eq=False)" if own else "they are unequal"
    return f"{text}, which prints alike, but {why}"


def in_play(game: Game[Any, Any], state: Any) -> bool:
    return bool(ask(game, "status", state) == Status.IN_PLAY)


def chance_moves(game: Game[Any, Any], state: Any) -> bool:
    return bool(ask(game, "player", state) == CHANCE)


def moves(game: Game[Any, Any], state: Any, most: int = MANY + 1) -> tuple[Any, ...]:
    answer: tuple[Any, ...] = ask(game, "moves", state, most=most)
    return answer


def outcomes(game: Game[Any, Any], state: Any) -> tuple[tuple[float, Any], ...]:
    answer: tuple[tuple[float, Any], ...] = ask(game, "outcomes", state)
    for outcome in answer:
        if not isinstance(outcome, tuple) or len(outcome) != 2:
            raise Broken("outcomes that are pairs (probability, position)", repr(outcome))
    return answer


def options(
    game: Game[Any, Any], state: Any, most: int = MANY + 1
) -> tuple[tuple[Any, Callable[[], Any]], ...]:
    """Return the choices of a position, each with a call that makes the next position.

    A choice is a move, or the number of an outcome if chance moves; at most `most` of them.
    """
    if not in_play(game, state):
        return ()
    if chance_moves(game, state):
        return tuple(
            (i, partial(_same, child)) for i, (_, child) in enumerate(outcomes(game, state))
        )
    return tuple((m, partial(ask, game, "make_move", state, m)) for m in moves(game, state, most))


def children(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, Any], ...]:
    """Return each choice of a position with the next position."""
    return tuple((choice, make()) for choice, make in options(game, state))


def choose(game: Game[Any, Any], state: Any, choice: Any) -> Any:
    """Return the position after a possible choice."""
    if chance_moves(game, state):
        return outcomes(game, state)[choice][1]
    return ask(game, "make_move", state, choice)


def _same(state: Any) -> Any:
    return state
