"""The memory that a running search shares with its caller: 64-bit cells, and flags that stop it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import inf
from time import monotonic, process_time
from typing import Any


@cache
def _cells_type(count: int) -> Any:
    return type("Cells", (ctypes.c_int64 * count,), {"timed": None})


def cells(count: int) -> Any:
    """Create a row of `count` cells, all 0, that both engines read and write by index.

    >>> row = cells(2)
    >>> row[1] = 7
    >>> list(row)
    [0, 7]
    """
    return _cells_type(count)()


def copy_cells(row: Any, to: int, start: int, count: int) -> None:
    """Copy `count` cells within a row.

    >>> row = cells(4)
    >>> row[0] = 5
    >>> copy_cells(row, 2, 0, 2)
    >>> list(row)
    [5, 0, 5, 0]
    """
    row[to : to + count] = row[start : start + count]


def add_to(row: Any, index: int, amount: int) -> int:
    """Add to a cell atomically; return the value before.

    >>> row = cells(1)
    >>> add_to(row, 0, 5), row[0]
    (0, 5)
    """
    before: int = row[index]
    row[index] = before + amount
    return before


def claim(row: Any, index: int) -> bool:
    """Set a cell to 1 if it is 0, atomically; return whether it was 0.

    >>> row = cells(1)
    >>> claim(row, 0), claim(row, 0)
    (True, False)
    """
    if row[index] != 0:
        return False
    row[index] = 1
    return True


def stopped(row: Any) -> bool:
    """Return whether a search should end: its first cell is set, or interpreted, its time is over.

    Machine code leaves the time to the thread that sets the flag.

    >>> row = cells(2)
    >>> with Stop().watching(row) as watched:
    ...     stopped(watched)
    False
    """
    timed = row.timed
    if timed is not None and monotonic() >= timed.deadline:
        timed.set()
    return row[0] != 0  # type: ignore[no-any-return]


class Stopped(Exception):
    """A search was stopped before it had a result.

    `nodes` and `leaves` are the numbers that it had visited.
    """

    nodes = leaves = 0


class TimeUp(BaseException):
    """A trial took longer than it may: see `Stop`.

    It is not an `Exception`, because no rule failed.
    """


class Stop:
    """A flag that ends every search it was given to, within milliseconds; once set, it stays set.

    A search is also ended by the parent of its flag, and by the flag's `deadline` on the monotonic
    clock.  A flag with a time `until`, of the process's
    own clock, makes its searches trials of interpreted rules: `TimeUp` ends the first one that
    writes to its row after that time.

    >>> stop = Stop()
    >>> stop.set()
    >>> stop.is_set
    True
    """

    __slots__ = ("__weakref__", "_above", "_rows", "deadline", "is_set", "until")

    def __init__(self, parent: Stop | None = None, until: float | None = None) -> None:
        self._above: tuple[Stop, ...] = () if parent is None else (parent, *parent._above)
        inherited = None if parent is None else parent.until
        self.until: float | None = inherited if until is None else until
        self.is_set, self.deadline = False, inf
        self._rows: dict[int, Any] = {}

    @property
    def and_above(self) -> tuple[Stop, ...]:
        """Return this flag, and those that end its searches, too, the nearest first."""
        return (self, *self._above)

    def set(self) -> None:
        """End the searches; safe from any thread and from a signal handler."""
        self.is_set = True
        self.nudge()

    def nudge(self) -> None:
        """End the searches that run now, but no later ones: the flag is not set."""
        for row in list(self._rows.values()):
            row[0] = 1

    @contextmanager
    def watching(self, row: Any) -> Iterator[Any]:
        """Watch a search: inside the block, setting the flag writes 1 to the first cell of `row`.

        It yields the row for the search to write to: `row`, or in a trial another view of it.
        """
        before = row.timed
        try:
            for flag in (self, *self._above):
                flag._rows[id(row)] = row
                if flag.is_set:
                    row[0] = 1
                if flag.deadline < (inf if row.timed is None else row.timed.deadline):
                    row.timed = flag
            yield row if self.until is None else _timed(row, self.until)
        finally:
            row.timed = before
            for flag in (self, *self._above):
                flag._rows.pop(id(row), None)  # absent if a flag of this family watched it too

    def __reduce__(self) -> tuple[Any, ...]:
        return _copy, (self.is_set,)


@cache
def _timed_type(plain: Any) -> Any:
    """Return the type of rows that check the clock whenever they are written to."""

    class Timed(plain):
        until: float

        def __setitem__(self, index: Any, value: Any) -> None:
            if process_time() > self.until:
                raise TimeUp
            super().__setitem__(index, value)

    return Timed


def _timed(row: Any, until: float) -> Any:
    """Return a view of a row that raises `TimeUp` when it is written to after a time."""
    kind: Any = type(row)
    view = _timed_type(kind).from_buffer(row)
    view.until = until
    return view


def _copy(is_set: bool) -> Stop:
    """Create a flag for another process: it has its own memory, so later changes do not reach
    it."""
    stop = Stop()
    stop.is_set = is_set
    return stop
