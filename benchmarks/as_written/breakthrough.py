"""Breakthrough: the board is a tuple of texts, a row each, and a move is two squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]


class Move(NamedTuple):
    start: Square
    end: Square


@attrs.frozen
class Position:
    """Row 0 is the farthest from Maxie, whose men are "w"."""

    board: tuple[str, ...]
    turn: str = "w"


@attrs.frozen
class Breakthrough(Game[Position, Move]):
    """Who reaches the last row wins, and so does who takes the last man of the other."""

    width: int = 8
    height: int = 8
    rows: int = 2

    def start(self) -> Position:
        empty = "." * self.width
        middle = [empty for _ in range(self.height - 2 * self.rows)]
        black = ["b" * self.width for _ in range(self.rows)]
        white = ["w" * self.width for _ in range(self.rows)]
        return Position(tuple(black + middle + white))

    def status(self, state: Position) -> Status:
        if "w" in state.board[0] or not any("b" in row for row in state.board):
            return Status.MAXIE_WINS
        if "b" in state.board[-1] or not any("w" in row for row in state.board):
            return Status.MINNIE_WINS
        return Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if state.turn == "w" else MINNIE

    def moves(self, state: Position) -> Iterator[Move]:
        if self.status(state) != Status.IN_PLAY:
            return
        forward = -1 if state.turn == "w" else 1
        for r, row in enumerate(state.board):
            for c, man in enumerate(row):
                if man != state.turn:
                    continue
                for side in (-1, 0, 1):
                    if not 0 <= c + side < self.width:
                        continue
                    target = state.board[r + forward][c + side]
                    if target == "." or (side != 0 and target != state.turn):
                        yield Move((r, c), (r + forward, c + side))

    def make_move(self, state: Position, move: Move) -> Position:
        board = [list(row) for row in state.board]
        board[move.start[0]][move.start[1]] = "."
        board[move.end[0]][move.end[1]] = state.turn
        return Position(tuple("".join(row) for row in board), "b" if state.turn == "w" else "w")

    def estimate(self, state: Position) -> float:
        return sum(row.count("w") - row.count("b") for row in state.board)

    def move_text(self, state: Position, move: Move) -> str:
        squares = (move.start, move.end)
        return "".join("abcdefghijklmnopqrstuvwxyz"[c] + str(self.height - r) for r, c in squares)
