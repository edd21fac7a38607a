"""Cells in which searches tell each other what they search: busy positions, and the best leaf.

Threads that share a table mark positions as busy (ABDADA), to search different branches.  A thread
marks every branch but the first of a node while it searches it, and defers a branch that
another thread has marked; by then the table often has its value.  Marks lie after the table's
slots, four to a set, and are written without a lock: a mark that is lost, or left over, costs time
and never changes a value.

Tasks that search one tree share the value of its best leaf, the incumbent, in a cell.

Sources: Weill, The ABDADA distributed minimax-search algorithm (1996); Kerrigan, Simplified ABDADA
(2019), for marks in a small table of their own.
"""

from __future__ import annotations

from typing import Any, Final

from games.u64 import U64
from strategies.native.memory.cells import cells
from strategies.native.memory.floats import below, bits_of, float_of

SETS: Final = 1 << 10
WAYS: Final = 4
ROOM: Final = SETS * WAYS
"""The number of cells after a table's slots: one for each mark, 0 if there is none."""

Cells = Any


def mark_of(word: U64, depth: int) -> U64:
    """Compute the busy mark of a position with `depth` plies left from its hash: never 0."""
    return ((word ^ U64(depth)) >> 1) | 1


def marked(table: Cells, first: int, mark: U64) -> bool:
    """Return whether a thread searches the position of this mark; the marks begin at the cell
    `first`."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    return bool(
        table[at] == wanted
        or table[at + 1] == wanted
        or table[at + 2] == wanted
        or table[at + 3] == wanted
    )


def set_mark(table: Cells, first: int, mark: U64) -> None:
    """Mark the position that this thread searches; if there is no room, replace another mark."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    for cell in range(at, at + WAYS):
        if table[cell] == 0 or table[cell] == wanted:
            table[cell] = wanted
            return
    table[at] = wanted


def clear_mark(table: Cells, first: int, mark: U64) -> None:
    """Remove the mark of this thread, after it has searched the position."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    for cell in range(at, at + WAYS):
        if table[cell] == wanted:
            table[cell] = 0


WORST: Final = -float(1 << 62)
"""A number below any value of a leaf."""


def no_incumbent() -> Any:
    """Create the cell of an incumbent, with no leaf in it.

    A cell holds the bits of a float.  Two searches that write at the same time may leave the lower
    of their values in it: then less is cut off, and nothing becomes wrong.

    >>> at_least(no_incumbent()) < -1e18
    True
    """
    row = cells(1)
    row[0] = int(bits_of(WORST))
    return row


def incumbent_of(row: Any) -> float:
    """Return the value of the best leaf, or a number below any."""
    return float_of(U64(row[0]))


def raise_incumbent(row: Any, value: float) -> None:
    """Raise the incumbent to the value of a leaf that another search found, if it is better.

    >>> row = no_incumbent()
    >>> raise_incumbent(row, 3.0)
    >>> raise_incumbent(row, 2.0)
    >>> incumbent_of(row)
    3.0
    """
    if value > incumbent_of(row):
        row[0] = int(bits_of(value))


def at_least(row: Any) -> float:
    """Return the greatest number below the incumbent: other leaves must be above it."""
    return below(incumbent_of(row))
