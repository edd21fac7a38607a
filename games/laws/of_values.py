"""Laws of values, and their agreement with the status; of the texts of positions and moves."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any

from games.board import Board
from games.game import WIN, IllegalMove, Status
from games.laws import rules
from games.laws.law import AnyGame, a_player_moves, in_play, law_of_states, law_of_traces, over
from games.laws.rules import Broken, Raised
from games.laws.trace import Trace


def is_number(value: Any) -> bool:
    """Return whether a value is a number that can be compared, so not NaN."""
    return isinstance(value, Real) and not isinstance(value, bool) and bool(value == value)


def numbers_of(game: AnyGame, value: Any, rule: str) -> tuple[Any, ...]:
    """Return the value as a tuple: one number, or one for each of more than two players.

    Raises: `Broken` if it is neither.
    """
    many = game.players > 2
    values = value if many else (value,)
    if not isinstance(values, tuple) or not all(map(is_number, values)):
        raise Broken(
            f"{rule} to be {f'{game.players} numbers' if many else 'a number'}", repr(value)
        )
    if many and len(values) != game.players:
        raise Broken(f"{rule} to be {game.players} numbers, one a player", repr(value))
    return values


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
    """The estimate of a position in play is a number; with more than two players, one for each."""
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


@law_of_states(over)
def utility_is_a_number(game: AnyGame, state: Any) -> None:
    """The utility of a finished position is a number; with more than two players, one for each."""
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


NONSENSE = ("", "no-such-move")
MOST_READ_BACK = 400
"""About the most moves that the reading of texts compares with, in one position."""
MOST_READ = 4000
"""About the most moves that the reading of foreign texts compares with, in one play."""


@law_of_states()
def pictures_are_texts(game: AnyGame, state: Any) -> None:
    """`show` and `label` return texts, the label is one line, and `picture` is a board or None."""
    for rule in ("show", "label"):
        text = rules.ask(game, rule, state)
        if not isinstance(text, str):
            raise Broken(f"{rule} to be a text", repr(text))
        if rule == "label" and "\n" in text:
            raise Broken("label to be one line", repr(text))
    board = rules.ask(game, "picture", state)
    if board is not None and not isinstance(board, Board):
        raise Broken("picture to be a Board or None", repr(board))


@law_of_states(a_player_moves)
def move_texts_are_words(game: AnyGame, state: Any) -> None:
    """The texts of the moves of a position are distinct, and none is empty or contains a blank."""
    seen: dict[str, Any] = {}
    for move in rules.moves(game, state):
        text = rules.ask(game, "move_text", state, move)
        if not isinstance(text, str) or not text or text.split() != [text]:
            raise Broken(f"the text of move {move!r} to be one word", repr(text))
        if text in seen:
            raise Broken(f"a text of its own for move {move!r}", f"{text!r}, as {seen[text]!r}")
        seen[text] = move


@law_of_states(a_player_moves)
def move_texts_are_read_back(game: AnyGame, state: Any) -> None:
    """The text of a move is read back as that move.

    Where there are many moves, the law tries some of them.
    """
    legal = rules.moves(game, state)
    step = -(-len(legal) * len(legal) // MOST_READ_BACK)
    for move in legal[len(legal) % max(step, 1) :: max(step, 1)]:
        text = rules.ask(game, "move_text", state, move)
        try:
            read = game.parse_move(state, text)
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
            raise Broken(f"{text!r} to be read as move {move!r}", got) from error
        if read != move:
            raise Broken(f"{text!r} to be read as move {move!r}", repr(read))


@law_of_traces()
def foreign_texts_are_refused(game: AnyGame, trace: Trace) -> int:
    """A text that is not a legal move is refused with `IllegalMove`.

    The law tries nonsense texts, and the moves of earlier positions: all of them in small games,
    and some at each position in games of many moves.
    """
    texts = dict.fromkeys(NONSENSE)
    read = 0
    for ply, state in enumerate(trace.states):
        try:
            legal = rules.moves(game, state)
            here = dict.fromkeys(str(rules.ask(game, "move_text", state, m)) for m in legal)
        except Raised:
            return ply
        foreign = [text for text in texts if text not in here]
        share = max(1, MOST_READ // (len(trace.states) * (len(legal) + 1)))
        step = -(-len(foreign) // share)
        for text in foreign[ply % max(step, 1) :: max(step, 1)]:
            read += len(legal) + 1
            try:
                refused(game, state, text, legal)
            except Broken as broken:
                broken.ply = ply
                raise
        if read > MOST_READ:
            return ply + 1
        texts |= here
    return len(trace.states)


def refused(game: AnyGame, state: Any, text: str, legal: tuple[Any, ...]) -> None:
    """Raise `Broken` unless `text` is a legal move or is refused."""
    try:
        read = game.parse_move(state, text)
    except IllegalMove:
        return
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        raise Broken(f"{text!r} to be refused with IllegalMove", got) from error
    if read not in legal:
        raise Broken(f"{text!r}, no legal move, to be refused with IllegalMove", f"move {read!r}")
