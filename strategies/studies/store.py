"""Store measurements in a SQLite file, one row each with a checksum, written at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from attrs import asdict, fields

from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.studies.measure import Measurement

MARK = 0x4A414D42
"""The application id in the header of the file, its bytes 68 to 71: "JAMB"."""
VERSION = 5
TABLES = """
CREATE TABLE measurements (
    game TEXT NOT NULL, rules TEXT NOT NULL, state TEXT NOT NULL, algorithm TEXT NOT NULL,
    strategy TEXT NOT NULL,
    workers INTEGER NOT NULL, how TEXT NOT NULL, run INTEGER NOT NULL,
    games INTEGER NOT NULL, most_moves INTEGER NOT NULL, against TEXT NOT NULL,
    seed INTEGER NOT NULL, engine TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL,
    seconds REAL NOT NULL, moves INTEGER NOT NULL, leaves INTEGER NOT NULL, nodes INTEGER NOT NULL,
    tasks INTEGER NOT NULL, created INTEGER NOT NULL, converted INTEGER NOT NULL,
    fizzled INTEGER NOT NULL, gcd INTEGER, pruned INTEGER NOT NULL,
    work REAL NOT NULL, span REAL NOT NULL, found TEXT NOT NULL, answer TEXT NOT NULL,
    cpu REAL NOT NULL, refused TEXT NOT NULL, steps TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    crc32 INTEGER NOT NULL,
    PRIMARY KEY (game, rules, state, algorithm, strategy, workers, how, run, games, most_moves,
                 against, seed, engine, machine, version)
);
CREATE TABLE kernels (
    setting TEXT NOT NULL, workers INTEGER NOT NULL, run INTEGER NOT NULL,
    alone REAL NOT NULL, together REAL NOT NULL, crc32 INTEGER NOT NULL,
    PRIMARY KEY (setting, workers, run)
);
CREATE TABLE depths (
    setting TEXT NOT NULL, seconds REAL NOT NULL, depth INTEGER NOT NULL,
    PRIMARY KEY (setting, seconds)
);
"""
RUN = tuple(f.name for f in fields(Measurement))


TIMEOUT: Final = 60.0
"""The seconds to wait while another process writes to the file."""
DAMAGE: Final = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""The codes of errors that mean damage in a file with the mark, since every statement is ours."""
FULL: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
"""The codes of errors that mean a full disk, or one that fails."""
REALS: Final = {"seconds", "work", "span", "cpu", "alone", "together"}
"""The columns of floats, which SQLite returns as floats even if whole numbers were stored."""


class NotResults(JamboreeError, ValueError):
    """The file does not contain results of studies, is damaged, or cannot be used."""


Key = Mapping[str, Any]
"""The key of a measurement: the columns of the primary key of `measurements`, but for `run`."""


