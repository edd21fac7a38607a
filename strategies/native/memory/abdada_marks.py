"""Marks positions as busy (ABDADA), so that threads that share a table search different branches.

A thread marks every branch but the first of a node while it searches it, and defers a branch that
another thread has marked; by then the table often has its value.  Marks lie after the table's
slots, four to a set, and are written without a lock: a mark that is lost, or left over, costs time
and never changes a value.

Sources: Weill, The ABDADA distributed minimax-search algorithm (1996); Kerrigan, Simplified ABDADA
(2019), for marks in a small table of their own.
"""

from __future__ import annotations

from typing import Any, Final

from games.u64 import U64

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
