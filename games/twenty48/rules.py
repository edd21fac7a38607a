"""2048 in one 64-bit word: four bits per cell, moves by table look-ups of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from games.board import Board
from games.game import CHANCE, MAXIE, Game, Status
from games.networks.ntuples import NTuples, turned
from games.text_places import end_of, placed_words
from games.twenty48.row_tables import ALIVE, lefts, paid, rights, worths
from games.u64 import U64
from graphs.arguments import check_text, shown
from graphs.errors import MalformedError

DIRECTIONS = ("left", "right", "up", "down")
TARGETS = tuple(2**power for power in range(3, 16))
ROW = 0xFFFF
ONES = 0x1111111111111111
SIXES = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))


@frozen
class Tiles:
    """The board of 2048: four bits per cell, row by row: the tile's power of two, or 0."""

    cells: U64
    turn: int


def transpose(x: U64) -> U64:
    """Return the board with rows and columns exchanged."""
    a = (
        (x & 0xF0F00F0FF0F00F0F)
        | ((x & 0x0000F0F00000F0F0) << 12)
        | ((x & 0x0F0F00000F0F0000) >> 12)
    )
    return (
        (a & 0xFF00FF0000FF00FF)
        | ((a & 0x00FF00FF00000000) >> 24)
        | ((a & 0x00000000FF00FF00) << 24)
    )


def empties(x: U64) -> U64:
    """Return the mask of the lowest bit of each empty cell."""
    filled = x | (x >> 1)
    filled = filled | (filled >> 2)
    return ~filled & ONES


def points(cells: U64) -> int:
    """Return the score of merging the tiles if every new tile was a 2: a 4 scores 4, an 8 16."""
    total = 0
    for i in range(16):
        power = int((cells >> (4 * i)) & 15)
        if power > 1:
            total += (power - 1) << power
    return total


def total(cells: U64) -> int:
    """Return the sum of the tiles, which only chance increases."""
    return sum(1 << p for i in range(16) if (p := int((cells >> (4 * i)) & 15)))


def power_of(target: int | None) -> int:
    """Return the exponent of a target, or 0 for None."""
    return target.bit_length() - 1 if target else 0


def checked_target(target: int | None) -> int | None:
    """Check the target, and return it; None for no target."""
    if target is not None and target not in TARGETS:
        raise MalformedError(
            f"target must be a power of two from 8 to 32768, or None, not {target}"
        )
    return target


