"""The file of a kept table: a header, and the cells of the table in blocks with checksums.

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
from typing import Any, Final
from zlib import crc32

from graphs.arguments import shown
from graphs.errors import JamboreeError, MalformedError
from graphs.json_text import json_in
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.abdada_marks import ROOM
from strategies.native.memory.saved_blocks import Blocks
from strategies.native.memory.transposition_table import show_size
from strategies.native.versions import releases
from strategies.support.files import BINARY, lock

MAGIC: Final = b"jamboree table 1"
"""The first bytes of a file, with the version of the header."""
HEADER: Final = 4096
"""The bytes of the header: a page."""
FORM: Final[dict[str, type]] = {"bits": int, "meaning": str, "of": str, "made": str, "sums": str}
"""The entries of a header, with their types."""
SUMS: Final = "crc32 of blocks"
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
    return HEADER + (1 << bits) + 8 * ROOM


def _lock(path: Path, number: int) -> None:
    """Lock an open file against other processes, if the system can.

    Raises: TableError if another process uses the file.
    """
    if not lock(number):
        raise TableError(
            f"{path} is in use by another search: wait until it ends, or name another file"
        )
