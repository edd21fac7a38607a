"""Go on a small board: dicts of stones, groups flooded with sets, area scoring."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import attrs

from games import Game, Status

Point = tuple[int, int]


class Stone(IntEnum):
    BLACK = 0
    WHITE = 1


@attrs.frozen
class Position:
    stones: tuple[tuple[Point, Stone], ...]
    turn: Stone = Stone.BLACK
    ko: Point | None = None
    passes: int = 0
    plies: int = 0


@attrs.frozen
class Go(Game[Position, Point | None]):
    """Black is Maxie.  None passes; two passes end the game, and so do `longest` plies."""

    size: int = 5
    komi: float = 0.5
    longest: int = 60

    def start(self) -> Position:
        return Position(())

    def status(self, state: Position) -> Status:
        if state.passes < 2 and state.plies < self.longest:
            return Status.IN_PLAY
        score = self.score(state)
        if score == 0:
            return Status.DRAW
        return Status.MAXIE_WINS if score > 0 else Status.MINNIE_WINS

    def player(self, state: Position) -> int:
        return state.turn

    def neighbours(self, point: Point) -> Iterator[Point]:
        r, c = point
        for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if 0 <= place[0] < self.size and 0 <= place[1] < self.size:
                yield place

    def group(self, board: dict[Point, Stone], point: Point) -> tuple[set[Point], set[Point]]:
        """Return the stones connected with a stone, and their liberties."""
        stones, liberties, todo = {point}, set(), [point]
        while todo:
            for near in self.neighbours(todo.pop()):
                if near not in board:
                    liberties.add(near)
                elif board[near] == board[point] and near not in stones:
                    stones.add(near)
                    todo.append(near)
        return stones, liberties

    def place(
        self, state: Position, point: Point
    ) -> tuple[dict[Point, Stone], set[Point], Point | None] | None:
        """Return the stones after a move, those captured, and a point of ko; None for suicide."""
        board = dict(state.stones)
        board[point] = state.turn
        captured: set[Point] = set()
        for near in self.neighbours(point):
            if board.get(near) == 1 - state.turn:
                stones, liberties = self.group(board, near)
                if not liberties:
                    captured |= stones
        for stone in captured:
            del board[stone]
        own, liberties = self.group(board, point)
        if not liberties:
            return None
        ko = None
        if len(captured) == 1 and len(own) == 1 and len(liberties) == 1:
            (ko,) = captured
        return board, captured, ko

    def moves(self, state: Position) -> Iterator[Point | None]:
        if self.status(state) != Status.IN_PLAY:
            return
        board = dict(state.stones)
        for r in range(self.size):
            for c in range(self.size):
                if (r, c) not in board and (r, c) != state.ko and self.place(state, (r, c)):
                    yield (r, c)
        yield None

    def make_move(self, state: Position, move: Point | None) -> Position:
        other = Stone.WHITE if state.turn == Stone.BLACK else Stone.BLACK
        if move is None:
            return Position(state.stones, other, None, state.passes + 1, state.plies + 1)
        placed = self.place(state, move)
        assert placed is not None
        board, _, ko = placed
        return Position(tuple(sorted(board.items())), other, ko, 0, state.plies + 1)

    def score(self, state: Position) -> float:
        """Return Black's stones and territory minus White's."""
        board = dict(state.stones)
        total = -self.komi
        for stone in board.values():
            total += 1 if stone is Stone.BLACK else -1
        seen: set[Point] = set()
        for point in [(r, c) for r in range(self.size) for c in range(self.size)]:
            if point in board or point in seen:
                continue
            region, borders, todo = {point}, set(), [point]
            while todo:
                for near in self.neighbours(todo.pop()):
                    if near in board:
                        borders.add(board[near])
                    elif near not in region:
                        region.add(near)
                        todo.append(near)
            seen |= region
            if len(borders) == 1:
                total += len(region) if Stone.BLACK in borders else -len(region)
        return total

    def estimate(self, state: Position) -> float:
        return self.score(state)
