"""Tells a position as people see it: its board, whose turn it is, the moves by their names."""

from __future__ import annotations

from html import escape
from typing import Any

from attrs import Factory, field, frozen

from games.arguments import check_game
from games.game import CHANCE, Game, IllegalMove, Status, player_name
from graphs.errors import ArgumentError

MOST = 60
"""Moves that are named; of more, so many and how many others there are."""
LONGEST = 40
"""Characters of a move's name; a longer one is cut."""


def shortened(value: object) -> str:
    """Writes a value in a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@frozen
class Position:
    """A position of a game, to look at: `print` it, or let a notebook show it.

    Requires: a state of the game, or ArgumentError; without one, it is the start.

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
            written = repr(self.state) if isinstance(self.state, str) else '"…"'
            raise ArgumentError(
                f"a state of {name} must be a {kind.__name__}, not {shortened(self.state)}: "
                f"to play moves, write Position(game).after({written})"
            )

    def _is_known(self) -> bool:
        """Return whether the rules know such a state: a game may have states of several classes."""
        try:
            return self.game.status(self.state) in list(Status)
        except Exception:  # whatever rules do with what they never make
            return False

    def after(self, moves: Any) -> Position:
        """Play moves: a text of their names with blanks between them, or a move as the game has it.

        Raises: IllegalMove, with the legal moves, for any that is none.
        """
        state = self.state
        for move in moves.split() if isinstance(moves, str) else [moves]:
            state = self.game.make_move(state, Position(self.game, state)._read(move))
        return Position(self.game, state)

    def _read(self, move: Any) -> Any:
        """The legal move that is meant."""
        if self.game.status(self.state) != Status.IN_PLAY:
            raise IllegalMove(f"{shortened(move)} cannot be played: the game is over, {self.turn}")
        if self.game.player(self.state) == CHANCE:
            raise IllegalMove(
                f"{shortened(move)} cannot be played: {self.turn}; go on from one of them, "
                "Position(game, state) for a (probability, state) of game.outcomes(p.state)"
            )
        if isinstance(move, str):
            return self.game.parse_move(self.state, move)
        if move not in list(self.game.moves(self.state)):
            raise IllegalMove(
                f"{shortened(move)} is not a legal move; give a move of the game, or a text of "
                f"names, of which these are legal: {' '.join(self._named())}"
            )
        return move

    @property
    def moves(self) -> list[str]:
        """The names of the legal moves, in their order."""
        return [self.game.move_text(self.state, move) for move in self.game.moves(self.state)]

    @property
    def turn(self) -> str:
        """Whose turn it is, or how the game has ended."""
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

    def __str__(self) -> str:
        return f"{self.game.show(self.state)}\n{self._told(' '.join(self._named()))}"

    def _named(self) -> list[str]:
        moves = self.moves
        more = [f"… {len(moves) - MOST:,} more"] if len(moves) > MOST else []
        return [m if len(m) <= LONGEST else f"{m[: LONGEST - 1]}…" for m in moves[:MOST]] + more

    def _told(self, moves: str) -> str:
        return f"{self.turn}: {moves}" if moves else self.turn

    def _repr_html_(self) -> str:
        """Show board, turn and moves in a notebook, in the colours of the page around them."""
        moves = " ".join(f"<code>{escape(text)}</code>" for text in self._named())
        return f"<pre>{escape(self.game.show(self.state))}</pre><p>{self._told(moves)}</p>"
