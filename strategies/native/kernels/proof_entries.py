"""Packs the entries of proofs into a transposition table: one word for a position, if values are
small ints.

The word holds 41 bits of the position's hash, 15 of the value, 2 of the kind of bound and 6 of the
best branch.  It is read and written whole, so threads need no lock.  With the 23 bits of the place
in a table of 64 MB, all 64 bits of the hash are compared.

A value that does not fit stops the proof, which is then repeated with `wide` entries, the two words
of `table`.

Source: the packed entries of P. Pons's Connect Four solver (2015).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import WIN, WIN_PLIES
from games.u64 import U64
from strategies.native.hooks import as_kind_of
from strategies.native.kernels.control import STOP
from strategies.native.memory.transposition_table import (
    COUNTERS,
    HITS,
    NOTHING,
    OVERWRITTEN,
    PROBES,
    SHIFT,
    STORES,
    bucket,
    keep,
    kind_in,
    move_in,
    probe,
)

WIDE: Final = COUNTERS
"""The cell of a control that says whether entries are wide; the caller writes it."""
TOO_FINE: Final = 4
"""The value of the stop cell when a value does not fit into one word."""
TAG: Final = 23
"""The bits of a word below those of the hash."""
MOVES: Final = 63
"""Branches from this number less 1 on are not stored; also the mask of the branch."""
TOP: Final = (1 << 14) - 1
"""The greatest code of a value; the least is its negative."""
LAST: Final = TOP - WIN_PLIES
"""From here on codes mean wins; whole values below it are their own codes."""

Cells = Any


def code_of(value: float) -> int:
    """Encode a value as a small number, in the same order; `value_of` shows whether it fits."""
    if value >= WIN:
        return int(value - WIN) + LAST
    if value <= -WIN:
        return int(value + WIN) - LAST
    return int(value) if -LAST < value < LAST else LAST


def value_of(code: int) -> int:
    """Decode the value of a code.

    >>> [value_of(code_of(v)) for v in (7.0, -3.0, 1e15 + 493)] == [7.0, -3.0, 1e15 + 493]
    True
    """
    if code >= LAST:
        return code - LAST + WIN
    return code + LAST - WIN if code <= -LAST else code


def place(control: Cells, word: U64) -> int:
    """Return the first cell that is read for a position."""
    if control[WIDE] != 0:
        return bucket(control, word)
    return int(word >> (control[SHIFT] - 2))


def recall(table: Cells, control: Cells, word: U64, like: float) -> tuple[int, float, int]:
    """Look up a position in the table.

    Ensures: the kind of bound, its value as a number like `like`, and the best branch, -1 if none.
    """
    if control[WIDE] != 0:
        entry, value = probe(table, control, word)
        return kind_in(entry), as_kind_of(value, like), move_in(entry)
    control[PROBES] = control[PROBES] + 1
    entry = U64(table[place(control, word)])
    if (entry ^ (word << TAG)) >> TAG != 0:
        return NOTHING, as_kind_of(0, like), -1
    low = int(entry)
    if (low >> 6) & 3 == NOTHING:
        return NOTHING, as_kind_of(0, like), -1
    control[HITS] = control[HITS] + 1
    value = value_of(((low >> 8) & 0x7FFF) - TOP)
    return (low >> 6) & 3, as_kind_of(value, like), (low & MOVES) - 1


def remember(
    table: Cells, control: Cells, word: U64, effort: int, kind: int, move: int, value: float
) -> None:
    """Store the result of a proof; of wide entries, those of more effort stay."""
    if control[WIDE] != 0:
        keep(table, control, word, effort, kind, move, float(value))
        return
    code = code_of(value)
    if value_of(code) != value:
        control[STOP] = TOO_FINE
        return
    at = place(control, word)
    old = U64(table[at])
    forgets = old != 0 and (old ^ (word << TAG)) >> TAG != 0
    control[OVERWRITTEN] = control[OVERWRITTEN] + int(forgets)
    control[STORES] = control[STORES] + 1
    low = ((code + TOP) << 8) | (kind << 6) | (move + 1 if move < MOVES - 1 else 0)
    table[at] = int((word << TAG) | low)
