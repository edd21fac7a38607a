"""Positions as people see and write them: a board, whose turn it is, moves by name.

They are read from texts in the notation of the game, from turns, or from both.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape
from typing import Any

from attrs import Factory, field, frozen

from games.game import CHANCE, Game, IllegalMove, Status, check_game, player_name
from games.text_places import place_of
from graphs.arguments import shown
from graphs.errors import ArgumentError, MalformedError, unstyled
from graphs.limits import MOST_SEMICOLONS, MOVES_TOLD, TOLD_MOVE_LETTERS


@frozen
class Position:
    """A position of a game to look at: `print` it, or display it in a notebook.

    Requires: a state of the game, or ArgumentError; the default is the start.

    >>> from games import TicTacToe
    >>> print(Position(TicTacToe()).after("5 1 9"))
    O . .
    . X .
    . . X
    Minnie to move: 2 3 4 6 7 8
    """

    game: Game[Any, Any]
    state: Any = field(default=Factory(lambda self: check_game(self.game).start(), takes_self=True))

    def __attrs_post_init__(self) -> None:
        check_game(self.game)
        kind = type(self.game.start())
        if not isinstance(self.state, kind) and not self._is_known():
            name = type(self.game).__name__
            written = shown(self.state) if isinstance(self.state, str) else '"…"'
            raise ArgumentError(
                f"a state of {name} must be a {kind.__name__}, not {shown(self.state)}: "
                f"to play moves, write Position(game).after({written})"
            )

    def _is_known(self) -> bool:
        """Return whether the rules accept the state; a game may have states of several classes."""
        try:
            return self.game.status(self.state) in list(Status)
        except Exception:  # rules may raise anything for an object that is not their state
            return False

    def after(self, moves: Any) -> Position:
        """Return the position after turns: a text of them separated by blanks, or one move.

        A turn is the name of a move or, where chance moves, the number of an outcome or the label
        of the position after it.

        Raises: IllegalMove, with the legal moves or the outcomes, if a turn is not one of them.
        """
        state = self.state
        turns = self.game.split_turns(moves) if isinstance(moves, str) else [(moves, "")]
        for turn, _ in turns:
            state = Position(self.game, state)._after(turn)
        return Position(self.game, state)

    def _after(self, turn: Any) -> Any:
        """Return the state after a turn."""
        if self.game.status(self.state) != Status.IN_PLAY:
            raise IllegalMove(f"{shown(turn)} cannot be played: the game is over, {self.turn}")
        if self.game.player(self.state) == CHANCE:
            return self.game.parse_outcome(self.state, str(turn))
        if isinstance(turn, str):
            turn = self.game.parse_move(self.state, turn)
        elif turn not in list(self.game.moves(self.state)):
            raise IllegalMove(
                f"{shown(turn)} is not a legal move; give a move of the game, or a text of "
                f"names, of which these are legal: {' '.join(self._named())}"
            )
        return self.game.make_move(self.state, turn)

    @property
    def moves(self) -> list[str]:
        """Return the names of the legal moves, in order."""
        return [self.game.move_text(self.state, move) for move in self.game.moves(self.state)]

    @property
    def turn(self) -> str:
        """Return whose turn it is, or how the game has ended."""
        status = self.game.status(self.state)
        if status == Status.OVER:
            return f"over, with {self.game.utility(self.state)!s}"
        if status != Status.IN_PLAY:
            return status.name.lower().replace("_", " ").capitalize()
        player = self.game.player(self.state)
        if player == CHANCE:
            return (
                f"chance draws one of {sum(1 for _ in self.game.outcomes(self.state)):,} outcomes"
            )
        return f"{player_name(player)} to move"

    @property
    def svg(self) -> str:
        """Return the board as SVG, in the colours of the text around it; "" if the game draws none.

        >>> from games import Pig, TicTacToe
        >>> Position(TicTacToe()).svg[:4], Position(Pig()).svg
        ('<svg', '')
        """
        return self._drawn()[0]

    @property
    def board(self) -> str:
        """Return the position as HTML: its picture, or else its text."""
        return "".join(self._drawn())

    def _drawn(self) -> tuple[str, str]:
        """Return the picture, and what is written under it."""
        board, text = self.game.picture(self.state), unstyled(self.game.show(self.state))
        svg = board.svg(text) if board else ""
        below = board.below if board and svg else text
        return svg, f'<pre style="font-family:monospace">{escape(below)}</pre>' if below else ""

    def __str__(self) -> str:
        return f"{self.game.show(self.state)}\n{_told(self.turn, ' '.join(self._named()))}"

    def _named(self) -> list[str]:
        return cut_names(self.moves)

    def _repr_html_(self) -> str:
        """Show the board, the turn and the moves in a notebook, in the colours of its page."""
        moves = " ".join(f"<code>{escape(text)}</code>" for text in self._named())
        return f"{self.board}<p>{_told(escape(self.turn), moves)}</p>"


def _told(turn: str, moves: str) -> str:
    return f"{turn}: {moves}" if moves else turn


def cut_names(moves: Sequence[str]) -> list[str]:
    """Return the names of moves, long ones cut; after `MOVES_TOLD`, only how many more there are.

    >>> cut_names(["1", "2" * 50])[1][-3:]
    '22…'
    """
    more = [f"… {len(moves) - MOVES_TOLD:,} more"] if len(moves) > MOVES_TOLD else []
    return [
        m if len(m) <= TOLD_MOVE_LETTERS else f"{m[: TOLD_MOVE_LETTERS - 1]}…"
        for m in moves[:MOVES_TOLD]
    ] + more


def read_position(game: Game[Any, Any], text: str) -> Any:
    """Read a position from a text that the game reads, or from turns, or from both with ; between.

    A turn is a move, by its text, or an outcome of chance, by its number from 0 or the label of the
    position after it.  Turns are played from the position before the last semicolon, or the start.
    An empty text is the start.

    Raises: ValueError, with line and column, for another text; `IllegalMove` for a turn that the
    rules do not allow.

    >>> from games import Pig
    >>> for text in "40 52", "roll 5", "40 52; roll 5 hold":
    ...     print(Pig().show(read_position(Pig(), text)))
    40 52, Maxie has brought 0
    0 0, Maxie has brought 6
    46 52, Minnie has brought 0
    """
    if not text.strip():
        return game.start()
    try:
        return game.parse_state(text)
    except (ValueError, NotImplementedError) as error:  # the latter if the game reads no text
        refused = error
    if text.count(";") > MOST_SEMICOLONS:
        raise refused
    before, semicolon, _ = text.rpartition(";")
    if semicolon:
        if before.rstrip().endswith(";"):
            where = place_of(text, len(before))
            raise MalformedError(f"{where}: there is nothing between two semicolons")
        return game.read_turns(text, read_position(game, before), len(before) + 1)
    try:
        return game.read_turns(text)
    except ValueError as error:
        raise (error if _begins(game, text) else refused) from None


def _begins(game: Game[Any, Any], text: str) -> bool:
    """Return whether the first word is a turn from the start, so that the text is one of turns."""
    for blanks in "", ",":
        with suppress(IllegalMove):
            game.played(game.split_turns(text, blanks)[:1])
            return True
    return False
