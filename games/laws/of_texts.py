"""Laws of the texts of positions and moves."""

from __future__ import annotations

from typing import Any

from games.board import Board
from games.game import Game, IllegalMove, NoEstimate
from games.laws import rules
from games.laws.law import AnyGame, a_player_moves, law_of_states, law_of_traces
from games.laws.of_values import is_number
from games.laws.rules import Broken, Raised, unlike
from games.laws.trace import Trace
from games.transforms.transform import Transform

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


@law_of_traces()
def metrics_are_numbers(game: AnyGame, trace: Trace) -> int:
    """The metrics of a play are numbers by their names."""
    drawn = 0
    for ply, state in enumerate(trace.states):
        try:
            found = rules.ask(game, "metrics", trace.states[0], state, drawn)
            named = isinstance(found, dict) and all(isinstance(name, str) for name in found)
            if not named or not all(map(is_number, found.values())):
                raise Broken("metrics to be a dict of numbers by their names", repr(found))
            drawn += rules.in_play(game, state) and rules.chance_moves(game, state)
        except Broken as broken:
            broken.ply = ply
            raise
    return len(trace.states)


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
def positions_are_read_back(game: AnyGame, trace: Trace) -> int:
    """The texts of its turns are read as the position to which they lead, unless `parse_state` is
    the game's own and refuses them; a text of `show` or `label` is refused, or read as a position
    of the same text, unless neither that rule nor `parse_state` is the game's own: the default text
    of a state such as 4 may be that of a turn.  A text is refused with a ValueError, such as
    `IllegalMove`."""
    try:
        turns, state = turns_of(game, trace), trace.state
        texts = {rule: rules.ask(game, rule, state) for rule in ("show", "label")}
    except (Raised, NoEstimate):
        return 0
    read = parsed(game, turns)
    if read is None and not is_own(game, "parse_state"):
        raise Broken(f"{turns!r} to be read as {state!r}", "that it is refused")
    if read is not None and read[0] != state:
        raise Broken(f"{turns!r} to be read as {state!r}", unlike(state, read[0]))
    for rule, text in texts.items():
        read = parsed(game, text)
        again = text if read is None else rules.ask(game, rule, read[0])
        if again != text and (is_own(game, rule) or is_own(game, "parse_state")):
            raise Broken(f"{text!r} to be refused, or read as a position of that {rule}", again)
    return 1


def is_own(game: AnyGame, rule: str) -> bool:
    """Return whether a game, or the one below its transforms, defines a rule that has a default."""
    while isinstance(game, Transform):
        game = game.game
    return getattr(type(game), rule) is not getattr(Game, rule)


def turns_of(game: AnyGame, trace: Trace) -> str:
    """Return the texts of the turns of a play, with blanks between them."""
    return " ".join(
        f"#{choice}"
        if rules.chance_moves(game, state)
        else str(rules.ask(game, "move_text", state, choice))
        for choice, state in zip(trace.choices, trace.states, strict=False)
    )


def parsed(game: AnyGame, text: str) -> tuple[Any] | None:
    """Return the position that `parse_state` reads, in a row of one; None if it refuses the text.

    Raises: `Broken` for any other error.
    """
    try:
        return (game.parse_state(text),)
    except ValueError:
        return None
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        raise Broken(f"parse_state({text!r}) to answer, or a ValueError", got) from error


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
