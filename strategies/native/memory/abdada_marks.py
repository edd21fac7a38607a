"""Marks positions as busy (ABDADA): threads that share a table spread out over the others.

A thread marks every branch but the first of a node while it searches it, and leaves for later a
branch that another has marked; by then the table often has its value.  Marks lie behind the table's
slots, four to a set, and are written without a lock: one that is lost, or left behind, costs time
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
"""Cells behind a table's slots: a mark each, 0 for none."""

Cells = Any


def mark_of(word: U64, depth: int) -> U64:
    """Makes the busy mark of a position with `depth` plies left from its hash: never 0."""
    return ((word ^ U64(depth)) >> 1) | 1


def marked(table: Cells, first: int, mark: U64) -> bool:
    """Says whether some thread searches what has this mark; the marks begin at the cell `first`."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    return bool(
        table[at] == wanted
        or table[at + 1] == wanted
        or table[at + 2] == wanted
        or table[at + 3] == wanted
    )


def set_mark(table: Cells, first: int, mark: U64) -> None:
    """Marks what this thread searches; where there is no room, another mark is forgotten."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    for cell in range(at, at + WAYS):
        if table[cell] == 0 or table[cell] == wanted:
            table[cell] = wanted
            return
    table[at] = wanted


def clear_mark(table: Cells, first: int, mark: U64) -> None:
    """Takes the mark of this thread back: the position is searched."""
    at = first + int(mark >> 53) * WAYS
    wanted = int(mark)
    for cell in range(at, at + WAYS):
        if table[cell] == wanted:
            table[cell] = 0
