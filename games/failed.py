"""The error of a rule that fails at some position, and of a position in play without moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral
from traceback import walk_tb
from typing import Any, Final

from games.game import CHANCE, Game, NoEstimate, Status, in_range
from graphs.arguments import is_finite, shown
from graphs.errors import JamboreeError, printable

TOLD: Final = 12
"""The most moves that a message names from each end of a long path."""
TEXT: Final = 1000
"""The most characters of a position, a path or a reason that a message repeats."""
NUMBER: Final = (float, Integral)
"""The classes of the values that searches take."""
STATUSES: Final = frozenset(Status)
SLACK: Final = 1e-6
"""How far the sum of the probabilities of outcomes may be from 1."""
NOTHING: Final = "it returned None,"


class RuleFailed(JamboreeError):
    """A rule raised an error, or returned a wrong result, at some position.

    `rule` is its name (`make_move` with the move), `state` the position, `moves` the moves and
    outcomes that led there, `error` a description of the error; an exception that the rule raised
    is the cause.  `branches` are the numbers of the branches before those moves, where a task knew
    the way by numbers only.  The message shortens what is long.
    """

    def __init__(
        self, rule: str, moves: tuple[str, ...], state: Any, error: str,
        branches: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(rule, moves, state, error, branches)
        self.rule, self.moves, self.state, self.error = rule, moves, state, error
        self.branches = branches

    def below(self, *branches: int) -> RuleFailed:
        """Return the same failure as seen from a position some plies earlier."""
        return self._with(self.moves, (*branches, *self.branches))

    def named(self, texts: Iterable[str]) -> RuleFailed:
        """Return the same failure with the texts of its branches in place of their numbers."""
        return self._with((*texts, *self.moves), ())

    def _with(self, moves: tuple[str, ...], branches: tuple[int, ...]) -> RuleFailed:
        same = type(self)(self.rule, moves, self.state, self.error, branches)
        same.__cause__ = self.__cause__
        return same

    @property
    def lacks_estimate(self) -> bool:
        """Return whether the game raised `NoEstimate`: a search to another depth may need no
        estimate."""
        cause = self.__cause__
        if isinstance(cause, RuleFailed):
            return cause.lacks_estimate
        return isinstance(cause, NoEstimate)

    def __str__(self) -> str:
        way = {"branches": self.branches, "moves": self.moves}
        paths = [f"the {kind} {shortened(path_text(path))}" for kind, path in way.items() if path]
        after = f"after {' and '.join(paths)}, " if paths else ""
        hint = "; does a path of it end without `return`?" if NOTHING in self.error else ""
        state, error = shortened(repr(self.state)), shortened(self.error)
        place = f" {after}in {state}" if self.rule != "start" else ""  # it makes the first position
        return printable(f"{shortened(self.rule)} failed{place}: {error}{hint}")


class TooLarge(RuleFailed):
    """A rule needs an int of more than 64 bits, which machine code does not have."""


class StateTooLarge(OverflowError):
    """A position holds an int of more than 64 bits."""


def path_text(path: Iterable[object], told: int = TOLD) -> str:
    """Return the texts of a path; of a long one, the `told` first and the last.

    >>> path_text(range(10), 2)
    '0 1 … (10 in all) … 8 9'
    """
    texts = [str(step) for step in path]
    if len(texts) > 2 * told:
        texts[told:-told] = [f"… ({len(texts):,} in all) …"]
    return " ".join(texts)


def text_of(error: Exception) -> str:
    """Return the class and the message of an error.

    >>> text_of(ValueError("no such square")), text_of(ValueError())
    ('ValueError: no such square', 'ValueError')
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def rule_in(error: Exception, game: object) -> str:
    """Return the name of the rule of a game in which an error was raised."""
    for frame, _ in walk_tb(error.__traceback__):
        name = frame.f_code.co_name
        if getattr(getattr(type(game), name, None), "__code__", None) is frame.f_code:
            return name
    return "a rule"


@contextmanager
def failures_named(
    game: object, state: Any, turns: Iterable[object], move: str | int = ""
) -> Iterator[None]:
    """Turn an error of a rule in the block into `RuleFailed`, with the turns before the position.

    Give the move that is made, if one is.
    """
    try:
        yield
    except RuleFailed as error:
        raise error.named(texts_of(turns)) from error
    except JamboreeError:
        raise
    except Exception as error:
        rule = rule_in(error, game)
        rule = f"{rule} {move}" if rule == "make_move" else rule
        raise RuleFailed(rule, texts_of(turns), state, text_of(error)) from error


