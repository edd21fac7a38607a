"""English draughts (American checkers): a dict of men while moves are sought, captures by paths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import attrs

from games import MAXIE, MINNIE, Game, Status

Square = tuple[int, int]
Move = tuple[Square, ...]
"""The squares that a man visits: two for a step, and one more for each man that it takes."""

WORTH = {"b": 2, "B": 3, "w": -2, "W": -3}


@attrs.frozen
class Position:
    """Row 0 is Black's first; men are "b" and "w", kings "B" and "W"."""

    rows: tuple[str, ...]
    turn: str = "b"
    quiet: int = 0


@attrs.frozen
class EnglishDraughts(Game[Position, Move]):
    """Black, who begins, is Maxie.  Who can capture must, along any path, to its end.

    A play is drawn after 40 moves by each in which only kings moved, and nothing was taken.
    """

    size: int = 8
    men: int = 3
    limit: int = 80

    def start(self) -> Position:
        rows = []
        for r in range(self.size):
            man = "b" if r < self.men else "w" if r >= self.size - self.men else "."
            rows.append("".join(man if (r + c) % 2 else "." for c in range(self.size)))
        return Position(tuple(rows))

    def status(self, state: Position) -> Status:
        if not self.legal(state):
            return Status.MINNIE_WINS if state.turn == "b" else Status.MAXIE_WINS
        return Status.DRAW if state.quiet >= self.limit else Status.IN_PLAY

    def player(self, state: Position) -> int:
        return MAXIE if state.turn == "b" else MINNIE

    def directions(self, man: str) -> list[Square]:
        forward = 1 if man == "b" else -1
        ahead = [(forward, -1), (forward, 1)]
        return ahead if man in "bw" else [*ahead, (-forward, -1), (-forward, 1)]

    def captures(
        self, men: dict[Square, str], man: str, path: Move, taken: frozenset[Square]
    ) -> Iterator[Move]:
        """Yield the paths that begin with this one, each to where nothing is left to take."""
        r, c = path[-1]
        further = False
        for dr, dc in self.directions(man):
            over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if over in taken or men.get(over, ".").lower() in (".", man.lower()):
                continue
            if men.get(to) == "." or to == path[0]:
                further = True
                yield from self.captures(men, man, (*path, to), taken | {over})
        if not further and len(path) > 1:
            yield path

    def legal(self, state: Position) -> list[Move]:
        men = {(r, c): man for r, row in enumerate(state.rows) for c, man in enumerate(row)}
        own = [(square, man) for square, man in men.items() if man.lower() == state.turn]
        found = [
            path for square, man in own for path in self.captures(men, man, (square,), frozenset())
        ]
        if found:
            return found
        for (r, c), man in own:
            for dr, dc in self.directions(man):
                if men.get((r + dr, c + dc)) == ".":
                    found.append(((r, c), (r + dr, c + dc)))
        return found

    def moves(self, state: Position) -> Iterator[Move]:
        if state.quiet < self.limit:
            yield from self.legal(state)

    def make_move(self, state: Position, move: Move) -> Position:
        board = [list(row) for row in state.rows]
        (r, c), (last, column) = move[0], move[-1]
        man = board[r][c]
        board[r][c] = "."
        capture = abs(move[1][0] - r) == 2
        if capture:
            for (r1, c1), (r2, c2) in pairwise(move):
                board[(r1 + r2) // 2][(c1 + c2) // 2] = "."
        quiet = 0 if capture or man in "bw" else state.quiet + 1
        if last == (self.size - 1 if state.turn == "b" else 0):
            man = man.upper()
        board[last][column] = man
        turn = "w" if state.turn == "b" else "b"
        return Position(tuple("".join(row) for row in board), turn, quiet)

    def estimate(self, state: Position) -> float:
        return sum(WORTH.get(man, 0) for row in state.rows for man in row)

    def show(self, state: Position) -> str:
        return "\n".join(" ".join(row) for row in state.rows)

    def move_text(self, state: Position, move: Move) -> str:
        """Return the numbers of the squares, from 1 on Black's side: "11-15", "22x15x6"."""
        numbers = [str((self.size * r + c) // 2 + 1) for r, c in move]
        return ("x" if abs(move[1][0] - move[0][0]) == 2 else "-").join(numbers)
