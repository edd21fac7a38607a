"""Quoridor on a small board: walls in a set, and a breadth-first search for a way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Wall(NamedTuple):
    """A wall of two squares' length, between rows `row` and `row + 1` or columns."""

    row: int
    column: int
    flat: bool


@attrs.frozen
class Position:
    pawns: tuple[Square, ...]
    walls: frozenset[Wall]
    left: tuple[int, ...]
    turn: int = 0
    plies: int = 0


@attrs.frozen
class Quoridor(Game[Position, Square | Wall]):
    """A move is the square that the pawn goes to, or a wall."""

    size: int = 5
    walls: int = 3
    longest: int = 100

    def start(self) -> Position:
        middle = self.size // 2
        pawns = ((self.size - 1, middle), (0, middle))
        return Position(pawns, frozenset(), (self.walls, self.walls))

    def goal(self, player: int) -> int:
        return 0 if player == 0 else self.size - 1

    def status(self, state: Position) -> Status:
        for player, wins in enumerate([Status.MAXIE_WINS, Status.MINNIE_WINS]):
            if state.pawns[player][0] == self.goal(player):
                return wins
        return Status.DRAW if state.plies >= self.longest else Status.IN_PLAY

    def player(self, state: Position) -> int:
        return [MAXIE, MINNIE][state.turn]

    def blocked(self, walls: frozenset[Wall], a: Square, b: Square) -> bool:
        """Return whether a wall stands between two neighbours."""
        r, c = min(a, b)
        if c == max(a, b)[1]:
            return Wall(r, c, True) in walls or Wall(r, c - 1, True) in walls
        return Wall(r, c, False) in walls or Wall(r - 1, c, False) in walls

    def neighbours(self, walls: frozenset[Wall], square: Square) -> list[Square]:
        found = []
        for dr, dc in STEPS:
            r, c = square[0] + dr, square[1] + dc
            inside = 0 <= r < self.size and 0 <= c < self.size
            if inside and not self.blocked(walls, square, (r, c)):
                found.append((r, c))
        return found

    def distance(self, walls: frozenset[Wall], start: Square, goal: int) -> int | None:
        """Return the steps to a row, or None if it cannot be reached."""
        queue = deque([(start, 0)])
        seen = {start}
        while queue:
            square, steps = queue.popleft()
            if square[0] == goal:
                return steps
            for near in self.neighbours(walls, square):
                if near not in seen:
                    seen.add(near)
                    queue.append((near, steps + 1))
        return None

    def pawn_moves(self, state: Position) -> Iterator[Square]:
        me, other = state.pawns[state.turn], state.pawns[1 - state.turn]
        for near in self.neighbours(state.walls, me):
            if near != other:
                yield near
                continue
            behind = (2 * near[0] - me[0], 2 * near[1] - me[1])
            beyond = [square for square in self.neighbours(state.walls, near) if square != me]
            if behind in beyond:
                yield behind
            else:
                yield from beyond

    def crosses(self, state: Position, wall: Wall) -> bool:
        r, c, flat = wall
        if Wall(r, c, not flat) in state.walls:
            return True
        along = [(r, c - 1), (r, c), (r, c + 1)] if flat else [(r - 1, c), (r, c), (r + 1, c)]
        return any(Wall(*place, flat) in state.walls for place in along)

    def wall_moves(self, state: Position) -> Iterator[Wall]:
        if state.left[state.turn] == 0:
            return
        for r in range(self.size - 1):
            for c in range(self.size - 1):
                for flat in (True, False):
                    wall = Wall(r, c, flat)
                    if self.crosses(state, wall):
                        continue
                    walls = state.walls | {wall}
                    ways = [
                        self.distance(walls, pawn, self.goal(i))
                        for i, pawn in enumerate(state.pawns)
                    ]
                    if None not in ways:
                        yield wall

    def moves(self, state: Position) -> Iterator[Square | Wall]:
        if self.status(state) == Status.IN_PLAY:
            yield from self.pawn_moves(state)
            yield from self.wall_moves(state)

    def make_move(self, state: Position, move: Square | Wall) -> Position:
        pawns, left, walls = list(state.pawns), list(state.left), set(state.walls)
        if isinstance(move, Wall):
            walls.add(move)
            left[state.turn] -= 1
        else:
            pawns[state.turn] = move
        return Position(
            tuple(pawns), frozenset(walls), tuple(left), 1 - state.turn, state.plies + 1
        )

    def estimate(self, state: Position) -> float:
        mine, theirs = (
            self.distance(state.walls, pawn, self.goal(i)) or 0
            for i, pawn in enumerate(state.pawns)
        )
        return theirs - mine + 0.5 * (state.left[0] - state.left[1])
