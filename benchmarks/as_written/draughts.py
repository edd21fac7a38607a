"""International draughts: a board of tuples of texts, captures by recursion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]
DIAGONALS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
WORTH = {".": 0, "w": 1, "W": 3, "b": -1, "B": -3}


class Move(NamedTuple):
    start: Square
    end: Square
    taken: frozenset[Square]


@attrs.frozen
class Position:
    board: tuple[tuple[str, ...], ...]
    white: bool
    quiet: int = 0


@attrs.frozen
class Draughts(Game[Position, Move]):
    """White, below, is Maxie.  Of all captures, one that takes most must be played."""

    size: int = 10
    men: int = 4

    def start(self) -> Position:
        board = [["." for _ in range(self.size)] for _ in range(self.size)]
        for r in range(self.size):
            for c in range(self.size):
                if (r + c) % 2 == 1 and r < self.men:
                    board[r][c] = "b"
                elif (r + c) % 2 == 1 and r >= self.size - self.men:
                    board[r][c] = "w"
        return Position(tuple(tuple(row) for row in board), True)

    def status(self, state: Position) -> Status:
        if not self.legal(state):
            return Status.MINNIE_WINS if state.white else Status.MAXIE_WINS
        return Status.DRAW if state.quiet >= 50 else Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if state.white else MINNIE

    def inside(self, r: int, c: int) -> bool:
        return 0 <= r < self.size and 0 <= c < self.size

    def captures(self, state: Position, start: Square) -> Iterator[Move]:
        """Yield every series of jumps of a piece, also those that could go on."""
        board = state.board
        others = ("b", "B") if state.white else ("w", "W")
        king = board[start[0]][start[1]] in ("W", "B")

        def empty(r: int, c: int) -> bool:
            return board[r][c] == "." or (r, c) == start

        def jumps(r: int, c: int, taken: frozenset[Square]) -> Iterator[Move]:
            for dr, dc in DIAGONALS:
                over = (r + dr, c + dc)
                while king and self.inside(*over) and empty(*over):
                    over = (over[0] + dr, over[1] + dc)
                if not self.inside(*over) or over in taken:
                    continue
                if board[over[0]][over[1]] not in others:
                    continue
                to = (over[0] + dr, over[1] + dc)
                while self.inside(*to) and empty(*to):
                    yield Move(start, to, taken | {over})
                    yield from jumps(*to, taken | {over})
                    if not king:
                        break
                    to = (to[0] + dr, to[1] + dc)

        yield from jumps(*start, frozenset())

    def steps(self, state: Position, start: Square) -> Iterator[Move]:
        r, c = start
        forward = -1 if state.white else 1
        king = state.board[r][c] in ("W", "B")
        for dr, dc in DIAGONALS:
            if dr != forward and not king:
                continue
            to = (r + dr, c + dc)
            while self.inside(*to) and state.board[to[0]][to[1]] == ".":
                yield Move(start, to, frozenset())
                if not king:
                    break
                to = (to[0] + dr, to[1] + dc)

    def legal(self, state: Position) -> list[Move]:
        mine = ("w", "W") if state.white else ("b", "B")
        own = [
            (r, c) for r, row in enumerate(state.board) for c, man in enumerate(row) if man in mine
        ]
        captures = [move for square in own for move in self.captures(state, square)]
        if captures:
            most = max(len(move.taken) for move in captures)
            return list(dict.fromkeys(move for move in captures if len(move.taken) == most))
        return [move for square in own for move in self.steps(state, square)]

    def moves(self, state: Position) -> Any:
        return self.legal(state) if state.quiet < 50 else []

    def make_move(self, state: Position, move: Move) -> Position:
        board = [list(row) for row in state.board]
        man = board[move.start[0]][move.start[1]]
        board[move.start[0]][move.start[1]] = "."
        for r, c in move.taken:
            board[r][c] = "."
        quiet = state.quiet + 1 if man in ("W", "B") and not move.taken else 0
        if move.end[0] == (0 if state.white else self.size - 1):
            man = man.upper()
        board[move.end[0]][move.end[1]] = man
        return Position(tuple(tuple(row) for row in board), not state.white, quiet)

    def estimate(self, state: Position) -> float:
        return sum(WORTH[man] for row in state.board for man in row)

    def show(self, state: Position) -> str:
        return "\n".join(" ".join(row) for row in state.board)

    def move_text(self, state: Position, move: Move) -> str:
        names = [chr(ord("a") + c) + str(self.size - r) for r, c in (move.start, move.end)]
        taken = ",".join(chr(ord("a") + c) + str(self.size - r) for r, c in sorted(move.taken))
        return ("x" if taken else "-").join(names) + (f"({taken})" if taken else "")
