"""The tables of 2048: the result of sliding a row of four cells, and the value of a row.

A row is 16 bits, four per cell, the leftmost cell lowest.  The tables are read-only NumPy arrays of
65,536 entries, computed for all rows at once, once per process.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

Table = np.ndarray[Any, np.dtype[np.int32]]

ALIVE: Final = 1_600_000
"""The value of a position in play above that of a lost one with the same tiles."""
EMPTY_CELL, EQUAL_PAIR, DISORDER, CROWD = 270, 700, 47, 11


def cells_of(rows: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return the four cells of each row, leftmost first."""
    return [(rows >> (4 * i)) & 15 for i in range(4)]


def _rows() -> np.ndarray[Any, Any]:
    return np.arange(1 << 16, dtype=np.int64)


def _joined(cells: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    return np.asarray(cells[0] | cells[1] << 4 | cells[2] << 8 | cells[3] << 12)


def _packed(cells: list[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """Return the cells with gaps closed towards the left."""
    cells = list(cells)
    for _ in range(3):
        for i in range(3):
            gap = cells[i] == 0
            cells[i] = np.where(gap, cells[i + 1], cells[i])
            cells[i + 1] = np.where(gap, 0, cells[i + 1])
    return cells


def _frozen(values: np.ndarray[Any, Any]) -> Table:
    table = values.astype(np.int32)
    table.setflags(write=False)
    return table


@cache
def lefts() -> Table:
    """Return the table of rows slid to the left: gaps closed, equal neighbours merged once.

    >>> hex(lefts()[0x2011])
    '0x22'
    """
    cells = _packed(cells_of(_rows()))
    for i in range(3):
        merge = (cells[i] == cells[i + 1]) & (cells[i] > 0) & (cells[i] < 15)
        cells[i] = np.where(merge, cells[i] + 1, cells[i])
        cells[i + 1] = np.where(merge, 0, cells[i + 1])
    return _frozen(_joined(_packed(cells)))


@cache
def rights() -> Table:
    """Return the table of rows after a slide to the right: the mirror of the mirror's slide."""
    mirror = _joined(cells_of(_rows())[::-1])
    return _frozen(mirror[lefts()[mirror]])


@cache
def paid() -> Table:
    """Return the table of points of rows: the score of their merges if every new tile was a 2.

    >>> int(paid()[0x0132])
    20
    """
    cells = cells_of(_rows())
    return _frozen(np.sum([(np.maximum(cell, 1) - 1) << cell for cell in cells], axis=0))


@cache
def worths() -> Table:
    """Return the table of values of rows in play, with half the points; columns have the others.

    Empty cells and equal neighbours count positive; the disorder (the fall or the rise of the
    fourth powers along the row, whichever is smaller) and the crowd (powers of 3.5) count negative.
    Source: the terms and weights of R. Xiao's 2048-ai, to which the points are added.  With a
    search of five plies, 38 of 40 games reached 2048.
    """
    cells = cells_of(_rows())
    worth = np.full(1 << 16, ALIVE // 8)
    rise, fall = np.zeros_like(worth), np.zeros_like(worth)
    for cell in cells:
        worth += np.where(cell == 0, EMPTY_CELL, ((np.maximum(cell, 1) - 1) << cell) // 2)
        worth -= np.rint(CROWD * cell**3.5).astype(np.int64)
    for one, next_ in pairwise(cells):
        worth += EQUAL_PAIR * ((one == next_) & (one > 0))
        step = next_**4 - one**4
        rise += np.maximum(step, 0)
        fall += np.maximum(-step, 0)
    return _frozen(np.maximum(worth - DISORDER * np.minimum(rise, fall), 0))