@frozen
class Twenty48(Game[Tiles, int]):
    """2048 for one player, Maxie, against chance; a move is 0 to 3: left, right, up, down.

    The start is the empty board, where chance moves twice.  A new tile appears on each empty cell
    with the same probability: a 2 with 0.9, a 4 with 0.1; outcomes are in the order of the cells.
    The game is won when a tile reaches `target`; without a target (None) it goes on until no move
    changes the board.  The largest tile is 32768; two of these do not merge.

    Requires: a target that is a power of two, 8 to 32768, or None; or ValueError.
    Ensures: finite values, so that means are defined: a lost position is worth the `points` of its
    tiles; one in play `ALIVE` more plus the value of its shape; a won one twice `ALIVE` more.
    Cost: the first game computes the tables of rows, once per process.

    >>> game = Twenty48()
    >>> state = game.parse_state("2 2 . .  . . . .  4 . 4 .  . . . 2")
    >>> print(game.show(game.make_move(state, game.parse_move(state, "left"))))
       4    .    .    .
       .    .    .    .
       8    .    .    .
       2    .    .    .
    chance
    """

    players = 1
    ply_limit = 10_000_000
    value_range = (0, 8 * (ALIVE // 8 + 4 * 14 * 2**15 + 5_000))

    target: int | None = field(default=2048, converter=checked_target)
    goal: int = field(init=False, eq=False, repr=False)
    left: np.ndarray[Any, Any] = field(factory=lefts, init=False, eq=False, repr=False)
    right: np.ndarray[Any, Any] = field(factory=rights, init=False, eq=False, repr=False)
    worth: np.ndarray[Any, Any] = field(factory=worths, init=False, eq=False, repr=False)
    paid: np.ndarray[Any, Any] = field(factory=paid, init=False, eq=False, repr=False)

    @goal.default
    def _goal(self) -> int:
        return power_of(self.target)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.target,)

    def start(self) -> Tiles:
        return Tiles(U64(0), CHANCE)

    def slide(self, cells: U64, direction: int) -> U64:
        """Return the cells after a slide, before chance moves; the same cells if nothing moves."""
        if direction >= 2:
            return transpose(self.slid(transpose(cells), direction))
        return self.slid(cells, direction)

    def slid(self, rows: U64, direction: int) -> U64:
        """Return four rows after a slide to the left, or to the right if the direction is odd."""
        table = self.left if direction % 2 == 0 else self.right
        after = U64(0)
        for k in (0, 16, 32, 48):
            after = after | (U64(int(table[int((rows >> k) & ROW)])) << k)
        return after

    def won(self, cells: U64) -> bool:
        """Return whether a tile has reached the target."""
        return self.goal > 0 and empties(cells ^ (U64(ONES) * self.goal)) != 0

    def stuck(self, cells: U64) -> bool:
        """Return whether no move changes the board."""
        if empties(cells) != 0:
            return cells == 0
        turned = transpose(cells)
        return self.slid(cells, 0) == cells and self.slid(turned, 2) == turned

    def status(self, state: Tiles) -> Status:
        if self.won(state.cells):
            return Status.MAXIE_WINS
        if state.turn == MAXIE and self.stuck(state.cells):
            return Status.OVER
        return Status.IN_PLAY

    def player(self, state: Tiles) -> int:
        return state.turn

    def moves(self, state: Tiles) -> Iterator[int]:
        if state.turn == MAXIE and not self.won(state.cells):
            for direction, _ in self.children(state):
                yield direction

    def children(self, state: Tiles) -> Iterator[tuple[int, Tiles]]:
        """Yield each move of a position in play with its child; each row slides only once."""
        turned = transpose(state.cells)
        for direction in range(4):
            before = state.cells if direction < 2 else turned
            after = self.slid(before, direction)
            if after != before:
                yield direction, Tiles(transpose(after) if direction >= 2 else after, CHANCE)

    def make_move(self, state: Tiles, move: int) -> Tiles:
        return Tiles(self.slide(state.cells, move), CHANCE)

    def outcomes(self, state: Tiles) -> Iterator[tuple[float, Tiles]]:
        free = empties(state.cells)
        many = free.bit_count()
        turn = CHANCE if many == 16 else MAXIE
        while free != 0:  # a variable not kept from one yield to the next frees a register
            yield 0.9 / many, Tiles(state.cells | (free & -free), turn)
            yield 0.1 / many, Tiles(state.cells | ((free & -free) << 1), turn)
            free = free & (free - 1)

    def estimate(self, state: Tiles) -> int:
        """Return the sum of the values of rows and columns, each by one look-up."""
        turned = transpose(state.cells)
        total = 0
        for i in range(4):
            total += int(self.worth[int((state.cells >> (16 * i)) & ROW)])
            total += int(self.worth[int((turned >> (16 * i)) & ROW)])
        return total

    def utility(self, state: Tiles) -> int:
        return points(state.cells) + (2 * ALIVE if self.won(state.cells) else 0)

    # For networks -------------------------------------------------------------------------------

    def cell(self, state: Tiles, k: int) -> int:
        """Return the exponent of the tile in cell k, or 0."""
        return int((state.cells >> (4 * k)) & 15)

    def packed(self, state: Tiles) -> U64:
        """Return all cells in one word, from which a network reads those of a tuple together."""
        return state.cells

    def stage(self, state: Tiles) -> int:
        """Return the stage of the game: the sum of the tiles of 8192 and more, divided by 8192."""
        stage = 0
        for k in range(3):
            stage += int(empties(state.cells ^ (U64(ONES) * (13 + k))) != 0) << k
        return stage

    def familiar(self, state: Tiles) -> Tiles:
        """Return the position to read from a network: few games reach the largest tile.

        If it is there, all tiles larger than the largest missing one are halved.  If all are there,
        the position is read as it is.
        """
        if empties(state.cells ^ (U64(ONES) * 15)) == 0:
            return state
        met = 0
        for i in range(16):
            met |= 1 << int((state.cells >> (4 * i)) & 15)
        missing = 14
        while missing > 0 and (met >> missing) & 1 == 1:
            missing -= 1
        if missing == 0:
            return state
        cells = state.cells
        for i in range(16):
            if int((cells >> (4 * i)) & 15) > missing:
                cells = cells - (U64(1) << (4 * i))
        return Tiles(cells, state.turn)

    def secured(self, state: Tiles) -> int:
        """Return the `points` of the tiles, which are never lost again."""
        total = 0
        for i in range(4):
            total += int(self.paid[int((state.cells >> (16 * i)) & ROW)])
        return total

    def network(self) -> NTuples:
        """Return the four 6-tuples of Yeh and others (2016), with all eight symmetries."""
        return NTuples(16, SIXES, turned(4, 4))

    def practice(self) -> Twenty48:
        """Return the game without a target, which continues after a win to learn more."""
        return evolve(self, target=None)

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Tiles) -> str:
        tiles = [1 << int((state.cells >> (4 * i)) & 15) for i in range(16)]
        texts = [f"{tile if tile > 1 else '.':>4}" for tile in tiles]
        rows = [" ".join(texts[k : k + 4]) for k in (0, 4, 8, 12)]
        return "\n".join(rows if state.turn == MAXIE else [*rows, "chance"])

    def picture(self, state: Tiles) -> Board:
        rows = [line.split() for line in self.show(state).split("\n")]
        return Board(rows[:4], "tiles", below="\n".join(" ".join(row) for row in rows[4:]))

    def label(self, state: Tiles) -> str:
        return f"{int(state.cells):016x}" + ("?" if state.turn == CHANCE else "")

    def metrics(self, first: Tiles, last: Tiles, drawn: int) -> dict[str, float]:
        """Return the best tile, and the score of merges since the first position.

        A new 4 scores nothing; the number of new 4s follows from the sum of all tiles.
        """
        fours = (total(last.cells) - total(first.cells) - 2 * drawn) // 2
        best = max(int((last.cells >> (4 * i)) & 15) for i in range(16))
        score = points(last.cells) - points(first.cells) - 4 * fours
        return {"best tile": 1 << best if best else 0, "score": score}

    def move_text(self, state: Tiles, move: int) -> str:
        return DIRECTIONS[move]

    def parse_state(self, text: str) -> Tiles:
        """Read a position of sixteen numbers, row by row, with 0 or a dot for an empty cell.

        With the word ``chance`` at the end, chance moves next; so it does on an empty board.

        Raises: ValueError, with line and column, for an invalid tile, or not sixteen cells.
        """
        check_text(text)
        words = placed_words(text)
        chance = bool(words) and words[-1][0] == "chance"
        tiles = words[:-1] if chance else words
        numbers = {".": 0, "0": 0} | {str(2**p): p for p in range(1, (self.goal or 15) + 1)}
        cells = U64(0)
        for i, (word, place) in enumerate(tiles[:16]):
            if word not in numbers:
                raise MalformedError(
                    f"{place}: {shown(word)} is not a tile; tiles are 2, 4, 8 … "
                    f"{self.target or 32768}"
                )
            cells |= U64(numbers[word]) << (4 * i)
        if len(tiles) != 16:
            place = tiles[16][1] if len(tiles) > 16 else end_of(text)
            raise MalformedError(f"{place}: a board has 16 cells, not {len(tiles)}")
        if chance and empties(cells) == 0:
            raise MalformedError(f"{words[-1][1]}: there is no empty cell for a new tile")
        return Tiles(cells, CHANCE if chance or cells == 0 else MAXIE)
