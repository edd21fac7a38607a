"""2048 by named, weighted features: weight matrix, empty cells, monotonicity, smoothness, tiles.

Source: the weights and matrices are those of G. Clinger and M. Ottomano, Parallel Expectimax: A
2048 Solver; after Nie, Hou and An, AI Plays 2048 (2016).  A row of a matrix may be short; the
missing cells have the weight 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from games.features import check_weight
from games.fields import WEIGHT
from games.game import CHANCE, MAXIE, MINNIE, WIN
from games.twenty48.row_tables import cells_of
from games.twenty48.rules import ONES, ROW, Tiles, Twenty48, empties, transpose
from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import MalformedError

Matrix = tuple[tuple[int, ...], ...]

MATRICES: Final[dict[str, tuple[Matrix, Matrix]]] = {
    "corner": (((21, 8, 3, 3), (9, 5, 2), (4, 3)), ((19, 9, 5, 3), (8, 4, 2), (3,))),
    "snake": (
        tuple(tuple(4**p for p in row) for row in ((15, 14, 13, 12), (8, 9, 10, 11), (7, 6, 5, 4),
                                                   (0, 1, 2, 3))),
    ) * 2,
    "rows": (
        tuple(tuple(4**p for p in row) for row in ((15, 14, 13, 12), (11, 10, 9, 8), (7, 6, 5, 4),
                                                   (3, 2, 1, 0))),
    ) * 2,
    "slope": (((7, 6, 5, 4), (6, 5, 4, 3), (5, 4, 3, 2), (4, 3, 2, 1)),) * 2,
    "steps": (((26000, 22, 20), (12, 14, 16, 18), (10, 8, 6, 4), (1, 2, 3, 4)),) * 2,
    "even": (((1, 1, 1, 1),) * 4,) * 2,
}  # fmt: skip
"""The weights of the cells by name: while no tile is above 512, and from then on."""

HIGH: Final = 1 << 18
"""The offset of the second matrix in the table of weighted rows."""
ELEVENS: Final = 0xBBBBBBBBBBBBBBBB
SETS: Final = 16
"""The number of sets of weights whose tables are cached: about 2.5 MB each."""


@cache
def tiles_of_rows() -> tuple[np.ndarray[Any, Any], ...]:
    """Return tables of the four tiles of each of the 65,536 rows; 0 for no tile."""
    cells = cells_of(np.arange(1 << 16, dtype=np.int64))
    return tuple(np.where(cell == 0, 0, 1 << cell) for cell in cells)


@lru_cache(SETS)
def lines(monotonicity: int, smoothness: int) -> np.ndarray[Any, Any]:
    """Return the table of values of the order of a line: a row, or a column from the top.

    Monotonicity counts the cells below the one before, and always the first cell; smoothness
    subtracts the differences of neighbours.

    >>> int(lines(15, 0)[0x0123]), int(lines(0, 5)[0x0123])  # 8 4 2 and an empty cell
    (60, -40)
    """
    tiles = tiles_of_rows()
    worth = np.full(1 << 16, monotonicity)
    for one, next_ in pairwise(tiles):
        worth += monotonicity * (next_ < one) - smoothness * np.abs(one - next_)
    return _table(worth)


@lru_cache(SETS)
def weighed_rows(matrix: str, tiles: int, empty: int, monotonicity: int, smoothness: int) -> Any:
    """Return the table of values of each row in each place: its weight, empty cells and order.

    It has eight parts of 65,536 entries: the four rows of the first matrix, then of the second.
    """
    cells = tiles_of_rows()
    free = empty * sum((cell == 0).astype(np.int64) for cell in cells)
    own = free + lines(monotonicity, smoothness).astype(np.int64)
    found = []
    for weights in MATRICES[matrix]:
        for row in range(4):
            short = weights[row] if row < len(weights) else ()
            found.append(own + tiles * sum(w * c for w, c in zip(short, cells, strict=False)))
    return _table(np.concatenate(found))


@lru_cache(SETS)
def extremes(
    matrix: str, tiles: int, empty: int, monotonicity: int, smoothness: int
) -> tuple[int, int]:
    """Return bounds of the value of any board: the worst and best of each row and column."""
    table = weighed_rows(matrix, tiles, empty, monotonicity, smoothness)
    rows = table.astype(np.int64).reshape(8, 1 << 16)
    columns = 4 * lines(monotonicity, smoothness).astype(np.int64)
    low = min(int(rows[k : k + 4].min(1).sum()) for k in (0, 4)) + int(columns.min())
    high = max(int(rows[k : k + 4].max(1).sum()) for k in (0, 4)) + int(columns.max())
    return low, high


def _table(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the numbers as a read-only array of the smallest sufficient type."""
    small = np.abs(values).max() < 1 << 31
    table = values.astype(np.int32 if small else np.int64)
    table.setflags(write=False)
    return table


