"""Keeps a transposition table in a file, so that a long analysis can continue on another day.

Every few seconds while searches use the table, the blocks that have changed are saved.  A file with
entries of another meaning is refused, never cleared.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

from graphs.arguments import path_of
from strategies.native.memory.saved_blocks import Blocks, Saver
from strategies.native.memory.transposition_table import Table, parse_size, show_size, table_size
from strategies.native.table_file import HEADER, Meaning, TableError, TableFile
from strategies.support.logs import logger_of

_log = logger_of("table")

USUAL: Final = "64MB"


class KeptTable(Table):
    """A transposition table that is kept in a file, for one game and one kind of search.

    Pass it as ``solve(game, memory=table)``, or as ``search(game, pvs(40)).compute(memory=table)``.

    Without a size, it has the size of the file, or 64 MB if there is none yet.

    The file does not change with the working directory.

    Ensures: every stored entry is there when the file is opened again; after the process was
    killed, those that are older than a few seconds.  A bit of the file that changes by accident
    removes entries, and never makes one wrong.  One process at a time can use the file, if the
    system can lock files.  The file is created when a search begins to use it.
    Raises: TableError for a file that is not a table, is damaged, is in use, or has another size;
    when a search begins, also for one of another game, other rules or another algorithm; then, and
    at the end, if the file cannot be saved, as when another program has cut it off.
    Cost: the file is read when it is opened; saving takes about a fiftieth of the time.

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
