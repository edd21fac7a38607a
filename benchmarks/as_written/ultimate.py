"""Ultimate tic-tac-toe: nine boards of nine texts, and a board that the last move chose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Board = tuple[str, ...]
LINES = [
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
]


class Move(NamedTuple):
    board: int
    cell: int


@attrs.frozen
class Position:
    boards: tuple[Board, ...] = ((" ",) * 9,) * 9
    turn: str = "X"
    target: int | None = None
    """The board in which the player must move, None if any."""


def winner(cells: Board | list[str]) -> str | None:
    for a, b, c in LINES:
        if cells[a] != " " and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return None


@attrs.frozen
class Ultimate(Game[Position, Move]):
    """X is Maxie; three boards won in a row win, and if all boards are decided, it is a draw."""

    def start(self) -> Position:
        return Position()

    def decided(self, board: Board) -> bool:
        return winner(board) is not None or " " not in board

    def status(self, state: Position) -> Status:
        won = winner([winner(board) or " " for board in state.boards])
        if won is not None:
            return Status.MAXIE_WINS if won == "X" else Status.MINNIE_WINS
        if all(self.decided(board) for board in state.boards):
            return Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if state.turn == "X" else MINNIE

    def moves(self, state: Position) -> Iterator[Move]:
        if self.status(state) != Status.IN_PLAY:
            return
        boards = range(9) if state.target is None else [state.target]
        for b in boards:
            if not self.decided(state.boards[b]):
                for c, mark in enumerate(state.boards[b]):
                    if mark == " ":
                        yield Move(b, c)

    def make_move(self, state: Position, move: Move) -> Position:
        boards = list(state.boards)
        board = list(boards[move.board])
        board[move.cell] = state.turn
        boards[move.board] = tuple(board)
        target = None if self.decided(boards[move.cell]) else move.cell
        return Position(tuple(boards), "O" if state.turn == "X" else "X", target)

    def estimate(self, state: Position) -> float:
        """Count the boards that are won."""
        won = [winner(board) for board in state.boards]
        return won.count("X") - won.count("O")

    def move_text(self, state: Position, move: Move) -> str:
        return f"{'ABCDEFGHI'[move.board]}{move.cell + 1}"