def _matrix(name: str) -> str:
    if not isinstance(name, str) or name not in MATRICES:
        raise MalformedError(f"matrix must be one of {', '.join(MATRICES)}, not {shown(name)}")
    return name


def greatest_tile(cells: U64) -> int:
    """Return the greatest tile of a board; 0 for an empty board.

    >>> greatest_tile(U64(0x0190))
    512
    """
    greatest = 0
    while cells != 0:
        greatest = max(greatest, int(cells & 15))
        cells = cells >> 4
    return 1 << greatest if greatest > 0 else 0


WEIGHTS: Final = ("empty", "monotonicity", "smoothness", "best", "tiles", "greatest")


@frozen
class Featured2048(Twenty48):
    """2048 whose estimate is a weighted sum of features.

    `matrix` names the weights of the cells, by which tiles are multiplied, and `tiles` is the
    weight of that sum; `empty` is the weight of an empty cell; `monotonicity` that of a cell below
    the one before it in its row, and in its column; `smoothness` that of the differences between
    neighbours, which are subtracted; `best` is added while the greatest tile is exactly 2048;
    `greatest` is the weight of the greatest tile.  The value of a terminal position is that of its
    features, without any bonus.
    Requires: whole weights from -10^9 to 10^9 that keep estimates below a win, or ValueError.
    Cost: the first game with some weights computes two tables, in about 10 ms; other weights need
    no compiling.

    >>> game = Featured2048()
    >>> game.estimate(game.parse_state("4 2 . .  . . . .  . . . .  . . . ."))
    1630
    """

    matrix: str = field(default="corner", converter=_matrix)
    empty: int = field(default=100, metadata={WEIGHT: True})
    monotonicity: int = field(default=15, metadata={WEIGHT: True})
    smoothness: int = field(default=5, metadata={WEIGHT: True})
    best: int = field(default=999_999, metadata={WEIGHT: True})
    tiles: int = field(default=1, metadata={WEIGHT: True})
    greatest: int = field(default=0, metadata={WEIGHT: True})
    rows: np.ndarray[Any, Any] = field(init=False, eq=False, repr=False)
    columns: np.ndarray[Any, Any] = field(init=False, eq=False, repr=False)
    value_range: tuple[float, float] = field(init=False, eq=False, repr=False)  # type: ignore[assignment]

    @rows.default
    def _rows(self) -> np.ndarray[Any, Any]:
        for name in WEIGHTS:
            weight = check_weight(name, getattr(self, name))
            if not isinstance(weight, int):
                raise MalformedError(f"{name}: a weight is whole here, not {shown(weight)}")
        cells = max(sum(map(sum, matrix)) for matrix in MATRICES[self.matrix])
        order = 32 * abs(self.monotonicity) + (24 << 15) * abs(self.smoothness)
        most = (abs(self.tiles) * cells + abs(self.greatest)) << 15
        most += 16 * abs(self.empty) + order + abs(self.best)
        if most >= WIN:
            raise MalformedError("the weights are too large: an estimate could count as a win")
        found: np.ndarray[Any, Any] = weighed_rows(
            self.matrix, self.tiles, self.empty, self.monotonicity, self.smoothness
        )
        return found

    @columns.default
    def _columns(self) -> np.ndarray[Any, Any]:
        return lines(self.monotonicity, self.smoothness)

    @value_range.default
    def _value_range(self) -> tuple[float, float]:
        weights = self.tiles, self.empty, self.monotonicity, self.smoothness
        low, high = extremes(self.matrix, *weights)
        more = self.best, self.greatest << 15
        return low + sum(min(0, n) for n in more), high + sum(max(0, n) for n in more)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.target, self.matrix, *(getattr(self, name) for name in WEIGHTS))

    def estimate(self, state: Tiles) -> int:
        """Return the weighted sum of the features, looked up by whole rows and columns."""
        cells = state.cells
        turned = transpose(cells)
        high = (cells >> 3) & ((cells >> 2) | (cells >> 1)) & ONES
        base = HIGH if high != 0 else 0
        total = 0
        for i in range(4):
            total += int(self.rows[base + (i << 16) + int((cells >> (16 * i)) & ROW)])
            total += int(self.columns[int((turned >> (16 * i)) & ROW)])
        if empties(cells ^ ELEVENS) != 0 and (cells >> 3) & (cells >> 2) & ONES == 0:
            total += self.best
        if self.greatest != 0:
            total += self.greatest * greatest_tile(cells)
        return total

    def utility(self, state: Tiles) -> int:
        return self.estimate(state)


