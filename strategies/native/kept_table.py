"""Keeps a transposition table in a file, so that a long analysis goes on another day.

The file is a header and the cells of the table, which are mapped into memory: what a search stores
is in the file at once, also if the process is killed.  An entry that is half there answers to no
position, as in any table that threads share.  The header says what gives the entries their meaning:
the game with its rules, the kernel that made them, the form of the table.  A file of anything else
is refused, never cleared.

The header is written before the file gets its name.  It changes at most once after that, when
entries turn out to need two words: the entries are forgotten first.
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

from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.abdada_marks import ROOM
from strategies.native.memory.transposition_table import Table, parse_size, show_size, table_size
from strategies.native.versions import releases

MAGIC: Final = b"jamboree table 1"
"""What a file begins with: the number is that of the form of the header."""
HEADER: Final = 4096
"""Bytes of the header: a page, so that the cells can be mapped."""
USUAL: Final = "64MB"


class TableError(JamboreeError, ValueError):
    """A kept table that cannot be used: the message says why, and what to do instead."""


class KeptTable(Table):
    """A transposition table that is kept in a file: of one game, and of one kind of search.

    Give it as ``solve(game, memory=table)``, or as ``search(game, pvs(40)).compute(memory=table)``.

    Without a size, it is that of the file, or 64 MB if there is none yet.
    Ensures: whatever a search stored is there when the file is opened again, also after the process
    was killed.  One process at a time has it, where the system can lock files.  The file is made
    when a search begins to use it.
    Raises: TableError for a file that is no table, is damaged, is in use, or has another size; when
    a search begins, also for one of another game, other rules or another algorithm.

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
            f"{self.path} is a table of this process: it is not copied or sent elsewhere; write "
            f"{self!r} where it is used"
        )

    def __enter__(self) -> KeptTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _map(self, file: _File) -> None:
        """Lays the cells out in the file, in place of those in memory, which nobody has used."""
        self.lay_out(file.mapped(), HEADER)

    def close(self) -> None:
        """Lets another process have the file.

        Requires: no search uses the table, now or later.
        """
        if self._file is not None:
            self._file.close()

    def claim(self, owner: Any, *, anew: bool = False) -> None:
        with self._lock:
            if self._owner == owner:
                return
            said = _Meaning(owner)
            if self._file is None:
                self._file = _File.made(self.path, self.bits, said)
                self._map(self._file)
            elif self._file.meaning != said.digest:
                if not anew:
                    raise TableError(f"{self.path} {self._file.unlike(said)}")
                self.clear()
                self._file.say(said, self.bits)
            self._owner = owner

    def claimed(self, owner: Any) -> bool:
        if self._owner is not None or self._file is None:
            return super().claimed(owner)
        return self._file.meaning == _Meaning(owner).digest


class _Meaning:
    """What gives the entries of a table their meaning, as a digest, and for people."""

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
        """The size, as a power of two."""
        return int(self.header["bits"])

    @property
    def meaning(self) -> str:
        """The digest of what gives the entries their meaning."""
        return str(self.header["meaning"])

    @classmethod
    def opened(cls, path: Path) -> _File | None:
        """Opens a file; None if there is none."""
        try:
            file = cls(path, os.open(path, os.O_RDWR | _BINARY))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
            why = getattr(error, "strerror", error)
            raise TableError(f"{str(path)!r} cannot be opened: {why}") from error
        try:
            if not stat.S_ISREG(os.fstat(file.number).st_mode):  # a pipe would be waited for
                raise TableError(f"{path} is no file that can be mapped: name another")
            raw = os.read(file.number, HEADER)
            start = len(MAGIC)
            if raw[:start] != MAGIC:
                raise TableError(
                    f"{path} is no table that this version keeps: name another file, or delete it"
                )
            check, text = raw[start : start + 4], raw[start + 4 :]
            if len(raw) == HEADER and crc32(text).to_bytes(4, "big") == check:
                file.header = json.loads(text.rstrip(b"\0"))
            if not file.header or os.fstat(file.number).st_size != _bytes(file.bits):
                raise TableError(f"{path} is a table that is damaged: delete it, and begin anew")
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def made(cls, path: Path, bits: int, meaning: _Meaning) -> _File:
        """Makes a new file, whole before it has its name; where that is a link, its target."""
        try:
            place = Path(os.path.realpath(path))
            number, name = mkstemp(prefix=f".{place.name}.", dir=place.parent)
        except OSError as error:
            raise TableError(f"{path} cannot be made: {error.strerror}") from error
        try:
            file = cls(path, number)
            if hasattr(os, "posix_fallocate"):  # a full disk is told now, not by a signal later
                os.posix_fallocate(number, 0, _bytes(bits))
            else:
                os.ftruncate(number, _bytes(bits))
            file.say(meaning, bits)
            os.link(name, place)
        except FileExistsError:
            file.close()
            raise TableError(f"{path} was made by another process just now: try again") from None
        except OSError as error:
            file.close()
            why = error.strerror
            raise TableError(f"{path} of {show_size(1 << bits)} cannot be made: {why}") from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(name)
        return file

    def say(self, meaning: _Meaning, bits: int) -> None:
        """Writes the header, whole, and waits until the disk has it."""
        said = {"bits": bits, "meaning": meaning.digest, "of": meaning.of, "made": meaning.made}
        text = json.dumps(said).encode().ljust(HEADER - len(MAGIC) - 4, b"\0")
        os.lseek(self.number, 0, os.SEEK_SET)
        os.write(self.number, MAGIC + crc32(text).to_bytes(4, "big") + text)
        os.fsync(self.number)
        self.header = said

    def unlike(self, said: _Meaning) -> str:
        """Says in what the entries differ from those of another meaning, and what to do."""
        if self.header["of"] != said.of:
            why = f"is of {self.header['of']}, not of {said.of}"
        elif self.header["made"] != said.made:
            why = f"was made with {self.header['made']}; this is {said.made}"
        else:
            why = "was made when the rules of the game, or the search, were others"
        return f"{why}: name another file, or delete it"

    def mapped(self) -> mmap.mmap:
        """Maps the file; busy marks that a killed process left are forgotten.

        The map has an opening of its own, since it may outlive the lock.
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
    """The size of a whole file."""
    return HEADER + (1 << bits) + 8 * ROOM


def _lock(path: Path, number: int) -> None:
    """Locks an open file against other processes, where the system can.

    Raises: TableError if another has it.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise TableError(
            f"{path} is in use by another search: wait until that is done, or name another file"
        ) from None
