"""Saves memory to a file while searches write to it, in blocks with checksums.

Memory is not mapped: if another program cuts off a mapped file, the system ends every process that
touches the missing part.  A thread writes the blocks that have changed.  A block whose checksum is
wrong, because a bit of the file changed, is read as zeros.

Before a block is overwritten, its new content is written behind the checksums, as the copy.  If the
process is killed before the checksum of the copy is written, the block still has its old content;
if it is killed after that, the block is read from the copy.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from time import thread_time
from typing import Any, Final
from zlib import crc32

from strategies.support.fork_locks import fork_lock

SUMS: Final = 1 << 13
"""The most blocks of a file."""
SUM: Final = 4
"""The bytes of a checksum; they lie after the blocks, 0 for a block of zeros."""
NUMBER: Final = 4
"""The bytes of a block's number in the copy, which lies after the checksums: the checksum of its
content, its number, its content."""
LEAST: Final = 1 << 12
"""The fewest bytes of a block."""
PAUSE: Final = 0.5
"""The fewest seconds between two savings."""
SHARE: Final = 20
"""A pause takes so many times the processor time of the saving before it, or longer.  Its wall time
would say how busy the processors are: beside a search on all of them it is several times as long.
"""


def saved_bytes(size: int) -> int:
    """Compute the bytes of a file that `size` bytes of memory take, with checksums and the copy."""
    return size + SUM * SUMS + NUMBER + SUM + _block_of(size)


def _block_of(size: int) -> int:
    """Compute the bytes of one block."""
    return max(LEAST, size // SUMS)


class Blocks:
    """Memory that is saved in an open file from the byte `start` on, a power of two of bytes.

    The checksum of a block depends on its number and on `seed`, so that blocks saved with another
    seed are read as zeros.
    """

    def __init__(self, file: int, start: int, memory: Any, size: int, seed: int) -> None:
        self.file, self.start, self.memory, self.size = file, start, memory, size
        self.seed = seed
        self.block = _block_of(size)
        self.zeros = bytes(self.block)
        self.saved = [0] * (size // self.block)
        self._torn: tuple[int, bytes, int] | None = None
        self.lock = fork_lock(threading.RLock)  # the collector may close a table in any thread

    def load(self) -> int:
        """Read the memory from the file, and return the number of damaged blocks.

        Requires: memory of zeros.
        """
        sums = self._read(self.start + self.size, SUM * len(self.saved))
        copied = self._copied()
        os.lseek(self.file, self.start, os.SEEK_SET)
        damaged = 0
        for k in range(len(self.saved)):
            content = os.read(self.file, self.block)
            found = self._sum(k, content)
            if found != int.from_bytes(sums[SUM * k : SUM * (k + 1)], "big"):
                if copied is None or copied[0] != k:
                    damaged += 1
                    continue
                self._torn = copied
                _, content, found = copied
            if found:
                self.memory[k * self.block : (k + 1) * self.block] = content
            self.saved[k] = found
        return damaged

    def _copied(self) -> tuple[int, bytes, int] | None:
        """Read the number, the content and the checksum of the copy; return None if it is not
        whole."""
        raw = self._read(self._copy, SUM + NUMBER + self.block)
        check, k = int.from_bytes(raw[:SUM], "big"), int.from_bytes(raw[SUM : SUM + NUMBER], "big")
        content = raw[SUM + NUMBER :]
        whole = k < len(self.saved) and self._sum(k, content) == check != 0
        return (k, content, check) if whole else None

    def save(self) -> None:
        """Write the blocks that have changed.

        Raises: OSError.
        """
        with self.lock:
            if self._torn is not None:  # the copy is about to be overwritten
                self._write_block(*self._torn)
                self._torn = None
            for k, before in enumerate(self.saved):
                content = self.memory[k * self.block : (k + 1) * self.block]
                found = self._sum(k, content)
                if found != before:
                    number, check = k.to_bytes(NUMBER, "big"), found.to_bytes(SUM, "big")
                    self._write(self._copy + SUM, number + content)
                    self._write(self._copy, check)
                    self._write_block(k, content, found)
                    self.saved[k] = found

    @property
    def _copy(self) -> int:
        """Return the place of the copy in the file."""
        return self.start + self.size + SUM * SUMS

    def _write_block(self, k: int, content: bytes, found: int) -> None:
        self._write(self.start + k * self.block, content)
        self._write(self.start + self.size + SUM * k, found.to_bytes(SUM, "big"))

    def _sum(self, k: int, content: bytes) -> int:
        if content == self.zeros:
            return 0
        return crc32(content, crc32(k.to_bytes(NUMBER, "big"), self.seed)) or 1

    def _read(self, at: int, count: int) -> bytes:
        os.lseek(self.file, at, os.SEEK_SET)
        return os.read(self.file, count)

    def _write(self, at: int, content: bytes) -> None:
        os.lseek(self.file, at, os.SEEK_SET)
        while content:
            content = content[os.write(self.file, content) :]


class Saver:
    """A thread that calls `save` again and again, and once more at the end, then `close`.

    `fault` is the error of the last call, if it failed; nothing is saved after that.
    """

    def __init__(self, save: Callable[[], None], close: Callable[[], object]) -> None:
        self._save, self._close, self._over = save, close, threading.Event()
        self._process = os.getpid()
        self.fault: Exception | None = None
        self._thread = threading.Thread(target=self._work, name="saving a table", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        pause = PAUSE
        while not self._over.wait(pause):
            began = thread_time()
            self.save()
            pause = max(PAUSE, SHARE * (thread_time() - began))
        self.save()
        self._close()

    def save(self) -> None:
        """Save now, unless saving has failed before."""
        if self.fault is None:
            try:
                self._save()
            except (OSError, ValueError) as error:
                self.fault = error

    def end(self) -> None:
        """Save for the last time, in the process that began, and close; wait until it is done.

        The garbage collector may call it in the thread itself, in the middle of saving: then it
        does not wait.
        """
        if os.getpid() != self._process:
            self._close()
            return
        self._over.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
