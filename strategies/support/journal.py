"""Journals: one line for each finished piece of long work, so that it can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Final
from zlib import crc32

from graphs.arguments import path_of
from graphs.errors import JamboreeError, MalformedError
from graphs.json_text import json_in
from strategies.support.files import BINARY, append_to, encoded, is_stream, lock, naming
from strategies.support.logs import logger_of

_log = logger_of("journal")

Entry = dict[str, Any]

SUM: Final = b'"crc32": "%08x"}'
"""The end of a line: the checksum of its entry as the last field."""
LENGTH: Final = len(SUM % 0)
RULE_DIGESTS: Final = "rules"
"""The field of a header with digests of the rules, since games of one name may have different ones.
"""


class JournalError(JamboreeError, ValueError):
    """Raised for a journal that cannot be used; the message says what to do instead."""


class Journal:
    """A journal: JSON entries in order, kept in a file if it has a path.

    The first line of the file is a header that identifies the work; each further line is an entry.
    A line ends with the checksum of its entry.
    Ensures: when `add` returns, the whole entry is in the file; a last line that was cut off, for
    example by a full disk, is dropped when the journal is opened again; no other process can open
    it meanwhile.
    Raises: JournalError, one line, if the file exists and `resume` is False, or if it is of other
    work, damaged, not a journal, or in use, and with the number of the line if `check` raises a
    ValueError for an entry; the file is then unchanged.  OSError, which names the file, if it
    cannot be written.

    >>> journal = Journal(None, {"work": "sums"})
    >>> journal.add({"sum": 3})
    >>> journal.entries
    [{'sum': 3}]
    """

    def __init__(
        self, path: Path | str | None, header: Entry, *, resume: bool = False,
        check: Callable[[Entry], object] | None = None,
    ) -> None:  # fmt: skip
        self.entries: list[Entry] = []
        self._lock = Lock()
        self._file: int | None = None
        if path is None:
            return
        self._path = path = path_of("record", path)
        if is_stream(path):
            raise JournalError(f"{path} is not a file; a record must be a file, not a device")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o666)
        try:
            if not lock(self._file):
                raise JournalError(f"{path} is in use by another run; name another file")
            self._load(path, header, resume, check)
        except BaseException:
            self.close()
            raise

    def _load(
        self, path: Path, header: Entry, resume: bool, check: Callable[[Entry], object] | None
    ) -> None:
        assert self._file is not None
        content = path.read_bytes()
        if content and not resume:
            raise JournalError(
                f"{path} exists already: continue it by resume=True (--resume), or name another "
                "file"
            )
        whole = content[: content.rfind(b"\n") + 1]
        found = [_parsed(line, path, n) for n, line in enumerate(whole.split(b"\n")[:-1], 1)]
        if found:
            _compare(found[0][0], header, path)
            if not found[0][1]:
                raise JournalError(f"{path} is of a version without checksums; name another file")
        elif not _line(header).startswith(content):
            raise JournalError(f"{path} is not a journal: its first line is not complete")
        for number, (entry, summed) in enumerate(found[1:], 2):
            if not summed:
                raise _damaged(path, number)
            try:
                check(entry) if check is not None else None
            except (ValueError, TypeError, KeyError) as error:
                raise JournalError(
                    f"{path}, line {number} is not of this work: {error}; delete the line, or name "
                    "another file"
                ) from None
        with naming(path):
            if len(whole) < len(content):
                os.ftruncate(self._file, len(whole))
        if not found:
            self._write(header)
        self.entries = [entry for entry, _ in found[1:]]
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
        with naming(self._path):
            append_to(self._file, _line(entry))

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(entry: Entry) -> bytes:
    """Return the line of an entry.

    >>> _line({"sum": 3})
    b'{"sum": 3, "crc32": "afc483b7"}\\n'
    """
    text = encoded(json.dumps(entry, ensure_ascii=False))
    comma = b", " if entry else b""
    return text[:-1] + comma + SUM % crc32(text) + b"\n"


def _parsed(line: bytes, path: Path, number: int) -> tuple[Entry, bool]:
    """Return the entry of a line, and whether the line has a checksum."""
    try:
        entry = json_in(line)
    except MalformedError:
        entry = None
    if not isinstance(entry, dict):
        raise _faulty(path, number, "is not an entry of a journal")
    right = SUM % crc32(line[:-LENGTH].removesuffix(b", ") + b"}")
    if "crc32" in entry and line.endswith(right):
        del entry["crc32"]
        return entry, True
    if "crc32" in entry or line.endswith(right.partition(b":")[2]):  # its name is damaged
        raise _damaged(path, number)
    return entry, False


def _damaged(path: Path, number: int) -> JournalError:
    return _faulty(path, number, "is damaged: its checksum is wrong")


def _faulty(path: Path, number: int, fault: str) -> JournalError:
    """Return the error for a line; without the first line, a journal is of no work."""
    repair = "; delete the line to do its work again, or" if number > 1 else ";"
    return JournalError(f"{path}, line {number} {fault}{repair} name another file")


def _compare(header: Entry, wanted: Entry, path: Path) -> None:
    wanted = json.loads(json.dumps(wanted))
    for name in {**wanted, **header}:
        if header.get(name) != wanted.get(name):
            raise JournalError(
                f"{path} is the record of other work: {_other(name, header, wanted)}; name another "
                "file"
            )


def _other(name: str, header: Entry, wanted: Entry) -> str:
    """Return in words how a header differs from the one that is wanted."""
    if name == "journal":
        return f"it has no entries of a {wanted.get(name)}"
    if name == RULE_DIGESTS:  # digests would tell a reader nothing
        if name not in header:
            return "it does not say by which rules"
        return "the rules of a game, a player, or what an estimate has learned, have changed since"
    return f"its entry {name!r} is {header.get(name)!r}, not {wanted.get(name)!r}"
