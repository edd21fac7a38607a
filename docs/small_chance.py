"""Small games of chance with finitely many positions, for the page on endgames."""

from collections.abc import Iterator

from attrs import frozen

from games import CHANCE, MAXIE, Game, Pig, Status
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
    """A board of two by two, and the tiles that chance has yet to place."""

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
