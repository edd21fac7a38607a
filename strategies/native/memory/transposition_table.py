"""The transposition table: what is known of positions, shared by threads without a lock.

A slot is two cells, the bits of a value and a check word.  The check word holds 43 bits of the
position's hash, an age, the plies of the search, the kind of bound and a move, all combined by
exclusive or with a scrambled value: a slot that two threads wrote at once, one cell each, matches
no position.  A bucket of two slots shares a cache line; its first slot keeps the deeper search of
this age, its second one takes the entries that the first refuses.

Source: Hyatt and Mann, A lock-less transposition table implementation for parallel search (2002).
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from typing import Any, ClassVar, Final

from attrs import frozen

from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import ArgumentError, JamboreeError
from graphs.limits import TABLE_BYTES
from strategies.native.memory.cells import cells
from strategies.native.memory.floats import bits_of, float_of
from strategies.native.memory.shared_cells import ROOM
from strategies.support.fork_locks import fork_lock

NOTHING, LOWER, UPPER, EXACT = range(4)
"""What an entry says of a value: nothing, a lower bound, an upper bound, the exact value."""
MOVES: Final = 127
"""Branches with this number or a greater one are not stored."""
DEPTHS: Final = 511
AGES: Final = 8
BUCKET: Final = 4
"""Cells of a bucket: two slots of two cells."""
SLOT: Final = 2
BYTES: Final = 8 * BUCKET
LEAST: Final = 1 << 12
DIGITS: Final = 20
"""The most digits of a size that are read: a longer number is larger than `TABLE_BYTES`."""
LARGE: Final = 1 << 26
"""From this size on, memory is requested in large pages: page look-ups take less time, but a search
that touches little has more to clear."""
TAG: Final = 21
"""The bits of a check word below those of the hash."""
LOW: Final = (1 << TAG) - 1
SPREAD: Final = U64(0x9E3779B97F4A7C15)

SHIFT, AGE, PROBES, HITS, STORES, OVERWRITTEN = range(3, 9)
"""Cells of a search's control: the shape of its table, and its counters."""
COUNTERS: Final = 9
"""The first cell of a control after those of the table."""

Cells = Any


def bucket(control: Cells, word: U64) -> int:
    """Return the first cell of the bucket of a position."""
    return int(word >> control[SHIFT]) * BUCKET


def probe(table: Cells, control: Cells, word: U64) -> tuple[int, float]:
    """Look up a position in the table; return an entry, 0 if there is none, and a value."""
    control[PROBES] = control[PROBES] + 1
    at = bucket(control, word)
    tag = word << TAG
    bits = U64(table[at])
    entry = U64(table[at + 1]) ^ (bits * SPREAD)
    if (entry ^ tag) >> TAG != 0:
        bits = U64(table[at + 2])
        entry = U64(table[at + 3]) ^ (bits * SPREAD)
        if (entry ^ tag) >> TAG != 0:
            return 0, 0.0
    if kind_in(int(entry)) == NOTHING:
        return 0, 0.0
    control[HITS] = control[HITS] + 1
    return int(entry & LOW), float_of(bits)


def word_at(word: U64, depth: int) -> U64:
    """Return the hash under which a search of `depth` plies is stored: an entry has room for the
    last nine bits of the depth, and the hash takes the others, if there are any."""
    return word ^ (U64(depth >> 9) * SPREAD)


def keep(
    table: Cells, control: Cells, word: U64, depth: int, kind: int, move: int, value: float
) -> None:
    """Store the result of a search of `depth` plies: a bound of some kind, and the best branch.

    Requires: the hash `word` differs for depths that have the last nine bits in common.
    """
    at = bucket(control, word)
    tag = word << TAG
    first = U64(table[at + 1]) ^ (U64(table[at]) * SPREAD)
    slot = at
    if (first ^ tag) >> TAG != 0:
        old = int(first & LOW)
        deeper = (
            kind_in(old) != NOTHING and depth_in(old) > depth & DEPTHS and old >> 18 == control[AGE]
        )
        second = U64(table[at + 3]) ^ (U64(table[at + 2]) * SPREAD)
        same = (second ^ tag) >> TAG == 0
        if deeper or same:
            slot = at + 2
            old = int(second & LOW)
        if not same and kind_in(old) != NOTHING:
            control[OVERWRITTEN] = control[OVERWRITTEN] + 1
    control[STORES] = control[STORES] + 1
    low = move + 1 if move < MOVES else 0
    entry = tag | (control[AGE] << 18) | ((depth & DEPTHS) << 9) | (kind << 7) | low
    bits = bits_of(value)
    table[slot] = int(bits)
    table[slot + 1] = int(entry ^ (bits * SPREAD))


