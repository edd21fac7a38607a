"""n-tuple networks: the value of a position is the sum of the weights of its tuples of cells.

Indices of tuples for a board in one word take a few shifts and masks, not one for each cell: cells
that lie side by side in a tuple and in the word are read together.  For each symmetry, the word is
turned once, and all tuples are read from it.

Source: bitboards with isomorphisms, as in TDL2048+ (Guei, Chen and Wu, 2021).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from graphs.arguments import check_integers, row_of, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_WEIGHTS

if TYPE_CHECKING:  # rules load without NumPy
    from games.networks.weights import Row


Cells = tuple[int, ...]


def rows_of(cells: Iterable[Iterable[int]]) -> tuple[Cells, ...]:
    """Return rows of numbers as tuples."""
    whole = "rows of whole numbers, such as [(0, 1), (2, 3)]"
    rows = [row_of("a row of cells", row, whole) for row in row_of("rows of cells", cells, whole)]
    check_integers(**{f"cell {cell}": cell for row in rows for cell in row})
    return tuple(tuple(map(int, row)) for row in rows)


@frozen
class NTuples:
    """An n-tuple network: the number of values of a cell, the cells of each tuple, and symmetries.

    A tuple has a weight for each combination of values of its cells.  A symmetry lists, for each
    cell of the board, the cell that takes its place; each tuple is looked up once for each symmetry
    of the group that these generate, and all share its weights.  So the sum is the same for
    symmetric positions, up to rounding.

    With `stages`, each stage of the game has weights of its own, in turn in the same row.  The game
    returns the stage of a position, from 0 on, by ``stage(state)``; the last stage of the network
    stands for all later ones.

    Requires: two values or more; cells from 0, distinct in each tuple; symmetries that are
    permutations of the same board; one stage or more; or ValueError.
    Source: the n-tuple networks of S. Lucas (2007); for 2048, Szubert and Jaśkowski (2014); with
    stages, Wu and others (2014).

    >>> lines = NTuples(3, ((0, 1, 2), (3, 4, 5)), mirrored(3, 3))
    >>> lines.size, len(lines.lookups)
    (54, 4)
    >>> NTuples(3, lines.tuples, lines.symmetries, stages=2).size
    108
    """

    values: int
    tuples: tuple[Cells, ...] = field(converter=rows_of)
    symmetries: tuple[Cells, ...] = field(default=(), converter=rows_of)
    stages: int = field(default=1, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_integers(2, values=self.values)
        check_integers(1, stages=self.stages)
        if not self.tuples or not all(self.tuples):
            raise MalformedError("a network needs one tuple or more, each of one cell or more")
        for cells in self.tuples:
            if min(cells) < 0 or len(set(cells)) < len(cells):
                raise MalformedError(
                    f"the cells of a tuple must be distinct and from 0: {shown(cells)}"
                )
        board = {tuple(sorted(turn)) for turn in self.symmetries}
        if board and board != {tuple(range(len(self.symmetries[0])))}:
            raise MalformedError("a symmetry must list each cell of the board once")
        if board and self.cells > len(self.symmetries[0]):
            raise MalformedError(f"the symmetries have no cell {self.cells - 1}, which a tuple has")
        if self.size > MOST_WEIGHTS:
            fewer = "fewer stages" if self.stage_size <= MOST_WEIGHTS else "shorter tuples"
            raise MalformedError(f"{shown(self.size)} weights are too many; use {fewer}")

    @property
    def cells(self) -> int:
        """Return the number of cells of the board, up to the last that is read."""
        return 1 + max(max(cells) for cells in (*self.tuples, *self.symmetries))

    @property
    def seen(self) -> Cells:
        """Return the cells that the network reads."""
        return tuple(sorted({cell for _, cells in self.lookups for cell in cells}))

    @property
    def size(self) -> int:
        """Return the number of weights."""
        return self.stages * self.stage_size

    @property
    def stage_size(self) -> int:
        """Return the number of weights of a stage."""
        return sum(self.values ** len(cells) for cells in self.tuples)

    @property
    def group(self) -> tuple[Cells, ...]:
        """Return the group that the symmetries generate, the identity first."""
        found = [tuple(range(self.cells))]
        for turn in found:
            for more in self.symmetries:
                after = tuple(more[cell] for cell in turn)
                if after not in found:
                    found.append(after)
        return tuple(found)

    @property
    def lookups(self) -> tuple[tuple[int, Cells], ...]:
        """Return the look-ups: for each, the offset of its weights in a stage, and the cells it
        reads."""
        found, begin = [], 0
        for cells in self.tuples:
            found += [(begin, tuple(turn[cell] for cell in cells)) for turn in self.group]
            begin += self.values ** len(cells)
        return tuple(found)

    def begun(self, start: float) -> Row:
        """Return weights that evaluate every position to `start`."""
        import numpy as np

        weights = np.zeros(self.size, np.float32)
        if start:  # 0 needs no writing to memory
            weights += np.float32(start / len(self.lookups))
        return weights

    def settled(self, weights: Row) -> Row:
        """Return learned weights unchanged."""
        return weights

    def index(self, begin: int, cells: Cells, values: Iterable[int]) -> int:
        """Return the index of the weight that a look-up reads, given the values of all cells.

        >>> NTuples(3, ((2, 0),)).index(0, (2, 0), (1, 0, 2))
        5
        """
        row = tuple(values)
        return begin + sum(row[cell] * int(self.values**k) for k, cell in enumerate(cells))


def mirrored(rows: int, columns: int) -> tuple[Cells, ...]:
    """Return the symmetry of a board under reflection, left for right.

    >>> mirrored(1, 3)
    ((2, 1, 0),)
    """
    return (tuple(r * columns + columns - 1 - c for r in range(rows) for c in range(columns)),)


def turned(rows: int, columns: int) -> tuple[Cells, ...]:
    """Return symmetries that generate all those of a board, with cells numbered row by row.

    There are eight on a square, four on another rectangle.

    >>> len(NTuples(2, ((0,),), turned(3, 3)).group), len(NTuples(2, ((0,),), turned(2, 3)).group)
    (8, 4)
    """
    upside = tuple(r * columns + c for r in reversed(range(rows)) for c in range(columns))
    across = tuple(c * columns + r for r in range(rows) for c in range(columns))
    return (*mirrored(rows, columns), upside, *((across,) if rows == columns else ()))


def windows(rows: int, columns: int, high: int, wide: int) -> tuple[Cells, ...]:
    """Return the rectangles of `high` times `wide` cells on a board, as tuples.

    >>> windows(2, 3, 2, 2)
    ((0, 1, 3, 4), (1, 2, 4, 5))
    """
    return tuple(
        tuple((r + i) * columns + c + k for i in range(high) for k in range(wide))
        for r in range(rows - high + 1)
        for c in range(columns - wide + 1)
    )


def lines(rows: int, columns: int, length: int) -> tuple[Cells, ...]:
    """Return the straight lines of `length` cells on a board, in the four directions, as tuples.

    >>> len(lines(3, 3, 3))
    8
    """
    return tuple(
        tuple((r + k * down) * columns + c + k * right for k in range(length))
        for r in range(rows)
        for c in range(columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if r + (length - 1) * down < rows and 0 <= c + (length - 1) * right < columns
    )


def distinct(tuples: Iterable[Cells], symmetries: Iterable[Cells]) -> tuple[Cells, ...]:
    """Return the tuples without those that are symmetric to an earlier one.

    >>> distinct(lines(3, 3, 3), turned(3, 3))
    ((0, 1, 2), (0, 4, 8), (1, 4, 7))
    """
    kept: list[Cells] = []
    seen: set[frozenset[int]] = set()
    given = tuple(symmetries)
    group = NTuples(2, ((0,),), given).group
    for cells in tuples:
        if frozenset(cells) not in seen:
            kept.append(cells)
            seen |= {frozenset(turn[cell] for cell in cells) for turn in group}
    return tuple(kept)


WORD = 64


def fits(network: NTuples) -> bool:
    """Return whether the cells of a network fit in a word: their values are a power of two.

    >>> fits(NTuples(16, ((0, 15),))), fits(NTuples(16, ((0, 16),))), fits(NTuples(3, ((0,),)))
    (True, False, False)
    """
    return network.values & (network.values - 1) == 0 and network.cells * bits(network) <= WORD


def bits(network: NTuples) -> int:
    """Return the number of bits of a cell."""
    return network.values.bit_length() - 1


def gathered(word: str, moves: Iterable[tuple[int, int]], size: int) -> str:
    """Return the text that moves cells of a word: for each, the place that it has, and gets.

    Cells that move equally far move together.

    >>> gathered("w", [(0, 0), (1, 1), (4, 2)], 4)
    '(w & 0xff) | ((w >> 8) & 0xf00)'
    """
    masks: dict[int, int] = {}
    for begin, end in moves:
        far = size * (begin - end)
        masks[far] = masks.get(far, 0) | ((1 << size) - 1) << (size * end)
    shifts = {far: f"({word} >> {far})" if far > 0 else f"({word} << {-far})" for far in masks}
    return " | ".join(f"({shifts[f] if f else word} & {mask:#x})" for f, mask in masks.items())


def words_of(network: NTuples) -> list[str]:
    """Return the lines that turn a board, `w0`, by each symmetry: `w1`, `w2`, …

    Each is made from the earlier one for which the fewest cells move differently far.
    """
    size, group = bits(network), network.group

    def moves(now: Cells, wanted: Cells) -> list[tuple[int, int]]:
        return [(now.index(cell), k) for k, cell in enumerate(wanted)]

    def cost(now: Cells, wanted: Cells) -> int:
        return len({begin - end for begin, end in moves(now, wanted)})

    lines, made, left = [" w0 = self.packed(state)"], [0], list(range(1, len(group)))
    while left:
        old, new = min(
            ((m, k) for m in made for k in left), key=lambda pair: cost(*(group[k] for k in pair))
        )
        found = gathered(f"w{old}", moves(group[old], group[new]), size)
        lines.append(f" w{new} = {found}")
        made.append(new)
        left.remove(new)
    return lines


def looked_up_in_words(network: NTuples) -> list[str]:
    """Return the lines that compute each index, `i0`, `i1`, …, from the word of a board.

    Requires: `base` is the index of the first weight of the stage.
    """
    lines, n, begin = words_of(network), 0, 0
    for cells in network.tuples:
        for k in range(len(network.group)):
            places = [(cell, place) for place, cell in enumerate(cells)]
            found = gathered(f"w{k}", places, bits(network))
            lines.append(f" i{n} = base + {begin} + int({found})")
            n += 1
        begin += network.values ** len(cells)
    return lines
