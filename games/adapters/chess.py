"""Chess and Chess960, by the rules of the library python-chess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from typing import Any, Final, Self

from attrs import field, frozen

from games.adapters.missing import library
from games.game import MAXIE, MINNIE, WIN, Game, IllegalMove, Status
from games.text_places import end_of, place_of, placed_words
from games.u64 import U64
from graphs.arguments import check_flags, check_integers, check_kind, shown
from graphs.errors import MalformedError

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OF_CHESS960: Final = "; it is one of Chess960: the game chess960, or Chess(…, chess960=True)"
WORTH: Final = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
"""The value of each piece, in hundredths of a pawn."""


def board_of(fen: str, chess960: bool = False) -> Any:
    """Return the board of a text in Forsyth-Edwards notation (FEN).

    In Chess960, rights to castle may be files of rooks, ``HAha`` (Shredder-FEN), or ``KQkq`` for
    the outermost rooks (X-FEN).

    Raises: ValueError, one line, with line and column, unless it is a playable position.
    """
    chess = library("chess", "chess")
    read = partial(chess.Board, chess960=chess960)
    try:
        board = read(fen)
    except ValueError:
        raise MalformedError(unreadable(fen, read)) from None
    if not board.is_valid():
        faults = [f.name.lower() for f in chess.Status if f and f in board.status() and f.name]
        hint = "" if chess960 or not chess.Board(fen, chess960=True).is_valid() else OF_CHESS960
        raise MalformedError(unplayable(fen, faults) + hint)
    return board


def position(fen: str, chess960: bool = False) -> Position:
    """Return the position of a text in Forsyth-Edwards notation."""
    return position_of(board_of(fen, chess960))


def position_of(board: Any) -> Position:
    """Return the position of a board, which must not be changed from now on."""
    return Position(board.shredder_fen() if board.chess960 else board.fen(), board)


@frozen(repr=False)
class Position:
    """A position as its text in Forsyth-Edwards notation, which is what is pickled.

    In Chess960, the rights to castle are files of rooks, ``HAha``: castling is another move there,
    so that a position of chess is not equal to it.
    """

    fen: str
    live: Any = field(eq=False, repr=False)
    """The board of python-chess, which must not be changed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return position, (self.fen, self.live.chess960)

    def __repr__(self) -> str:
        return f"position({self.fen!r}{', True' * self.live.chess960})"


@frozen
class Chess(Game[Position, str]):
    """Chess or Chess960; White is Maxie, and a move is written as UCI does: ``e2e4``, ``e7e8q``.

    In Chess960, UCI writes castling as king takes rook: ``e1h1``.  `Chess.numbered` returns the
    game of each of its 960 start positions.

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
    chess960: bool = False

    def __attrs_post_init__(self) -> None:
        check_flags(chess960=self.chess960)
        check_kind(str, "a text in Forsyth-Edwards notation", fen=self.fen)
        board_of(self.fen, self.chess960)

    @classmethod
    def numbered(cls, number: int = 518) -> Self:
        """Return Chess960 from the start position of a number, as Scharnagl numbers them.

        Requires: 0 <= number <= 959; 518 is the start of chess.

        >>> Chess.numbered(0).fen
        'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1'
        """
        check_integers(0, 959, number=number)
        chess = library("chess", "chess")
        return cls(chess.Board.from_chess960_pos(int(number)).shredder_fen(), True)

    def start(self) -> Position:
        return position(self.fen, self.chess960)

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
        return position_of(board)

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
            return position(text, self.chess960)
        return super().parse_state(text)


PIECES: Final = "KQRBNPkqrbnp"
NUMBERS: Final = "12345678"
FIELDS: Final = (
    "eight rows of squares", "the side to move, w or b",
    "rights to castle, - or some of KQkq or of the rooks' files, as in HAha",
    "a square to capture en passant, - or such as e3", "a number of plies without a capture",
    "the number of the move",
)  # fmt: skip
FIELD_OF: Final = {"opposite_check": 1, "bad_castling_rights": 2, "invalid_ep_square": 3}
"""The wrong field for each fault of a position; the default is the squares."""


def unreadable(text: str, read: Callable[[str], object]) -> str:
    """Return the first fault of a text, in a line that begins with its place.

    Requires: `read` raises ValueError for the text, and whether it reads the first fields of a text
    does not depend on the others.

    >>> unreadable("8/8/8/8/8/8/8/KX5k w - -", int)
    "line 1, column 16: 'X' is neither a piece, one of KQRBNPkqrbnp, nor a number of empty squares"
    """
    words = placed_words(text)
    if not words:
        return f"{end_of(text)}: no position of chess, which begins with {FIELDS[0]}"
    squares, place = words[0]
    fault = wrong_square(squares)
    if fault is not None:
        return f"{place_of(text, text.index(squares) + fault[0])}: {fault[1]}"
    for k, what in enumerate(FIELDS):
        word, place = words[k]
        try:
            read(" ".join(word for word, _ in words[: k + 1]))
        except ValueError:
            return f"{place}: {shown(word)} is not {what}"
    word, place = words[len(FIELDS)]
    return f"{place}: {shown(word)} stands behind {FIELDS[-1]}, where a position of chess ends"


def wrong_square(squares: str) -> tuple[int, str] | None:
    """Find the first fault of the field of squares, and its character; None if there is none.

    >>> wrong_square("rnbqkbnr/ppppppp")
    (16, 'row 2 has 7 squares where a board has 8')
    """
    row, wide, before = 1, 0, "/"
    for k, c in enumerate(squares):
        if c == "/":
            if wide != 8:
                return k, f"row {row} has {wide} squares where a board has 8"
            row, wide = row + 1, 0
        elif c == "~":
            if before not in PIECES:
                return k, "'~' marks a promoted piece, and stands behind one"
        elif c in NUMBERS:
            if before in NUMBERS:
                return k, "two numbers side by side"
            wide += int(c)
        elif c in PIECES:
            wide += 1
        else:
            return (
                k,
                f"{shown(c)} is neither a piece, one of {PIECES}, nor a number of empty squares",
            )
        if row > 8 or wide > 8:
            return k, "one square more than a board has in a row" if wide > 8 else "a ninth row"
        before = c
    if wide != 8:
        return len(squares), f"row {row} has {wide} squares where a board has 8"
    return None if row == 8 else (len(squares), f"{row} rows where a board has 8")


def unplayable(text: str, faults: list[str]) -> str:
    """Return why a readable position cannot be played, at the first wrong field.

    >>> unplayable("8/8/8/8/8/8/8/K6k w KQ - 0 1", ["bad_castling_rights"])
    'line 1, column 21: no position of chess: bad castling rights'
    """
    words = placed_words(text)
    place = words[min(FIELD_OF.get(name, 0) for name in faults)][1]
    return f"{place}: no position of chess: {', '.join(faults).replace('_', ' ')}"
