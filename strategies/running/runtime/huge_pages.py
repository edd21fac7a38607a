"""Huge pages for memory that processes share.

Look-ups at random places take less time with them: a kernel that searches Connect Four over a table
of 64 MB takes 1.3 times the time with pages of 4 kB.  Linux seldom uses huge pages for shared
memory on its own, so its pages are collapsed once they are there.  A process uses the huge pages if
it maps the memory at a multiple of their size.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

HUGE: Final = 1 << 21
"""Bytes of a huge page on most processors."""
COLLAPSE: Final = 25
"""MADV_COLLAPSE of Linux 6.1 and later, which Python does not name."""


class Mapped(NamedTuple):
    """A part of mapped memory."""

    memory: mmap.mmap
    start: int
    size: int

    @property
    def cells(self) -> memoryview:
        """The bytes of the part."""
        return memoryview(self.memory)[self.start : self.start + self.size]


def file_size(size: int) -> int:
    """Return the size of a file of which processes can map `size` bytes by `map_aligned`."""
    return size + 2 * HUGE


def map_aligned(file: int, size: int) -> Mapped:
    """Map the bytes from `HUGE` on of a file, at an address that is a multiple of `HUGE`.

    Requires: the file has `file_size(size)` bytes.
    Ensures: if another thread maps memory meanwhile, the address may be another one.
    Raises: OSError, ValueError.
    """
    whole = size + HUGE
    with mmap.mmap(file, whole) as probe:
        past = ctypes.addressof(ctypes.c_char.from_buffer(probe)) % HUGE
    return Mapped(mmap.mmap(file, whole, offset=past), HUGE - past, size)


def collapse(mapped: Mapped, wanted: Callable[[], bool]) -> int:
    """Put mapped memory into huge pages, one after the other, as long as that is `wanted`.

    Others may use the memory meanwhile.
    Returns: the number of huge pages; 0 if the system has none.
    Cost: 5 ms of processor time for each; those who use the memory save 2 ms of that.
    """
    made = 0
    with suppress(OSError):
        for at in range(mapped.start, mapped.start + mapped.size - HUGE + 1, HUGE):
            if not wanted():
                break
            mapped.memory[at : at + HUGE : mmap.PAGESIZE]  # a page has to be there
            mapped.memory.madvise(COLLAPSE, at, HUGE)
            made += 1
    return made
