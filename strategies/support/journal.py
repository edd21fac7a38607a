"""Journals: one line for each finished piece of long work, so that it can be resumed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Lock
from typing import Any

from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.support.files import is_stream
from strategies.support.logs import logger_of

_log = logger_of("journal")

Entry = dict[str, Any]


class JournalError(JamboreeError, ValueError):
    """Raised for a journal that cannot be used; the message says what to do instead."""


class Journal:
    """A journal: JSON entries in order, kept in a file if it has a path.

    The first line of the file is a header that identifies the work; each further line is an entry.
    Ensures: when `add` returns, the whole entry is in the file; a last line that was cut off, for
    example by a full disk, is dropped when the journal is opened again; no other process can open
    it meanwhile.
    Raises: JournalError, one line, if the file exists and `resume` is False, or if it is of other
    work, not a journal, or in use.  OSError if it cannot be written.

    >>> journal = Journal(None, {"work": "sums"})
    >>> journal.add({"sum": 3})
    >>> journal.entries
    [{'sum': 3}]
    """

    def __init__(self, path: Path | str | None, header: Entry, *, resume: bool = False) -> None:
        self.entries: list[Entry] = []
        self._lock = Lock()
        self._file: int | None = None
        if path is None:
            return
        path = path_of("record", path)
        if is_stream(path):
            raise JournalError(f"{path} is not a file; a record must be a file, not a device")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = os.open(path, flags, 0o666)
        try:
            _reserve(self._file, path)
            self._load(path, header, resume)
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path, header: Entry, resume: bool) -> None:
        assert self._file is not None
        content = path.read_bytes()
        if content and not resume:
            raise JournalError(f"{path} exists already: resume it, or name another file")
        whole = content[: content.rfind(b"\n") + 1]
        entries = [_parsed(line, path, n) for n, line in enumerate(whole.splitlines(), 1)]
        if entries:
            _compare(entries[0], header, path)
        elif content and not json.dumps(header, ensure_ascii=False).encode().startswith(content):
            raise JournalError(f"{path} is not a journal: its first line is not complete")
        os.ftruncate(self._file, len(whole))
        if not entries:
            self._write(header)
        self.entries = entries[1:]
        if resume:
            _log.info("resumed %s: %d entries", path, len(self.entries))

    def add(self, entry: Entry) -> None:
        """Add an entry; several threads may call it."""
        with self._lock:
            if self._file is not None:
                self._write(entry)
            self.entries.append(entry)

    def _write(self, entry: Entry) -> None:
        assert self._file is not None
        left = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        while left:
            left = left[os.write(self._file, left) :]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parsed(line: bytes, path: Path, number: int) -> Entry:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise JournalError(f"{path}, line {number} is not an entry of a journal")
    return entry


def _compare(header: Entry, wanted: Entry, path: Path) -> None:
    wanted = json.loads(json.dumps(wanted))
    for name in {**wanted, **header}:
        if header.get(name) != wanted.get(name):
            raise JournalError(
                f"{path} is the record of other work: its {name} is {header.get(name)!r}, "
                f"not {wanted.get(name)!r}; name another file"
            )


def _reserve(file: int, path: Path | str) -> None:
    """Lock the file for this process until it ends, if the system supports it."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalError(f"{path} is in use by another run; name another file") from None
