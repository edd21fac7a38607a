"""Keeps a transposition table in a file, so that a long analysis can continue on another day.

Every few seconds while searches use the table, the blocks that have changed are saved.  A file with
entries of another meaning is refused, never cleared.

The header says what the entries mean: the game with its rules, the kernel that made them, the
format of the table.  It is written before the file gets its name, and changes at most once after
that, when entries turn out to need two words.  The checksums of blocks depend on it, so that blocks
which were saved under another header are read as empty.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import weakref
from pathlib import Path
from tempfile import mkstemp
from typing import Any, ClassVar, Final, NoReturn
from zlib import crc32

from graphs.arguments import path_of, shown
from graphs.errors import JamboreeError, MalformedError
from graphs.json_text import json_in
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.saved_blocks import Blocks, Saver, saved_bytes
from strategies.native.memory.transposition_table import Table, parse_size, show_size, table_size
from strategies.native.versions import releases
from strategies.support.files import BINARY, lock
from strategies.support.logs import logger_of

_log = logger_of("table")

USUAL: Final = "64MB"


class KeptTable(Table):
    """A transposition table that is kept in a file, for one game and one kind of search.

    Pass it as ``solve(game, memory=table)``, or as ``search(game, pvs(40)).compute(memory=table)``.

    Without a size, it has the size of the file, or 64 MB if there is none yet.

    The file does not change with the working directory.

    Ensures: every stored entry is there when the file is opened again; after the process was
    killed, those that are older than a few seconds, or than a minute or two in a table of several
    gigabytes.  A bit of the file that changes by accident removes entries, and never makes one
    wrong.  One process at a time can use the file, if the system can lock files.  The file is
    created when a search begins to use it.
    Raises: TableError for a file that is not a table, is damaged, is in use, or has another size;
    when a search begins, also for one of another game, other rules or another algorithm; then, and
    at the end, if the file cannot be saved, as when another program has cut it off.
    Cost: the file is read when it is opened; saving takes at most about a twentieth of the time of
    one processor.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with KeptTable(f"{folder}/analysis.table", "1MB") as table:
    ...         print(table.bits)
    20
    """

    kept: ClassVar[bool] = True

    def __init__(self, path: str | Path, size: int | str | None = None) -> None:
        self.path = _absolute(path_of("path", path))
        wanted = None if size is None else table_size(size)
        self._saver: Saver | None = None
        self._file = TableFile.opened(self.path)
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
            self._load(self._file)

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

    def _load(self, file: TableFile) -> None:
        """Read the entries of the file."""
        file.blocks = Blocks(file.number, HEADER, self.memory, 1 << self.bits, file.seed)
        damaged = file.blocks.load()
        if damaged:
            _log.warning("%s: %d damaged blocks were read as empty", self.path, damaged)

    def _begin(self, file: TableFile) -> None:
        """Save the entries from now on, until the table is closed or collected."""
        self._saver = Saver(file.save, file.close)
        self._end = weakref.finalize(self, _end, self._saver, file)

    def _check(self) -> None:
        """Raise TableError if the file cannot be saved any more, or was closed."""
        if self._saver is not None and self._file is not None:
            if self._saver.fault is None and not self._end.alive:
                raise TableError(f"{self.path} is closed: make another KeptTable of the same file")
            fault = self._saver.fault or self._file.fault()
            if fault is not None:
                self._saver.fault = fault
                why = getattr(fault, "strerror", None) or fault
                raise TableError(
                    f"{self.path} cannot be saved: {why}; search with a table in another file"
                )

    def close(self) -> None:
        """Save the entries, and release the file for another process.

        Requires: no search uses the table, now or later.
        Raises: TableError, once, if the entries cannot be saved.
        """
        if self._saver is not None and self._end.alive:
            told = self._saver.fault is not None
            self._end()
            if not told and self._saver.fault is not None:
                self._check()
        elif self._file is not None:
            self._file.close()

    def claim(self, owner: Any, *, anew: bool = False) -> None:
        with self._lock:
            self._check()
            if self._owner == owner:
                return
            meaning = Meaning(owner)
            if self._file is None:
                self._file = TableFile.made(self.path, self.bits, meaning)
                self._load(self._file)
            elif self._file.meaning != meaning.digest:
                if not anew:
                    raise TableError(f"{self.path} {self._file.unlike(meaning)}")
                self.clear()
                with self._file.blocks.lock:
                    self._file.write_header(meaning, self.bits)
                    self._file.blocks.seed = self._file.seed
            self._owner = owner
            if self._saver is None:
                self._begin(self._file)

    def claimed(self, owner: Any) -> bool:
        if self._owner is not None or self._file is None:
            return super().claimed(owner)
        return self._file.meaning == Meaning(owner).digest


def _end(saver: Saver, file: TableFile) -> None:
    """Save for the last time; the saver closes the file."""
    saver.end()
    if saver.fault is not None:
        _log.warning("%s cannot be saved: %s", file.path, saver.fault)


def _absolute(path: Path) -> Path:
    """Return a path that does not depend on the working directory."""
    try:
        return Path(os.path.abspath(path))
    except OSError as error:
        raise TableError(f"{path} cannot be opened: {error.strerror}") from None


MAGIC: Final = b"jamboree table 1"
"""The first bytes of a file, with the version of the header."""
HEADER: Final = 4096
"""The bytes of the header: a page."""
FORM: Final[dict[str, type]] = {"bits": int, "meaning": str, "of": str, "made": str, "sums": str}
"""The entries of a header, with their types."""
SUMS: Final = "crc32 of blocks and of a copy"
SHARED: Final = {"alphabeta": "alphabeta, pvs and mtdf"}
"""The algorithms whose entries mean the same, by the name of their kernel."""


class TableError(JamboreeError, ValueError):
    """A kept table cannot be used: the message says why, and what to do instead."""


class Meaning:
    """The meaning of the entries of a table, as a digest and as text."""

    def __init__(self, owner: tuple[Any, ...]) -> None:
        engine, kernel, *rest = owner
        self.digest = fingerprint((engine.game, kernel, *rest))
        self.of = f"{kernel.__name__} searches of {engine.game!r}"[:500]
        python = ".".join(map(str, sys.version_info[:2]))
        self.made = f"Python {python}, {releases()}"


class TableFile:
    """An open file that keeps a table, locked against other processes."""

    blocks: Blocks
    """The cells, once a table has memory for them."""

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

    @property
    def seed(self) -> int:
        """Return the seed of the checksums of blocks."""
        return crc32(self.meaning.encode())

    def fault(self) -> TableError | None:
        """Return why the file cannot be saved; None if it can be."""
        if os.fstat(self.number).st_size == _bytes(self.bits):
            return None
        return TableError("another program has changed its size")

    def save(self) -> None:
        """Write the blocks that have changed.

        Raises: OSError; TableError if the file has another size by now.
        """
        fault = self.fault()
        if fault is not None:
            raise fault
        self.blocks.save()

    @classmethod
    def opened(cls, path: Path) -> TableFile | None:
        """Open a file; return None if there is none."""
        try:
            file = cls(path, os.open(path, os.O_RDWR | BINARY))
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
                file.header = _header_in(text)
            if file.header.get("sums", SUMS) != SUMS:
                raise TableError(
                    f"{path} is of another version, without {SUMS}: name another file, or delete it"
                )
            if not file.header or os.fstat(file.number).st_size != _bytes(file.bits):
                raise TableError(f"{path} is damaged: delete it and start again")
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def made(cls, path: Path, bits: int, meaning: Meaning) -> TableFile:
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

    def write_header(self, meaning: Meaning, bits: int) -> None:
        """Write the whole header, and wait until it is on the disk."""
        header = {
            "bits": bits, "meaning": meaning.digest, "of": meaning.of, "made": meaning.made,
            "sums": SUMS,
        }  # fmt: skip
        text = json.dumps(header).encode().ljust(HEADER - len(MAGIC) - 4, b"\0")
        os.lseek(self.number, 0, os.SEEK_SET)
        os.write(self.number, MAGIC + crc32(text).to_bytes(4, "big") + text)
        os.fsync(self.number)
        self.header = header

    def unlike(self, meaning: Meaning) -> str:
        """Describe how the entries differ from those of another meaning, and what to do."""
        if self.header["of"] != meaning.of:
            why = f"belongs to {_told(self.header['of'])}, not to {_told(meaning.of)}"
        elif self.header["made"] != meaning.made:
            why = f"was created with {self.header['made']}, but this is {meaning.made}"
        else:
            why = "was created with other rules of the game, or by another kind of search"
        return f"{why}: name another file, or delete it"


def _told(of: str) -> str:
    """Return what entries are of, with the algorithms that share the kernel in place of its name.

    >>> _told("alphabeta searches of Nim()"), _told("proof searches of Nim()")
    ('alphabeta, pvs and mtdf searches of Nim()', 'proof searches of Nim()')
    """
    kernel, _, rest = of.partition(" ")
    return f"{SHARED.get(kernel, kernel)} {rest}"


def _header_in(text: bytes) -> dict[str, Any]:
    """Return the header that a text is; an empty one if it is none."""
    try:
        header = json_in(text.rstrip(b"\0"))
    except MalformedError:
        return {}
    if not isinstance(header, dict):
        return {}
    header = {"sums": "", **header}
    right = all(type(header.get(name)) is kind for name, kind in FORM.items())
    return header if right and 12 <= header["bits"] <= 60 else {}


def _bytes(bits: int) -> int:
    """Return the size of a whole file."""
    return HEADER + saved_bytes(1 << bits)


def _lock(path: Path, number: int) -> None:
    """Lock an open file against other processes, if the system can.

    Raises: TableError if another process uses the file.
    """
    if not lock(number):
        raise TableError(
            f"{path} is in use by another search: wait until it ends, or name another file"
        )