def kind_in(entry: int) -> int:
    """Return the kind of bound in an entry: `NOTHING`, `LOWER`, `UPPER` or `EXACT`."""
    return (entry >> 7) & 3


def depth_in(entry: int) -> int:
    """Return the last nine bits of the plies of the search that stored an entry."""
    return (entry >> 9) & DEPTHS


def move_in(entry: int) -> int:
    """Return the best branch in an entry; -1 if there is none."""
    return (entry & MOVES) - 1


def answers(entry: int, known: float, depth: int, low: float, high: float) -> bool:
    """Return whether an entry settles a node: equal depth; exact, or a bound outside the window.

    An `entry` of 0 is none, though its depth is that of 512 plies.
    """
    if entry == 0 or depth_in(entry) != depth & DEPTHS:
        return False
    kind = kind_in(entry)
    return kind == EXACT or (known >= high if kind == LOWER else known <= low)


@frozen
class Counts:
    """The numbers of operations of searches on their table."""

    probes: int = 0
    hits: int = 0
    stores: int = 0
    overwritten: int = 0
    """Stores that replaced the entry of another position."""

    def plus(self, later: Counts) -> Counts:
        """Add the counts of a later search."""
        return Counts(
            self.probes + later.probes,
            self.hits + later.hits,
            self.stores + later.stores,
            self.overwritten + later.overwritten,
        )


class Table:
    """A transposition table, for one kind of search and one game at a time.

    Requires: at least 4 kB; the size is rounded down to a power of two.
    Ensures: a look-up returns what was stored for that position, or nothing.  Positions are
    distinguished by the bucket and 43 more bits of their hash: from 64 MB on by all 64, so with
    certainty in a game with a `key`, whose hash is one to one; else a look-up is wrong once in 2^42
    on a full table.
    Cost: two cells of one cache line for a look-up; untouched memory is never allocated.

    >>> Table("64MB")
    Table('64MB')
    """

    kept: ClassVar[bool] = False
    """Whether the table outlives its search, so that another search can continue from it."""

    def __init__(self, size: int | str = "64MB") -> None:
        self.bits = table_size(size).bit_length() - 1
        count = (1 << self.bits) // BYTES
        self.shift = 64 - (count.bit_length() - 1)
        self.marks = count * BUCKET
        self.lay_out(zeros((1 << self.bits) + 8 * ROOM))
        self._age = 0
        self._owner: Any = None
        self._lock = fork_lock()

    def lay_out(self, memory: Any) -> None:
        """Place the cells in memory."""
        self.memory = memory
        self.cells = (ctypes.c_int64 * (self.marks + ROOM)).from_buffer(memory)

    def __repr__(self) -> str:
        return f"Table({show_size(1 << self.bits)!r})"

    def __reduce__(self) -> Any:
        """Pickle the size alone: a copy begins empty."""
        return Table, (1 << self.bits,)

    @property
    def room(self) -> int:
        """Return the number of positions that the table can hold.

        >>> Table("64MB").room
        4194304
        """
        return self.marks // SLOT

    def age(self) -> int:
        """Begin a new age: entries of earlier searches give way to new ones."""
        with self._lock:
            self._age = (self._age + 1) % AGES
            return self._age

    def claim(self, owner: Any, *, anew: bool = False) -> None:
        """Set the meaning of the entries; if they had another meaning, clear them.

        With `anew`, the search that stored them has no use for them any more.

        Requires: no search that uses another meaning of the entries is using the table.
        """
        with self._lock:
            if self._owner is not None and self._owner != owner:
                self.clear()
            self._owner = owner

    def claimed(self, owner: Any) -> bool:
        """Return whether the entries have this meaning already."""
        return bool(self._owner == owner)

    def clear(self) -> None:
        """Clear all entries."""
        ctypes.memset(self.cells, 0, 1 << self.bits)

    def full(self, sample: int = 1000) -> float:
        """Measure the share of slots in use, among the first `sample` buckets."""
        count = min(BUCKET * sample, self.marks)
        used = sum(1 for at in range(1, count, 2) if self.cells[at] or self.cells[at - 1])
        return 2 * used / count

    def enter(self, control: Cells, owner: Any) -> None:
        """Write the shape of this table to the control of a search, and claim it: `owner` is all
        that the meaning of the entries depends on, game and options."""
        self.claim(owner)
        control[SHIFT] = self.shift
        control[AGE] = self._age

    def look_up(self, owner: Any, word: U64) -> tuple[int, float]:
        """Look up a position, as `probe`, for a caller without a control; see `enter`."""
        control = cells(COUNTERS)
        self.enter(control, owner)
        return probe(self.cells, control, word)

    def store(self, owner: Any, word: U64, depth: int, kind: int, move: int, value: float) -> None:
        """Store an entry, as `keep`, for a caller without a control; see `enter`."""
        control = cells(COUNTERS)
        self.enter(control, owner)
        keep(self.cells, control, word_at(word, depth), depth, kind, move, value)

    def counts(self, control: Cells) -> Counts:
        """Return the counts of a search that used this table."""
        return Counts(control[PROBES], control[HITS], control[STORES], control[OVERWRITTEN])


