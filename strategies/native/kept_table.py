"""Keeps a transposition table in a file, so that a long analysis can continue on another day.

The file is a header and the cells of the table, which are mapped into memory: an entry that a
search stores is in the file at once, even if the process is killed.  An entry that was half written
matches no position, as in any table that threads share.  The header says what the entries mean: the
game with its rules, the kernel that made them, the format of the table.  A file with other contents
is refused, never cleared.

The header is written before the file gets its name.  It changes at most once after that, when
entries turn out to need two words: then the entries are cleared first.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import stat
import sys
import weakref
from pathlib import Path
from tempfile import mkstemp
from typing import Any, ClassVar, Final, NoReturn
from zlib import crc32

from graphs.arguments import path_of, shown
from graphs.errors import JamboreeError
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.abdada_marks import ROOM
from strategies.native.memory.transposition_table import Table, parse_size, show_size, table_size
from strategies.native.versions import releases

MAGIC: Final = b"jamboree table 1"
"""The first bytes of a file, with the version of the header."""
HEADER: Final = 4096
"""The bytes of the header: a page, so that the cells can be mapped."""
USUAL: Final = "64MB"


class TableError(JamboreeError, ValueError):
    """A kept table cannot be used: the message says why, and what to do instead."""


class KeptTable(Table):
    """A transposition table that is kept in a file, for one game and one kind of search.

    Pass it as ``solve(game, memory=table)``, or as ``search(game, pvs(40)).compute(memory=table)``.

    Without a size, it has the size of the file, or 64 MB if there is none yet.

    Ensures: every stored entry is there when the file is opened again, even after the process was
    killed.  One process at a time can use the file, if the system can lock files.  The file is
    created when a search begins to use it.
    Raises: TableError for a file that is not a table, is damaged, is in use, or has another size;
    when a search begins, also for one of another game, other rules or another algorithm.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with KeptTable(f"{folder}/analysis.table", "1MB") as table:
    ...         print(table.bits)
    20
    """

    kept: ClassVar[bool] = True

    def __init__(self, path: str | Path, size: int | str | None = None) -> None:
        self.path = path_of("path", path)
        wanted = None if size is None else table_size(size)
        self._file = _File.opened(self.path)
        if self._file is not None:
            bits = self._file.bits
            if wanted is not None and wanted.bit_length() - 1 != bits:
                self.close()
                raise TableError(
                    f"{self.path} is a table of {show_size(1 << bits)}, not {show_size(wanted)}: "
                    "leave out the size, or name another file"
                )
            wanted = 1 << bits
        super().__init__(parse_size(USUAL) if wanted is None else wanted)
        if self._file is not None:
            self._map(self._file)

    def __repr__(self) -> str:
        return f"KeptTable({str(self.path)!r}, {show_size(1 << self.bits)!r})"

    def __reduce__(self) -> NoReturn:
        raise TableError(
            f"{self.path} is used by this process, and cannot be copied or sent to another one: "
            f"create {self!r} where it is used"
        )

    def __enter__(self) -> KeptTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _map(self, file: _File) -> None:
        """Place the cells in the file instead of in memory, where no search has used them yet."""
        self.lay_out(file.mapped(), HEADER)

    def close(self) -> None:
        """Release the file for another process.

        Requires: no search uses the table, now or later.
        """
        if self._file is not None:
            self._file.close()

    def claim(self, owner: Any, *, anew: bool = False) -> None:
        with self._lock:
            if self._owner == owner:
                return
            meaning = _Meaning(owner)
            if self._file is None:
                self._file = _File.made(self.path, self.bits, meaning)
                self._map(self._file)
            elif self._file.meaning != meaning.digest:
                if not anew:
                    raise TableError(f"{self.path} {self._file.unlike(meaning)}")
                self.clear()
                self._file.write_header(meaning, self.bits)
            self._owner = owner

    def claimed(self, owner: Any) -> bool:
        if self._owner is not None or self._file is None:
            return super().claimed(owner)
        return self._file.meaning == _Meaning(owner).digest


class _Meaning:
    """The meaning of the entries of a table, as a digest and as text."""

    def __init__(self, owner: tuple[Any, ...]) -> None:
        engine, kernel, *rest = owner
        self.digest = fingerprint((engine.game, kernel, *rest))
        self.of = f"{kernel.__name__} searches of {engine.game!r}"[:500]
        python = ".".join(map(str, sys.version_info[:2]))
        self.made = f"Python {python}, {releases()}"


class _File:
    """An open file that keeps a table, locked against other processes."""

    def __init__(self, path: Path, number: int) -> None:
        self.path, self.number = path, number
        self.close = weakref.finalize(self, os.close, number)
        self.header: dict[str, Any] = {}
        try:
            _lock(path, number)
        except TableError:
            self.close()
            raise

    @property
    def bits(self) -> int:
        """Return the binary logarithm of the size."""
        return int(self.header["bits"])

    @property
    def meaning(self) -> str:
        """Return the digest of the meaning of the entries."""
        return str(self.header["meaning"])

    @classmethod
    def opened(cls, path: Path) -> _File | None:
        """Open a file; return None if there is none."""
        try:
            file = cls(path, os.open(path, os.O_RDWR | _BINARY))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
            why = getattr(error, "strerror", error)
            raise TableError(f"{shown(str(path))} cannot be opened: {why}") from error
        try:
            if not stat.S_ISREG(os.fstat(file.number).st_mode):  # opening a pipe would block
                raise TableError(f"{path} is not a regular file: name another file")
            raw = os.read(file.number, HEADER)
            start = len(MAGIC)
            if raw[:start] != MAGIC:
                raise TableError(
                    f"{path} is not a table file of this version: name another file, or delete it"
                )
            check, text = raw[start : start + 4], raw[start + 4 :]
            if len(raw) == HEADER and crc32(text).to_bytes(4, "big") == check:
                file.header = json.loads(text.rstrip(b"\0"))
            if not file.header or os.fstat(file.number).st_size != _bytes(file.bits):
                raise TableError(f"{path} is damaged: delete it and start again")
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def made(cls, path: Path, bits: int, meaning: _Meaning) -> _File:
        """Create a new file, complete before it gets its name; if the path is a link, create its
        target."""
        try:
            place = Path(os.path.realpath(path))
            number, name = mkstemp(prefix=f".{place.name}.", dir=place.parent)
        except OSError as error:
            raise TableError(f"{path} cannot be created: {error.strerror}") from error
        try:
            file = cls(path, number)
            if hasattr(os, "posix_fallocate"):  # a full disk raises here, not a signal later
                os.posix_fallocate(number, 0, _bytes(bits))
            else:
                os.ftruncate(number, _bytes(bits))
            file.write_header(meaning, bits)
            os.link(name, place)
        except FileExistsError:
            file.close()
            raise TableError(f"{path} was just created by another process: try again") from None
        except OSError as error:
            file.close()
            why = error.strerror
            raise TableError(
                f"{path} of {show_size(1 << bits)} cannot be created: {why}"
            ) from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(name)
        return file

    def write_header(self, meaning: _Meaning, bits: int) -> None:
        """Write the whole header, and wait until it is on the disk."""
        header = {"bits": bits, "meaning": meaning.digest, "of": meaning.of, "made": meaning.made}
        text = json.dumps(header).encode().ljust(HEADER - len(MAGIC) - 4, b"\0")
        os.lseek(self.number, 0, os.SEEK_SET)
        os.write(self.number, MAGIC + crc32(text).to_bytes(4, "big") + text)
        os.fsync(self.number)
        self.header = header

    def unlike(self, meaning: _Meaning) -> str:
        """Describe how the entries differ from those of another meaning, and what to do."""
        if self.header["of"] != meaning.of:
            why = f"belongs to {self.header['of']}, not to {meaning.of}"
        elif self.header["made"] != meaning.made:
            why = f"was created with {self.header['made']}, but this is {meaning.made}"
        else:
            why = "was created with other rules of the game, or by another kind of search"
        return f"{why}: name another file, or delete it"

    def mapped(self) -> mmap.mmap:
        """Map the file, and clear busy marks that a killed process left.

        The map opens the file again, because it may outlive the lock.
        """
        number = os.open(self.path, os.O_RDWR | _BINARY)
        try:
            memory = mmap.mmap(number, _bytes(self.bits))
        finally:
            os.close(number)
        memory[-8 * ROOM :] = bytes(8 * ROOM)
        return memory


_BINARY: Final = getattr(os, "O_BINARY", 0)


def _bytes(bits: int) -> int:
    """Return the size of a whole file."""
    return HEADER + (1 << bits) + 8 * ROOM


def _lock(path: Path, number: int) -> None:
    """Lock an open file against other processes, if the system can.

    Raises: TableError if another process uses the file.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise TableError(
            f"{path} is in use by another search: wait until it ends, or name another file"
        ) from None
