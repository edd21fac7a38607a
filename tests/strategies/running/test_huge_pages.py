"""Shared memory gets huge pages where the system has them, and is the same everywhere."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from strategies.running.runtime.machine_memory import HUGE, collapse, file_size, map_aligned

pytestmark = pytest.mark.skipif(
    not hasattr(os, "memfd_create"), reason="memory cannot be shared here"
)
SIZE = 3 * HUGE + 5000


@pytest.fixture
def file() -> Iterator[int]:
    made = os.memfd_create("test")
    os.ftruncate(made, file_size(SIZE))
    yield made
    os.close(made)


def test_all_map_the_same_bytes_at_a_multiple_of_a_huge_page(file: int) -> None:
    one, other = map_aligned(file, SIZE).cells, map_aligned(file, SIZE).cells
    assert len(one) == len(other) == SIZE
    one[0], one[SIZE - 1] = 7, 8
    assert (other[0], other[SIZE - 1]) == (7, 8)
    for cells in one, other:
        assert ctypes.addressof(ctypes.c_char.from_buffer(cells)) % HUGE == 0


def test_what_is_there_stays(file: int) -> None:
    mapped = map_aligned(file, SIZE)
    mapped.cells[HUGE + 3] = 9
    made = collapse(mapped, lambda: True)
    assert made in (0, 3)
    assert mapped.cells[HUGE + 3] == 9
    if made:
        assert in_huge_pages(file) == 3 * HUGE


def test_it_ends_when_nobody_wants_it(file: int) -> None:
    mapped, turns = map_aligned(file, SIZE), count()
    assert collapse(mapped, lambda: next(turns) < 1) in (0, 1)
    assert collapse(mapped, lambda: False) == 0


def in_huge_pages(file: int) -> int:
    """Return how many bytes of a file this process has mapped in huge pages."""
    inode, found, mine = str(os.fstat(file).st_ino), 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            mine = words[4] == inode
        elif mine and words[0] == "ShmemPmdMapped:":
            found += 1024 * int(words[1])
    return found
