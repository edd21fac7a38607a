"""Dots and Boxes: a frozenset of drawn lines, each a pair of dots."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from games import MAXIE, MINNIE, Game, Status

Dot = tuple[int, int]
Line = tuple[Dot, Dot]


@attrs.frozen
class Position:
    drawn: frozenset[Line] = frozenset()
    boxes: tuple[int, int] = (0, 0)
    turn: int = MAXIE


@attrs.frozen
class DotsAndBoxes(Game[Position, Line]):
    """Who closes a box scores it and moves again; the result is the difference of the boxes."""

    rows: int = 2
    columns: int = 2

    def start(self) -> Position:
        return Position()

    def lines(self) -> Iterator[Line]:
        """Yield all lines of the board, those to the right and those down."""
        for r in range(self.rows + 1):
            for c in range(self.columns + 1):
                if c < self.columns:
                    yield ((r, c), (r, c + 1))
                if r < self.rows:
                    yield ((r, c), (r + 1, c))

    def sides(self, r: int, c: int) -> list[Line]:
        """Return the four lines about a box."""
        return [
            ((r, c), (r, c + 1)),
            ((r + 1, c), (r + 1, c + 1)),
            ((r, c), (r + 1, c)),
            ((r, c + 1), (r + 1, c + 1)),
        ]

    def status(self, state: Position) -> Status:
        mine, others = state.boxes
        return Status.OVER if mine + others == self.rows * self.columns else Status.IN_PLAY

    def player(self, state: Position) -> int:
        return state.turn

    def moves(self, state: Position) -> Iterator[Line]:
        for line in self.lines():
            if line not in state.drawn:
                yield line

    def make_move(self, state: Position, move: Line) -> Position:
        drawn = state.drawn | {move}
        closed = 0
        for r in range(self.rows):
            for c in range(self.columns):
                sides = self.sides(r, c)
                if move in sides and all(line in drawn for line in sides):
                    closed += 1
        if closed == 0:
            return Position(drawn, state.boxes, MINNIE if state.turn == MAXIE else MAXIE)
        boxes = list(state.boxes)
        boxes[state.turn] += closed
        return Position(drawn, (boxes[0], boxes[1]), state.turn)

    def utility(self, state: Position) -> float:
        return state.boxes[0] - state.boxes[1]

    def estimate(self, state: Position) -> float:
        return state.boxes[0] - state.boxes[1]

    def show(self, state: Position) -> str:
        lines = []
        for r in range(self.rows + 1):
            across, down = "", ""
            for c in range(self.columns + 1):
                across += "+--" if ((r, c), (r, c + 1)) in state.drawn else "+  "
                down += "|  " if ((r, c), (r + 1, c)) in state.drawn else "   "
            lines += [across.rstrip(), down.rstrip()]
        mine, others = state.boxes
        return "\n".join([*lines[:-1], f"{mine} to {others}"])

    def move_text(self, state: Position, move: Line) -> str:
        (r, c), (s, d) = move
        return f"{r}{c}{s}{d}"