class NoRoom(JamboreeError, OSError):
    """There is not enough memory for a table."""


def zeros(size: int) -> Any:
    """Allocate zeroed memory, which the system provides page by page as it is touched."""
    private = hasattr(mmap, "MAP_PRIVATE")
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if private else {}
    try:
        memory = mmap.mmap(-1, size, **own)
    except (OSError, OverflowError) as error:
        near = size // LARGE * LARGE or size  # without the few cells of the marks
        raise NoRoom(f"there is not enough memory for a table of {show_size(near)}") from error
    if private and size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


UNITS: Final = {"": 1, "B": 1, "kB": 1 << 10, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


def parse_size(size: int | str) -> int:
    """Read a number of bytes: an int, or a text such as ``64MB`` (units are powers of two).

    >>> parse_size("64MB"), parse_size("1GB") == 1 << 30
    (67108864, True)
    """
    number = size if isinstance(size, int) and not isinstance(size, bool) else 0
    if isinstance(size, str):
        text = size.replace(" ", "")
        digits = text.rstrip("kKMGB")
        unit = text[len(digits) :]
        if digits.isdecimal() and unit in UNITS:
            number = int(digits) * UNITS[unit] if len(digits) <= DIGITS else TABLE_BYTES + 1
    if number > TABLE_BYTES:
        raise ArgumentError(f"a size must be {show_size(TABLE_BYTES)} or less, not {shown(size)}")
    if number <= 0:
        raise ArgumentError(
            "a size must be a number of bytes above 0, or a text such as '64MB' (kB, MB, GB), "
            f"not {shown(size)}"
        )
    return number


def table_size(size: int | str) -> int:
    """Read the size of a table, as `parse_size` does.

    >>> table_size("1B")
    Traceback (most recent call last):
    graphs.errors.ArgumentError: a table needs 4kB or more, not '1B'
    """
    number = parse_size(size)
    if number < LEAST:
        raise ArgumentError(f"a table needs {show_size(LEAST)} or more, not {shown(size)}")
    return number


def show_size(size: int) -> str:
    """Format a size for people.

    >>> show_size(1 << 26), show_size(1000)
    ('64MB', '1000B')
    """
    for unit in ("GB", "MB", "kB"):
        if size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit}"
    return f"{size}B"