TWO, FOUR = 1, 2
"""Minnie's turns: she places a 2, or a 4."""


@frozen
class Pessimistic2048(Featured2048):
    """2048 in which chance draws a 2 or a 4, and Minnie places it on the worst cell.

    So the value of a chance node is 0.9 times that of the worst cell for a 2 plus 0.1 times that of
    the worst for a 4, instead of a mean over all cells.  With ``expectimax(…, rounded=True)`` each
    of the two is rounded to a whole number, a half to the even one, as in the program of the
    source.  A round of the game has three plies: a move, chance, Minnie.

    >>> game = Pessimistic2048()
    >>> state = game.make_move(game.parse_state("2 2 . .  4 4 . .  . . . .  . . . ."), 0)
    >>> [(p, int(game.player(s)), len(list(game.moves(s)))) for p, s in game.outcomes(state)]
    [(0.9, 1, 14), (0.1, 1, 14)]
    """

    players = 2

    def player(self, state: Tiles) -> int:
        return MINNIE if state.turn > 0 else state.turn

    def moves(self, state: Tiles) -> Iterator[int]:
        if not self.won(state.cells):
            if state.turn > 0:
                free = empties(state.cells)
                while free != 0:
                    cell = free & -free
                    yield cell.lowest() // 4
                    free = free ^ cell
            elif state.turn == MAXIE:
                for direction in range(4):
                    if self.slide(state.cells, direction) != state.cells:
                        yield direction

    def make_move(self, state: Tiles, move: int) -> Tiles:
        if state.turn > 0:
            many = empties(state.cells).bit_count()
            cells = state.cells | (U64(state.turn) << (4 * move))
            return Tiles(cells, CHANCE if many == 16 else MAXIE)
        return Tiles(self.slide(state.cells, move), CHANCE)

    children = None  # type: ignore[assignment]  # the moves of two players are not alike

    def outcomes(self, state: Tiles) -> Iterator[tuple[float, Tiles]]:
        yield 0.9, Tiles(state.cells, TWO)
        yield 0.1, Tiles(state.cells, FOUR)

    # For people ---------------------------------------------------------------------------------

    def move_text(self, state: Tiles, move: int) -> str:
        return str(move + 1) if state.turn > 0 else super().move_text(state, move)

    def show(self, state: Tiles) -> str:
        text = super().show(Tiles(state.cells, MAXIE if state.turn > 0 else state.turn))
        return f"{text}\nput a {2**state.turn}" if state.turn > 0 else text

    def label(self, state: Tiles) -> str:
        return super().label(Tiles(state.cells, MAXIE)) + (
            "?" if state.turn < 0 else "+" * state.turn
        )
