"""Games whose plays return to positions or depend on chance, with values that others published."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from games import CHANCE, MAXIE, MINNIE, Game, Pig, Status
from games.pig.rules import HOLD, ROLL, Turn


@frozen
class PigToTheEnd(Pig):
    """Pig in which a player with enough points holds, so that there are finitely many positions."""

    def moves(self, state: Turn) -> Iterator[int]:
        if not state.rolling and self.status(state) == Status.IN_PLAY:
            if state.totals[state.mover] + state.brought < self.target:
                yield ROLL
            yield HOLD


@frozen
class Tiles:
    cells: tuple[int, int, int, int]
    """Exponents of two; 0 is an empty cell."""
    drops: int
    """The tiles that chance has yet to place."""


@frozen
class Small2048(Game[Tiles, int]):
    """2048 on a board of two by two, won with a tile of 2 to the power of `target`."""

    target: int = 5
    players = 1
    value_range = (0, 1)

    def start(self) -> Tiles:
        return Tiles((0, 0, 0, 0), 2)

    def status(self, state: Tiles) -> Status:
        if max(state.cells) >= self.target:
            return Status.OVER
        stuck = state.drops == 0 and not any(True for _ in self.slides(state))
        return Status.OVER if stuck else Status.IN_PLAY

    def player(self, state: Tiles) -> int:
        return CHANCE if state.drops else MAXIE

    def slides(self, state: Tiles) -> Iterator[int]:
        for way in range(4):
            if self.slid(state.cells, way) != state.cells:
                yield way

    def moves(self, state: Tiles) -> Iterator[int]:
        yield from self.slides(state)

    def slid(self, cells: tuple[int, int, int, int], way: int) -> tuple[int, int, int, int]:
        a, b, c, d = cells
        if way == 0:
            (a, b), (c, d) = merged(a, b), merged(c, d)
        elif way == 1:
            (b, a), (d, c) = merged(b, a), merged(d, c)
        elif way == 2:
            (a, c), (b, d) = merged(a, c), merged(b, d)
        else:
            (c, a), (d, b) = merged(c, a), merged(d, b)
        return a, b, c, d

    def make_move(self, state: Tiles, move: int) -> Tiles:
        return Tiles(self.slid(state.cells, move), 1)

    def outcomes(self, state: Tiles) -> Iterator[tuple[float, Tiles]]:
        empty = sum(1 for c in state.cells if c == 0)
        for at in range(4):
            if state.cells[at] == 0:
                for tile, chance in ((1, 0.9), (2, 0.1)):
                    a, b, c, d = state.cells
                    made = (
                        tile if at == 0 else a, tile if at == 1 else b,
                        tile if at == 2 else c, tile if at == 3 else d,
                    )  # fmt: skip
                    yield chance / empty, Tiles(made, state.drops - 1)

    def estimate(self, state: Tiles) -> float:
        return 0.0

    def utility(self, state: Tiles) -> float:
        return 1.0 if max(state.cells) >= self.target else 0.0


def merged(first: int, second: int) -> tuple[int, int]:
    """Slide two cells towards the first."""
    if first == 0:
        return second, 0
    return (first + 1, 0) if first == second else (first, second)


@frozen
class Men:
    king: int
    rook: int
    other: int
    """Black's king."""
    black: bool


@frozen
class RookEndgame(Game[Men, tuple[int, int]]):
    """King and rook against king, on a board of `size` rows; white is Maxie."""

    size: int = 8

    def start(self) -> Men:
        n = self.size
        return Men(0, n - 1, (n // 2) * n + n // 2, False)

    def far(self, a: int, b: int) -> int:
        n = self.size
        return max(abs(a // n - b // n), abs(a % n - b % n))

    def sees(self, men: Men, square: int) -> bool:
        """Return whether the rook attacks a square; the white king may stand between."""
        n, rook, king = self.size, men.rook, men.king
        if rook == square:
            return False
        if rook // n == square // n:
            return not (king // n == rook // n and min(rook, square) < king < max(rook, square))
        if rook % n == square % n:
            return not (king % n == rook % n and min(rook, square) < king < max(rook, square))
        return False

    def steps(self, square: int) -> Iterator[int]:
        n = self.size
        for row in range(max(0, square // n - 1), min(n, square // n + 2)):
            for column in range(max(0, square % n - 1), min(n, square % n + 2)):
                if (row, column) != (square // n, square % n):
                    yield row * n + column

    def escapes(self, state: Men) -> Iterator[tuple[int, int]]:
        for to in self.steps(state.other):
            if self.far(to, state.king) > 1 and not self.sees(state, to):
                yield state.other, to

    def status(self, state: Men) -> Status:
        if state.rook < 0:
            return Status.DRAW
        if state.black and not any(True for _ in self.escapes(state)):
            return Status.MAXIE_WINS if self.sees(state, state.other) else Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Men) -> int:
        return MINNIE if state.black else MAXIE

    def moves(self, state: Men) -> Iterator[tuple[int, int]]:
        if state.black:
            yield from self.escapes(state)
            return
        for to in self.steps(state.king):
            if self.far(to, state.other) > 1 and to != state.rook:
                yield state.king, to
        n = self.size
        for step_row, step_column in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            row, column = state.rook // n + step_row, state.rook % n + step_column
            while 0 <= row < n and 0 <= column < n:
                to = row * n + column
                if to in (state.king, state.other):
                    break
                yield state.rook, to
                row, column = row + step_row, column + step_column

    def make_move(self, state: Men, move: tuple[int, int]) -> Men:
        start, to = move
        if state.black:
            return evolve(state, other=to, rook=-1 if to == state.rook else state.rook, black=False)
        if start == state.king:
            return evolve(state, king=to, black=True)
        return evolve(state, rook=to, black=True)

    def estimate(self, state: Men) -> int:
        return 0


@frozen
class Walk(Game[int, int]):
    """A walker who may go on for ever on a ring of places, some of which end the walk."""

    ends: tuple[int, ...] = (0, 3, 0, -2)
    """The value of each place; 0 goes on."""
    movers: tuple[int, ...] = (0, 0, 1, 1)
    steps: tuple[int, ...] = (1, 2)

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.OVER if self.ends[state] else Status.IN_PLAY

    def player(self, state: int) -> int:
        return self.movers[state]

    def moves(self, state: int) -> Iterator[int]:
        yield from self.steps

    def make_move(self, state: int, move: int) -> int:
        return (state + move) % len(self.ends)

    def estimate(self, state: int) -> int:
        return 0

    def utility(self, state: int) -> int:
        return self.ends[state]
