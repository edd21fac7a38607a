"""Memory shared by the worker processes of one machine, for the table of a row of graphs.

After the table there are flags, by which the processes end each other's searches.  One process
creates anonymous memory, and the others open it as one of that process's files.  So
nothing is left behind, however they end.  Where this is impossible, each process has its own table.

Look-ups at random places take less time with huge pages: a kernel that searches Connect Four over a
table of 64 MB takes 1.3 times the time with pages of 4 kB.  Linux seldom uses huge pages for shared
memory on its own, so its pages are collapsed once they are there.  A process uses the huge pages if
it maps the memory at a multiple of their size.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary, finalize, ref

from strategies.native.memory.cells import Stop, cells
from strategies.native.memory.shared_cells import ROOM
from strategies.native.memory.transposition_table import LARGE
from strategies.support.fork_locks import fork_lock

FLAGS: Final = 1 << 10
"""The number of flags, each of 64 bits."""
TABLE: Final = "jamboree"
"""The name of the anonymous file of a table."""


def room_for(size: int) -> int:
    """Return the bytes of memory for a table of `size` bytes, its busy marks, and the flags."""
    return size + 8 * (ROOM + FLAGS)


class Offer(NamedTuple):
    """The anonymous file of a process, which others may open."""

    machine: str
    """The machine, by boot and process namespace, and the kind of entries."""
    process: int
    file: int


class Memory(NamedTuple):
    """Memory for a table, and the meaning of its entries."""

    cells: Any
    meaning: Any


_of_runs: WeakKeyDictionary[Stop, Memory] = WeakKeyDictionary()
_flags: WeakKeyDictionary[Stop, Any] = WeakKeyDictionary()
_lock = fork_lock()


def memory_for(scope: Stop, meaning: Any) -> Any:
    """Return the memory that a run shares with other processes, for a table with entries of this
    meaning; None if there is none."""
    found = _of_runs.get(scope)
    return found.cells if found is not None and found.meaning == meaning else None


def flags_for(scope: Stop) -> Any:
    """Return the flags of a run: those in the memory that it shares, or else this process's own."""
    with _lock:
        found = _flags.get(scope)
        if found is None:
            shared = _of_runs.get(scope)
            if shared is None:
                found = cells(FLAGS)
            else:
                last = len(shared.cells) - 8 * FLAGS
                found = (ctypes.c_int64 * FLAGS).from_buffer(shared.cells, last)
            _flags[scope] = found
        return found


def created(name: str, size: int, owner: Any) -> int:
    """Create an anonymous file of `size` bytes, which is closed with its owner.

    Raises: OSError, AttributeError: only Linux has this way.
    """
    file = os.memfd_create(name)
    finalize(owner, os.close, file)
    os.ftruncate(file, size)
    return file


def opened(name: str, given: Offer) -> int:
    """Open an anonymous file that a process of this machine offers.

    Raises: OSError if it is gone: the number may be that of another file by now.
    """
    path = Path(f"/proc/{given.process}/fd/{given.file}")
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    if not str(Path(f"/proc/self/fd/{file}").readlink()).startswith(f"/memfd:{name} "):
        os.close(file)
        raise FileNotFoundError(path)
    return file


def offer(scope: Stop, size: int, kind: str) -> Offer | None:
    """Create memory of `size` bytes for the duration of a run, to share with processes of the same
    `kind`; return None if memory cannot be shared."""
    with suppress(OSError, AttributeError):
        return Offer(machine(kind), os.getpid(), created(TABLE, file_size(size), scope))
    return None


def machine(kind: str) -> str:
    """Return the name of this machine, for processes whose tables have the same kind of entries.

    Raises: OSError if this system has no such name.
    """
    root = Path("/proc")
    boot = (root / "sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {(root / 'self/ns/pid').readlink()} {kind}"


def take(scope: Stop, given: Offer, size: int, meaning: Any) -> bool:
    """Place the tables of a run, with entries of this meaning, in offered memory; return whether
    that is possible."""
    with suppress(OSError, ValueError):
        file = opened(TABLE, given)
        try:
            mapped = map_aligned(file, size)
        finally:
            os.close(file)
        _of_runs[scope] = Memory(mapped.cells, meaning)
        if given.process == os.getpid() and size >= LARGE:
            run = ref(scope)
            threading.Thread(
                target=collapse, args=(mapped, lambda: run() is not None), daemon=True
            ).start()
        return True
    return False


def shared_by(offers: Mapping[str, Offer | None]) -> dict[str, Offer]:
    """Choose the memory of each worker, by address, that has other workers on its machine.

    >>> one, two = Offer("here", 1, 5), Offer("here", 2, 5)
    >>> shared_by({"a": one, "b": two, "c": Offer("there", 1, 5), "d": None})["b"]
    Offer(machine='here', process=1, file=5)
    """
    first: dict[str, Offer] = {}
    many: dict[str, set[int]] = {}
    known = {at: o for at, o in sorted(offers.items()) if o is not None}
    for made in known.values():
        first.setdefault(made.machine, made)
        many.setdefault(made.machine, set()).add(made.process)
    return {at: first[o.machine] for at, o in known.items() if len(many[o.machine]) > 1}


def one_each(memories: Mapping[str, Offer], addresses: Iterable[str]) -> list[str]:
    """Choose one worker per memory; workers that share none have their own."""
    found = {memories.get(at, at): at for at in sorted(addresses, reverse=True)}
    return sorted(found.values())


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