class Store:
    """Measurements in a SQLite file, or in memory if `path` is None.

    Ensures: once `keep` returns, the measurement is in the file, however the process ends; keeping
    it again changes nothing.  Several processes may use one file.
    Raises: NotResults, one line, for another kind of file, a damaged one, and one that cannot be
    read or written.

    >>> store = Store()
    >>> names = "game", "rules", "state", "algorithm", "strategy", "how", "against", "engine"
    >>> key = dict.fromkeys(names, "") | {"machine": "", "version": "1", "workers": 1}
    >>> key |= {"games": 0, "most_moves": 0, "seed": 0}
    >>> store.keep(key, 0, Measurement(seconds=2.0)); store.keep(key, 0, Measurement(seconds=3.0))
    >>> [run.seconds for run in store.runs(key).values()]
    [2.0]
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._path = path
        file = ":memory:" if path is None else path_of("results", path)
        with self._told():
            self.db = sqlite3.connect(file, timeout=TIMEOUT, isolation_level=None)
            self.db.text_factory = bytes.decode  # whose errors are told apart from others
        try:
            with self._told():
                self._open()
        except BaseException:
            self.db.close()
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite in the block into a NotResults that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE and self._marked():
                raise self._damaged() from None
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in FULL:
                raise NotResults(
                    f"cannot write {self._path}: {error}. The runs in it stay: free some space, "
                    "then repeat the command, and it goes on"
                ) from None
            other = type(error) is sqlite3.DatabaseError and "not a database" in str(error)
            why = "is not a results file" if other else f"cannot be used: {error}"
            raise NotResults(f"{self._path} {why}; name another file") from None
        except (UnicodeDecodeError, OverflowError):
            raise self._damaged() from None

    def _marked(self) -> bool:
        """Return whether the file has the mark, which SQLite may be unable to read."""
        if self._path is None:
            return False
        try:
            with open(self._path, "rb") as file:
                return file.read(72)[68:] == MARK.to_bytes(4, "big")
        except OSError:
            return False

    def _damaged(self) -> NotResults:
        return NotResults(f"{self._path} is damaged: delete it, and measure again")

    def _open(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        (mark,) = self.db.execute("PRAGMA application_id").fetchone()
        (version,) = self.db.execute("PRAGMA user_version").fetchone()
        (tables,) = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables:
            for statement in filter(str.strip, TABLES.split(";")):
                self.db.execute(statement)
            self.db.execute(f"PRAGMA application_id = {MARK}")
            self.db.execute(f"PRAGMA user_version = {VERSION}")
        elif mark != MARK:
            raise NotResults(f"{self._path} is a database without results: name another file")
        elif version != VERSION:
            raise NotResults(f"{self._path} is of another version of Jamboree: name another file")
        self.db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def runs(self, key: Key) -> dict[int, Measurement]:
        """Return the stored runs of a case, by their numbers."""
        names = ("run", *RUN)
        return {
            row["run"]: Measurement(*(row[name] for name in RUN))
            for row in self._rows("measurements", key, names)
        }

    def keep(self, key: Key, number: int, run: Measurement) -> None:
        """Store one measurement; the first with the same key and number stays."""
        self._insert("measurements", {**key, "run": number, **asdict(run)})

    def kernels(self, setting: str) -> dict[tuple[int, int], tuple[float, float]]:
        """Return the seconds of a search alone, and of several at once, by workers and run."""
        rows = self._rows("kernels", {"setting": setting}, ("workers", "run", "alone", "together"))
        return {(row["workers"], row["run"]): (row["alone"], row["together"]) for row in rows}

    def keep_kernels(
        self, setting: str, workers: int, number: int, alone: float, together: float
    ) -> None:
        """Store one calibration."""
        row = {"alone": alone, "together": together}
        self._insert("kernels", {"setting": setting, "workers": workers, "run": number, **row})

    def depth(self, setting: str, seconds: float) -> int | None:
        """Return the stored depth that was chosen for a time limit in seconds."""
        with self._told():
            found = self.db.execute(
                "SELECT depth FROM depths WHERE setting = ? AND seconds = ?", (setting, seconds)
            ).fetchone()
        if found is not None and type(found[0]) is not int:
            raise self._damaged()
        return None if found is None else found[0]

    def keep_depth(self, setting: str, seconds: float, depth: int) -> None:
        """Store a chosen depth, so that a resumed study measures the same search."""
        self._insert("depths", {"setting": setting, "seconds": seconds, "depth": depth})

    def _rows(
        self, table: str, where: Mapping[str, Any], names: tuple[str, ...]
    ) -> list[dict[str, Any]]:
        """Return the columns `names` of the rows with the values of `where`.

        Raises: NotResults if a row does not match its checksum.
        """
        condition = " AND ".join(f"{name} = :{name}" for name in where)
        with self._told():
            found = self.db.execute(
                f"SELECT {', '.join(names)}, crc32 FROM {table} WHERE {condition} ORDER BY run",
                where,
            ).fetchall()
        rows = []
        for *values, check in found:
            row = dict(zip(names, values, strict=True))
            if _sum({**where, **row}) != check:
                raise self._damaged()
            rows.append(row)
        return rows

    def _insert(self, table: str, row: dict[str, Any]) -> None:
        if table != "depths":
            row = row | {"crc32": _sum(row)}
        names = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        with self._told():
            self.db.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})", row)


def _sum(row: Mapping[str, Any]) -> int:
    """Return the checksum of a row."""
    values = {
        name: float(value) if name in REALS and type(value) is int else value
        for name, value in sorted(row.items())
    }
    return crc32(repr(values).encode("utf-8", "backslashreplace"))
