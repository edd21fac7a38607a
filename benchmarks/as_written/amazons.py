"""Amazons: frozensets of squares, a generator of what a queen reaches, moves of three squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]
DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


class Move(NamedTuple):
    start: Square
    end: Square
    arrow: Square


@attrs.frozen
class Position:
    """The squares of the amazons of each player, and those that are burnt."""

    amazons: tuple[frozenset[Square], frozenset[Square]]
    burnt: frozenset[Square] = frozenset()
    turn: int = MAXIE


@attrs.frozen
class Amazons(Game[Position, Move]):
    """Who cannot move loses."""

    size: int = 10
    white: tuple[Square, ...] = ((6, 0), (9, 3), (9, 6), (6, 9))

    def start(self) -> Position:
        black = frozenset((self.size - 1 - r, c) for r, c in self.white)
        return Position((frozenset(self.white), black))

    def reached(self, taken: frozenset[Square], start: Square) -> Iterator[Square]:
        """Yield the squares to which a queen of chess could go."""
        for dr, dc in DIRECTIONS:
            r, c = start[0] + dr, start[1] + dc
            while 0 <= r < self.size and 0 <= c < self.size and (r, c) not in taken:
                yield (r, c)
                r, c = r + dr, c + dc

    def all_moves(self, state: Position) -> Iterator[Move]:
        mine, others = state.amazons[state.turn], state.amazons[1 - state.turn]
        taken = mine | others | state.burnt
        for start in sorted(mine):
            left = taken - {start}
            for end in self.reached(left, start):
                for arrow in self.reached(left | {end}, end):
                    yield Move(start, end, arrow)

    def status(self, state: Position) -> Status:
        if any(True for _ in self.all_moves(state)):
            return Status.IN_PLAY
        return Status.MINNIE_WINS if state.turn == MAXIE else Status.MAXIE_WINS

    def player(self, state: Position) -> int:
        return state.turn

    def moves(self, state: Position) -> Iterator[Move]:
        yield from self.all_moves(state)

    def make_move(self, state: Position, move: Move) -> Position:
        mine = (state.amazons[state.turn] - {move.start}) | {move.end}
        both = list(state.amazons)
        both[state.turn] = mine
        other = MINNIE if state.turn == MAXIE else MAXIE
        return Position((both[0], both[1]), state.burnt | {move.arrow}, other)

    def estimate(self, state: Position) -> float:
        """Count the squares that each side reaches in one step."""
        taken = state.amazons[0] | state.amazons[1] | state.burnt
        mine, others = (
            len({end for start in side for end in self.reached(taken, start)})
            for side in state.amazons
        )
        return mine - others

    def show(self, state: Position) -> str:
        board = [["." for _ in range(self.size)] for _ in range(self.size)]
        for squares, mark in zip((*state.amazons, state.burnt), "WBx", strict=True):
            for r, c in squares:
                board[r][c] = mark
        return "\n".join(" ".join(row) for row in board)

    def move_text(self, state: Position, move: Move) -> str:
        names = ["abcdefghijklmnopqrstuvwxyz"[c] + str(self.size - r) for r, c in move]
        return f"{names[0]}-{names[1]}/{names[2]}"
