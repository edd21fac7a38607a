"""Store measurements in a SQLite file, one row each, written at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import asdict, fields, frozen

from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.studies.measure import Measurement

MARK = 0x4A414D42
"""The application id in the header of the file: "JAMB"."""
VERSION = 1
TABLES = """
CREATE TABLE measurements (
    game TEXT NOT NULL, state TEXT NOT NULL, algorithm TEXT NOT NULL, strategy TEXT NOT NULL,
    workers INTEGER NOT NULL, how TEXT NOT NULL, run INTEGER NOT NULL,
    games INTEGER NOT NULL, most_moves INTEGER NOT NULL, against TEXT NOT NULL,
    seed INTEGER NOT NULL, engine TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL,
    seconds REAL NOT NULL, moves INTEGER NOT NULL, leaves INTEGER NOT NULL, nodes INTEGER NOT NULL,
    tasks INTEGER NOT NULL, created INTEGER NOT NULL, converted INTEGER NOT NULL,
    fizzled INTEGER NOT NULL, gcd INTEGER, pruned INTEGER NOT NULL,
    work REAL NOT NULL, span REAL NOT NULL, found TEXT NOT NULL, answer TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    PRIMARY KEY (game, state, algorithm, strategy, workers, how, run, games, most_moves, against,
                 seed, engine, machine, version)
);
CREATE TABLE kernels (
    setting TEXT NOT NULL, workers INTEGER NOT NULL, run INTEGER NOT NULL,
    alone REAL NOT NULL, together REAL NOT NULL,
    PRIMARY KEY (setting, workers, run)
);
CREATE TABLE depths (
    setting TEXT NOT NULL, seconds REAL NOT NULL, depth INTEGER NOT NULL,
    PRIMARY KEY (setting, seconds)
);
"""
RUN = tuple(f.name for f in fields(Measurement))


class NotResults(JamboreeError, ValueError):
    """The file does not contain results of studies."""


@frozen
class Key:
    """The key of a measurement: no two rows of the file have the same key and run."""

    game: str
    state: str
    algorithm: str
    strategy: str
    workers: int
    how: str
    games: int
    most_moves: int
    against: str
    seed: int
    engine: str
    machine: str
    version: str


class Store:
    """Measurements in a SQLite file, or in memory if `path` is None.

    Ensures: once `keep` returns, the measurement is in the file, however the process ends; keeping
    it again changes nothing.  Several processes may use one file.
    Raises: NotResults for another kind of file; sqlite3.Error if it cannot be used.

    >>> store = Store()
    >>> key = Key("g", "s", "alphabeta(depth=2)", "seq", 1, "measured", 0, 0, "search", 0, "native",
    ...           "here", "1")
    >>> store.keep(key, 0, Measurement(seconds=2.0)); store.keep(key, 0, Measurement(seconds=3.0))
    >>> [run.seconds for run in store.runs(key).values()]
    [2.0]
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.db = sqlite3.connect(
            ":memory:" if path is None else path_of("results", path),
            timeout=60,
            isolation_level=None,
        )
        try:
            self._open(path)
        except BaseException:
            self.db.close()
            raise

    def _open(self, path: Path | str | None) -> None:
        try:
            self.db.execute("BEGIN IMMEDIATE")
            (mark,) = self.db.execute("PRAGMA application_id").fetchone()
            (version,) = self.db.execute("PRAGMA user_version").fetchone()
            (tables,) = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise NotResults(f"{path} is not a results file: name another file") from None
        if not tables:
            for statement in filter(str.strip, TABLES.split(";")):
                self.db.execute(statement)
            self.db.execute(f"PRAGMA application_id = {MARK}")
            self.db.execute(f"PRAGMA user_version = {VERSION}")
        elif (mark, version) != (MARK, VERSION):
            raise NotResults(f"{path} is a database without results: name another file")
        self.db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def runs(self, key: Key) -> dict[int, Measurement]:
        """Return the stored runs of a case, by their numbers."""
        where = " AND ".join(f"{name} = :{name}" for name in asdict(key))
        rows = self.db.execute(
            f"SELECT run, {', '.join(RUN)} FROM measurements WHERE {where} ORDER BY run",
            asdict(key),
        )
        return {number: Measurement(*row) for number, *row in rows}

    def keep(self, key: Key, number: int, run: Measurement) -> None:
        """Store one measurement; the first with the same key and number stays."""
        self._insert("measurements", {**asdict(key), "run": number, **asdict(run)})

    def kernels(self, setting: str) -> dict[tuple[int, int], tuple[float, float]]:
        """Return the seconds of a search alone, and of several at once, by workers and run."""
        rows = self.db.execute(
            "SELECT workers, run, alone, together FROM kernels WHERE setting = ?", (setting,)
        )
        return {(workers, number): (alone, together) for workers, number, alone, together in rows}

    def keep_kernels(
        self, setting: str, workers: int, number: int, alone: float, together: float
    ) -> None:
        """Store one calibration."""
        row = {"alone": alone, "together": together}
        self._insert("kernels", {"setting": setting, "workers": workers, "run": number, **row})

    def depth(self, setting: str, seconds: float) -> int | None:
        """Return the stored depth that was chosen for a time limit in seconds."""
        where = (setting, seconds)
        rows: Iterable[tuple[int]] = self.db.execute(
            "SELECT depth FROM depths WHERE setting = ? AND seconds = ?", where
        )
        return next((depth for (depth,) in rows), None)

    def keep_depth(self, setting: str, seconds: float, depth: int) -> None:
        """Store a chosen depth, so that a resumed study measures the same search."""
        self._insert("depths", {"setting": setting, "seconds": seconds, "depth": depth})

    def _insert(self, table: str, row: dict[str, Any]) -> None:
        names = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        self.db.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})", row)
