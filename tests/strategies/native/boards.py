"""Games for these tests: one that uses all that rules may use, random trees."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np
from attrs import frozen
from hypothesis import strategies as st

from games.explicit import ExplicitGame, Tree
from games.game import CHANCE, MAXIE, MINNIE, WIN, Game, Player, Status
from games.tuples import put
from games.u64 import U64

STEP = 3
SQUARES = (1, 4, 9)
NONE = U64(0)


def wrapped(value: int, size: int) -> int:
    """A helper that calls another."""
    return remainder(value, size)


def remainder(value: int, size: int) -> int:
    return value % size


@frozen
class Rates:
    """A part of a game."""

    gain: int
    steps: tuple[int, ...] = (2, 3)


@frozen
class Spot:
    row: int
    far: bool = False


@frozen
class Board:
    cells: tuple[int, ...]
    turn: int
    bits: U64 = NONE
    spot: Spot = Spot(0)
    noise: int = attrs.field(default=0, eq=False)

    @property
    def filled(self) -> int:
        count = 0
        for cell in self.cells:
            if cell > 0:
                count += 1
        return count


@frozen(eq=False)
class Everything(Game[Board, tuple[int, int]]):
    """A game with tuples, tables, parts, properties, helpers, constants, `evolve` and `==`."""

    SIZE = 4
    name: str = "left out"
    ragged: tuple[tuple[int, ...], ...] = ((0, 1), (2,), (), (1, 2, 3))
    weights: tuple[float, ...] = (0.5, 1.5, -1.0, 2.0)
    masks: tuple[U64, ...] = (U64(1), U64(2**63))
    grid: np.ndarray = attrs.field(factory=lambda: np.arange(12, dtype=np.int32).reshape(3, 4))
    rates: Rates = Rates(2)

    def start(self) -> Board:
        return Board((0,) * 4, MAXIE)

    def status(self, state: Board) -> Status:
        return Status.IN_PLAY if state.filled < self.SIZE else Status.OVER

    def player(self, state: Board) -> int:
        if state.cells[0] == 2:
            return CHANCE
        if state.turn == 1:
            return Player.MINNIE
        return state.turn

    def moves(self, state: Board) -> Iterator[tuple[int, int]]:
        for index, cell in enumerate(state.cells):
            if cell == 0:
                for step in self.ragged[index]:
                    yield index, step + 1
                if len(self.ragged[index]) == 0:
                    yield index, 1

    def outcomes(self, state: Board) -> Iterator[tuple[float, Board]]:
        for probability in (0.25, 0.75):
            yield probability, attrs.evolve(state, cells=put(state.cells, 0, int(4 * probability)))

    def make_move(self, state: Board, move: tuple[int, int]) -> Board:
        index, value = move
        low = self.masks[-1] >> index
        twin = Board(state.cells, 1 - state.turn, noise=3)
        after = Board(
            put(state.cells, index, value),
            1 - state.turn,
            state.bits | low,
            Spot(int(self.grid[1, index]), far=index > 1),
            noise=index,
        )
        return after if after != twin else state

    def estimate(self, state: Board) -> float:
        total = self.weights[wrapped(state.bits.bit_count(), len(self.weights))]
        for row, cell in enumerate(state.cells):
            total += cell * SQUARES[row % 3] + self.rates.gain * self.rates.steps[row & 1] * STEP
            if cell in self.ragged[row]:
                total -= 0.125
        return total + self.half(state.spot.row) + (0.5 if state.spot.far else 0.0)

    @staticmethod
    def half(value: int) -> float:
        return value / 2

    def utility(self, state: Board) -> float:
        return -self.estimate(state)


@st.composite
def trees(draw: st.DrawFn, floats: bool = False, chance: bool = True, depth: int = 4) -> Tree:
    """Draw uneven trees with ties, wins, players in any order, and chance at inner nodes."""
    number = st.integers(-3, 3) if not floats else st.sampled_from([-1.5, -0.25, 0.0, 0.25, 2.0])
    wins = st.sampled_from([float(WIN), -float(WIN)] if floats else [WIN, -WIN])
    width = draw(st.integers(0, 3)) if depth else 0
    if width == 0:
        return Tree(player=draw(st.sampled_from([MAXIE, MINNIE])), value=draw(number | wins))
    player = draw(st.sampled_from([MAXIE, MINNIE] + [CHANCE] * chance))
    branches = tuple(draw(trees(floats, chance, depth - 1)) for _ in range(width))
    chances: tuple[float, ...] = ()
    if player == CHANCE:
        parts = [draw(st.integers(1, 4)) for _ in range(width)]
        chances = tuple(part / sum(parts) for part in parts)
    return Tree(player=player, branches=branches, value=draw(number), chances=chances)


def brute(
    game: ExplicitGame, tree: Tree, depth: int, nearer: bool = True
) -> tuple[float, int, int, tuple[int, ...]]:
    """Return value, nodes, leaves and line of minimax, by its definition."""
    if not tree.branches:
        value = tree.value
        assert value is not None
        far = depth if nearer and abs(value) >= WIN else 0
        return value + (far if value > 0 else -far), 1, 1, ()
    if depth == 0:
        assert tree.value is not None
        return tree.value, 1, 1, ()
    below = [brute(game, branch, depth - 1, nearer) for branch in tree.branches]
    nodes, leaves = 1 + sum(b[1] for b in below), sum(b[2] for b in below)
    if tree.player == CHANCE:
        mean = 0.0
        for chance, found in zip(tree.chances, below, strict=True):
            mean += chance * found[0]
        return mean, nodes, leaves, ()
    best = (max if tree.player == MAXIE else min)(b[0] for b in below)
    index = [b[0] for b in below].index(best)
    return best, nodes, leaves, (index, *below[index][3])
