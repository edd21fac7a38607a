"""Chess, by the rules of the library python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, Final

from attrs import field, frozen

from games.adapters.fen import unplayable, unreadable
from games.adapters.missing import library
from games.game import MAXIE, MINNIE, WIN, Game, IllegalMove, Status
from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import MalformedError

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WORTH: Final = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
"""The value of each piece, in hundredths of a pawn."""


def board_of(fen: str) -> Any:
    """Return the board of a text in Forsyth-Edwards notation (FEN).

    Raises: ValueError, one line, with line and column, unless it is a playable position.
    """
    chess = library("chess", "chess")
    try:
        board = chess.Board(fen)
    except ValueError:
        raise MalformedError(unreadable(fen, chess.Board)) from None
    if not board.is_valid():
        faults = [f.name.lower() for f in chess.Status if f and f in board.status() and f.name]
        raise MalformedError(unplayable(fen, faults))
    return board


def position(fen: str) -> Position:
    """Return the position of a text in Forsyth-Edwards notation."""
    board = board_of(fen)
    return Position(board.fen(), board)


@frozen
class Position:
    """A position as its text in Forsyth-Edwards notation, which is what is pickled."""

    fen: str
    live: Any = field(eq=False, repr=False)
    """The board of python-chess, which must not be changed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return position, (self.fen,)


@frozen
class Chess(Game[Position, str]):
    """Chess; White is Maxie, and a move is written as UCI does: ``e2e4``, ``e7e8q``.

    A play ends by mate, stalemate, insufficient material, or 75 moves by each without a capture or
    a pawn move.  A position has no history, so repetition is not detected.  The estimate is the
    material, White's minus Black's, in hundredths of a pawn; derive a class with a better one,
    which may read ``state.live``.  Captures come first among the moves, which suits alpha-beta.
    Texts of moves are algebraic, ``Nf3``, or those of UCI.

    Requires: python-chess, or ValueError that says what to install.
    The rules run interpreted and hold Python's lock; for parallel searches, use processes.
    """

    native = False
    value_range = (-WIN, WIN)

    fen: str = START

    def __attrs_post_init__(self) -> None:
        board_of(self.fen)

    def start(self) -> Position:
        return position(self.fen)

    def status(self, state: Position) -> Status:
        outcome = state.live.outcome()
        if outcome is None:
            return Status.IN_PLAY
        if outcome.winner is None:
            return Status.DRAW
        return Status.MAXIE_WINS if outcome.winner else Status.MINNIE_WINS

    def player(self, state: Position) -> int:
        return MAXIE if state.live.turn else MINNIE

    def moves(self, state: Position) -> Iterator[str]:
        if state.live.outcome() is None:
            board = state.live
            for move in sorted(board.legal_moves, key=board.is_capture, reverse=True):
                yield move.uci()

    def make_move(self, state: Position, move: str) -> Position:
        board = state.live.copy(stack=False)
        board.push_uci(move)
        return Position(board.fen(), board)

    def estimate(self, state: Position) -> int:
        total = 0
        for piece in state.live.piece_map().values():
            worth = WORTH[piece.symbol().lower()]
            total += worth if piece.color else -worth
        return total

    def key(self, state: Position) -> U64:
        """Return the transposition key of a position: a hash of its text."""
        return U64(int.from_bytes(blake2b(state.fen.encode(), digest_size=8).digest()))

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Position) -> str:
        mover = "White" if state.live.turn else "Black"
        return f"{state.live}\n{mover} moves"

    def label(self, state: Position) -> str:
        return " ".join(state.fen.split()[:2])

    def move_text(self, state: Position, move: str) -> str:
        chess = library("chess", "chess")
        return str(state.live.san(chess.Move.from_uci(move)))

    def parse_move(self, state: Position, text: str) -> str:
        legal = {move: self.move_text(state, move) for move in self.moves(state)}
        word = text.strip()
        for move, san in legal.items():
            if word in (move, san, san.rstrip("+#")):
                return move
        known = " ".join(legal.values()) or "none"
        raise IllegalMove(f"{shown(word)} is not a legal move; legal moves: {known}")

    def parse_state(self, text: str) -> Position:
        """Read a position: a text in Forsyth-Edwards notation, or moves from the start.

        Raises: ValueError, with line and column, for a text of neither; IllegalMove for a move that
        is not legal.
        """
        if "/" in text:
            return position(text)
        return super().parse_state(text)
