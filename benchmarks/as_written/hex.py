"""Hex: the stones of each player are a frozenset of cells, and a search finds the connection."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from games import MAXIE, MINNIE, Game, Status

Cell = tuple[int, int]
NEIGHBOURS = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


@attrs.frozen
class Position:
    red: frozenset[Cell] = frozenset()
    blue: frozenset[Cell] = frozenset()


@attrs.frozen
class Hex(Game[Position, Cell]):
    """Red, who begins, is Maxie and connects top and bottom; Blue connects left and right."""

    size: int = 4

    def start(self) -> Position:
        return Position()

    def connected(self, stones: frozenset[Cell], axis: int) -> bool:
        """Return whether stones connect the two edges that lie across an axis."""
        to_visit = sorted(cell for cell in stones if cell[axis] == 0)
        reached = set(to_visit)
        while to_visit:
            cell = to_visit.pop()
            if cell[axis] == self.size - 1:
                return True
            for dr, dc in NEIGHBOURS:
                near = (cell[0] + dr, cell[1] + dc)
                if near in stones and near not in reached:
                    reached.add(near)
                    to_visit.append(near)
        return False

    def status(self, state: Position) -> Status:
        if self.connected(state.red, 0):
            return Status.MAXIE_WINS
        if self.connected(state.blue, 1):
            return Status.MINNIE_WINS
        return Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if len(state.red) == len(state.blue) else MINNIE

    def moves(self, state: Position) -> Iterator[Cell]:
        if self.status(state) is Status.IN_PLAY:
            for r in range(self.size):
                for c in range(self.size):
                    if (r, c) not in state.red | state.blue:
                        yield (r, c)

    def make_move(self, state: Position, move: Cell) -> Position:
        if self.player(state) == MAXIE:
            return attrs.evolve(state, red=state.red | {move})
        return attrs.evolve(state, blue=state.blue | {move})

    def estimate(self, state: Position) -> float:
        """Prefer the middle."""

        def spread(stones: frozenset[Cell]) -> int:
            return sum(abs(2 * r + 1 - self.size) + abs(2 * c + 1 - self.size) for r, c in stones)

        return spread(state.blue) - spread(state.red)

    def show(self, state: Position) -> str:
        lines = []
        for r in range(self.size):
            row = [(r, c) for c in range(self.size)]
            marks = ["R" if p in state.red else "B" if p in state.blue else "." for p in row]
            lines.append(" " * r + " ".join(marks))
        return "\n".join(lines)

    def move_text(self, state: Position, move: Cell) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[move[1]] + str(move[0] + 1)
