"""Chess: named tuples and enumerations for pieces, None for an empty square, `match` for kinds."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from typing import NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]


class Color(enum.Enum):
    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Color:
        return Color.BLACK if self is Color.WHITE else Color.WHITE


class Kind(enum.Enum):
    PAWN = "p"
    KNIGHT = "n"
    BISHOP = "b"
    ROOK = "r"
    QUEEN = "q"
    KING = "k"


class Piece(NamedTuple):
    color: Color
    kind: Kind


class Move(NamedTuple):
    start: Square
    end: Square
    promotion: Kind | None = None


ROOK_STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
BISHOP_STEPS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT_STEPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
BACK = [
    *(Kind.ROOK, Kind.KNIGHT, Kind.BISHOP, Kind.QUEEN),
    *(Kind.KING, Kind.BISHOP, Kind.KNIGHT, Kind.ROOK),
]
VALUES = {
    Kind.PAWN: 100, Kind.KNIGHT: 300, Kind.BISHOP: 310, Kind.ROOK: 500, Kind.QUEEN: 900,
    Kind.KING: 0,
}  # fmt: skip
PROMOTIONS = [Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT]
CORNERS = {(0, 0): "q", (0, 7): "k", (7, 0): "Q", (7, 7): "K"}
"""The corners where rooks start, and the name of the right to castle that each gives."""


def inside(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


@dataclasses.dataclass(frozen=True)
class Position:
    """Row 0 is the eighth rank."""

    board: tuple[tuple[Piece | None, ...], ...]
    turn: Color = Color.WHITE
    castling: frozenset[str] = frozenset("KQkq")
    en_passant: Square | None = None
    quiet: int = 0

    def at(self, square: Square) -> Piece | None:
        return self.board[square[0]][square[1]]


@attrs.frozen
class Chess(Game[Position, Move]):
    """White is Maxie.  Fifty moves without capture or pawn end the game; repetitions do not."""

    def start(self) -> Position:
        black = tuple(Piece(Color.BLACK, kind) for kind in BACK)
        white = tuple(Piece(Color.WHITE, kind) for kind in BACK)
        men = [tuple(Piece(color, Kind.PAWN) for _ in range(8)) for color in Color]
        empty = (None,) * 8
        return Position((black, men[1], empty, empty, empty, empty, men[0], white))

    def attacked(self, state: Position, square: Square, by: Color) -> bool:
        r, c = square

        def holds(place: Square, *kinds: Kind) -> bool:
            if not inside(place):
                return False
            piece = state.at(place)
            return piece is not None and piece.color == by and piece.kind in kinds

        pawns = r + 1 if by is Color.WHITE else r - 1
        if holds((pawns, c - 1), Kind.PAWN) or holds((pawns, c + 1), Kind.PAWN):
            return True
        if any(holds((r + dr, c + dc), Kind.KNIGHT) for dr, dc in KNIGHT_STEPS):
            return True
        if any(holds((r + dr, c + dc), Kind.KING) for dr, dc in ROOK_STEPS + BISHOP_STEPS):
            return True
        for steps, kind in ((ROOK_STEPS, Kind.ROOK), (BISHOP_STEPS, Kind.BISHOP)):
            for dr, dc in steps:
                place = (r + dr, c + dc)
                while inside(place) and state.at(place) is None:
                    place = (place[0] + dr, place[1] + dc)
                if holds(place, kind, Kind.QUEEN):
                    return True
        return False

    def in_check(self, state: Position, color: Color) -> bool:
        king = Piece(color, Kind.KING)
        square = next(
            (r, c) for r, row in enumerate(state.board) for c in range(8) if row[c] == king
        )
        return self.attacked(state, square, color.other)

    def pawn_moves(self, state: Position, start: Square) -> Iterator[Move]:
        r, c = start
        forward, first, last = (-1, 6, 0) if state.turn is Color.WHITE else (1, 1, 7)
        ends = []
        if state.at((r + forward, c)) is None:
            ends.append((r + forward, c))
            if r == first and state.at((r + 2 * forward, c)) is None:
                ends.append((r + 2 * forward, c))
        for end in [(r + forward, c - 1), (r + forward, c + 1)]:
            if inside(end):
                target = state.at(end)
                if end == state.en_passant or (target is not None and target.color != state.turn):
                    ends.append(end)
        for end in ends:
            if end[0] == last:
                for kind in PROMOTIONS:
                    yield Move(start, end, kind)
            else:
                yield Move(start, end)

    def castlings(self, state: Position) -> Iterator[Move]:
        r, short, long = (7, "K", "Q") if state.turn is Color.WHITE else (0, "k", "q")
        other = state.turn.other
        for right, empty, path, end in (
            (short, [5, 6], [4, 5, 6], 6),
            (long, [1, 2, 3], [4, 3, 2], 2),
        ):
            if right not in state.castling or any(state.at((r, c)) is not None for c in empty):
                continue
            if not any(self.attacked(state, (r, c), other) for c in path):
                yield Move((r, 4), (r, end))

    def pseudo_moves(self, state: Position) -> Iterator[Move]:
        for r in range(8):
            for c in range(8):
                piece = state.at((r, c))
                if piece is None or piece.color != state.turn:
                    continue
                reach = 7
                match piece.kind:
                    case Kind.PAWN:
                        yield from self.pawn_moves(state, (r, c))
                        continue
                    case Kind.KNIGHT:
                        steps, reach = KNIGHT_STEPS, 1
                    case Kind.KING:
                        steps, reach = ROOK_STEPS + BISHOP_STEPS, 1
                    case Kind.BISHOP:
                        steps = BISHOP_STEPS
                    case Kind.ROOK:
                        steps = ROOK_STEPS
                    case Kind.QUEEN:
                        steps = ROOK_STEPS + BISHOP_STEPS
                for dr, dc in steps:
                    for n in range(1, reach + 1):
                        end = (r + n * dr, c + n * dc)
                        if not inside(end):
                            break
                        target = state.at(end)
                        if target is None or target.color != state.turn:
                            yield Move((r, c), end)
                        if target is not None:
                            break
        yield from self.castlings(state)

    def legal(self, state: Position) -> Iterator[Move]:
        for move in self.pseudo_moves(state):
            if not self.in_check(self.make_move(state, move), state.turn):
                yield move

    def moves(self, state: Position) -> Iterator[Move]:
        if state.quiet < 100:
            yield from self.legal(state)

    def status(self, state: Position) -> Status:
        if not any(True for _ in self.legal(state)):
            if not self.in_check(state, state.turn):
                return Status.DRAW
            return Status.MINNIE_WINS if state.turn is Color.WHITE else Status.MAXIE_WINS
        return Status.DRAW if state.quiet >= 100 else Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if state.turn is Color.WHITE else MINNIE

    def make_move(self, state: Position, move: Move) -> Position:
        (r, c), (s, d) = move.start, move.end
        board = [list(row) for row in state.board]
        piece = board[r][c]
        assert piece is not None
        quiet = 0 if piece.kind is Kind.PAWN or board[s][d] is not None else state.quiet + 1
        en_passant = None
        board[r][c] = None
        board[s][d] = piece if move.promotion is None else Piece(state.turn, move.promotion)
        if piece.kind is Kind.PAWN:
            if move.end == state.en_passant:
                board[r][d] = None
            if abs(s - r) == 2:
                en_passant = ((r + s) // 2, c)
        lost = {CORNERS[square] for square in (move.start, move.end) if square in CORNERS}
        if piece.kind is Kind.KING:
            lost |= {"K", "Q"} if state.turn is Color.WHITE else {"k", "q"}
            if abs(d - c) == 2:
                rook = 7 if d > c else 0
                board[r][(c + d) // 2], board[r][rook] = board[r][rook], None
        rows = tuple(tuple(row) for row in board)
        return Position(rows, state.turn.other, state.castling - lost, en_passant, quiet)

    def estimate(self, state: Position) -> float:
        total = 0
        for row in state.board:
            for piece in row:
                if piece is not None:
                    sign = 1 if piece.color is Color.WHITE else -1
                    total += sign * VALUES[piece.kind]
        return total

    def parse_state(self, text: str) -> Position:
        """Read a position in Forsyth-Edwards notation."""
        places, turn, castling, en_passant, quiet, *_ = (*text.split(), "0")
        rows: list[list[Piece | None]] = []
        for line in places.split("/"):
            row: list[Piece | None] = []
            for letter in line:
                if letter.isdigit():
                    row += [None] * int(letter)
                else:
                    color = Color.WHITE if letter.isupper() else Color.BLACK
                    row.append(Piece(color, Kind(letter.lower())))
            rows.append(row)
        if [len(row) for row in rows] != [8] * 8:
            raise ValueError("a board needs eight rows of eight squares")
        square = None
        if en_passant != "-":
            square = (8 - int(en_passant[1]), "abcdefgh".index(en_passant[0]))
        board = tuple(tuple(row) for row in rows)
        whose = Color.WHITE if turn == "w" else Color.BLACK
        return Position(board, whose, frozenset(castling) - {"-"}, square, int(quiet))

    def move_text(self, state: Position, move: Move) -> str:
        names = ["abcdefgh"[c] + str(8 - r) for r, c in (move.start, move.end)]
        return "".join(names) + (move.promotion.value if move.promotion else "")