def shortened(text: str, most: int = TEXT) -> str:
    """Return a text, or if it is longer than `most` characters, its beginning.

    >>> shortened("a short text", 20), shortened("a longer text", 8)
    ('a short text', 'a longer… (13 characters in all)')
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters in all)"


def wrong_status(found: Any) -> str:
    """Return what is wrong with a result of `status`; empty if nothing is."""
    number = isinstance(found, Integral) and not isinstance(found, bool)
    if isinstance(found, Status) or (number and found in STATUSES):
        return ""
    return f"it returned {found!r}, not a Status, such as Status.IN_PLAY"


def wrong_player(game: Game[Any, Any], found: Any) -> str:
    """Return what is wrong with a result of `player`; empty if nothing is."""
    if isinstance(found, int) and CHANCE <= found < game.players:
        return ""
    return f"it returned {found!r}, not a player from 0 to {game.players - 1}, or CHANCE"


def no_state(found: Any, state: Any) -> str:
    """Return what is wrong if a rule made nothing of a position; empty if it made something."""
    if found is not None or state is None:
        return ""
    return f"{NOTHING} not a {type(state).__name__}"


def wanted_value(game: Game[Any, Any], found: Any) -> str:
    """Return what `estimate` or `utility` must return, if `found` is no such value; else an empty
    text.

    >>> from games import TicTacToe
    >>> [wanted_value(TicTacToe(), found) for found in (0.5, None, float("nan"))]
    ['', 'a number: an int or a float', 'a number']
    """
    many = game.players
    if many > 2:
        tuples = isinstance(found, tuple) and len(found) == many
        if tuples and all(isinstance(part, NUMBER) and in_range(part) for part in found):
            return ""
        return f"a tuple of {many} numbers, one per player"
    if not isinstance(found, NUMBER):
        return "a number: an int or a float"
    if found != found:
        return "a number"
    return "" if in_range(found) else "a number from -WIN to WIN (see games.WIN)"


def wrong_outcomes(pairs: Sequence[Any]) -> str:
    """Return what is wrong with all outcomes of a position; empty if nothing is.

    >>> wrong_outcomes([(0.5, "a"), (0.5, "b")]), wrong_outcomes([("a", 0.5), ("b", 0.5)])
    ('', "it returned ('a', 0.5), not a probability from 0 to 1 first")
    >>> wrong_outcomes([(1.5, "a"), (-0.5, "b")])
    'probabilities must be above 0 and sum to 1, not [1.5, -0.5]'
    """
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            return f"it returned {shown(pair)}, not (probability, state)"
        if not (is_finite(pair[0]) or isinstance(pair[0], bool)):
            return f"it returned {shown(pair)}, not a probability from 0 to 1 first"
    odds = [probability for probability, _ in pairs]
    if all(p > 0 for p in odds) and abs(sum(odds) - 1) <= SLACK:
        return ""
    return f"probabilities must be above 0 and sum to 1, not {odds}"


def no_moves(
    game: Game[Any, Any], state: Any, way: Iterable[object] = (), rule: str = "moves"
) -> RuleFailed:
    """Return the error of a position in play whose `rule` returns no move; `way` leads to it."""
    text = f"it returned none, but status is {game.status(state)!r}"
    return RuleFailed(rule, texts_of(way), state, text)


def texts_of(way: Iterable[object]) -> tuple[str, ...]:
    """Return the texts of moves and of outcomes, which are given as numbers.

    >>> texts_of(["e4", 3])
    ('e4', 'outcome 3')
    """
    return tuple(f"outcome {turn}" if type(turn) is int else str(turn) for turn in way)


def moves_there(game: Game[Any, Any], state: Any, way: Iterable[object] = ()) -> list[Any]:
    """List the moves of a position in play where a player moves.

    Raises: `RuleFailed`, with the moves and outcomes of `way` that led there, if there are none.

    >>> from games import TicTacToe
    >>> moves_there(TicTacToe(), TicTacToe().start())
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    found = list(game.moves(state))
    if not found:
        raise no_moves(game, state, way)
    return found
