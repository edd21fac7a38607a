"""Plays whole games one after another, into a table and a file: ``jamboree play --games``."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from games import HumanAgent, Status
from games.endings import RULES
from graphs.errors import printable
from strategies.algebra.wording import plural
from strategies.cli.console import echo
from strategies.cli.options import cannot_read, cannot_write, write
from strategies.cli.telling import INTERRUPTED
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.cells import Stop, Stopped
from strategies.players.game_loop import names, play_out, prepared, row
from strategies.running.runtime.deadline import run_with_deadline
from strategies.support.bar import Bar
from strategies.support.files import alone_in, append, encoded, is_stream
from strategies.support.printing import Table, csv_text

HIDDEN = {"game", "players", "nodes", "leaves", "last", "rules"}
"""Columns of the file that the table leaves out. It also leaves out values that results show."""


def play_many(
    game: Any,
    agents: Sequence[Any],
    seeds: range,
    first: Any,
    results: Path | None,
    ply_limit: int | None = None,
) -> None:
    """Play the games that the file does not have, then show the last position and a table.

    At Ctrl-C, the games that are over are kept and shown.
    """
    _check_players(agents)
    kept, rules = None, ""
    if results is not None:
        rules = fingerprint(game)[:16]  # two games may have the same name
        kept = None if is_stream(results) else KeptRows(results, game, rules, agents)
    known = {} if kept is None else kept.by_seed
    rows = {seed: known[seed] for seed in seeds if seed in known}
    if len(rows) < len(seeds):
        prepared(game, agents, first, "auto")
    last, stop = None, Stop()

    def work() -> None:
        nonlocal last
        for seed in seeds:
            if seed in rows:
                continue
            try:
                played = play_out(game, agents, seed, state=first, stop=stop, ply_limit=ply_limit)
            except Stopped:
                return
            last = played.last
            cells = {k: str(v) for k, v in row(game, agents, played).items()}
            rows[seed] = {"rules": rules} | cells
            if kept is not None:
                kept.add(rows[seed])
            elif results is not None:
                text = as_csv([rows[seed]])
                write(results, text if len(rows) == 1 else text.partition("\n")[2])
            tell()

    def tell() -> None:
        bar.show(f"{len(rows)} of {plural(len(seeds), 'game')}", len(rows), len(seeds))

    with Bar() as bar:
        tell()
        interrupted = run_with_deadline(work, stop)
    if last is not None:
        click.echo(game.show(last))
    _show([rows[seed] for seed in seeds if seed in rows])
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _check_players(agents: Sequence[Any]) -> None:
    """Raise UsageError if a person is among the players."""
    if any(isinstance(agent, HumanAgent) for agent in agents):
        raise click.UsageError(
            "--games: a person can only play one game at a time; choose another player, as in "
            "--maxie random"
        )


def _show(rows: list[dict[str, str]]) -> None:
    if not rows:
        return
    names = [name for name in rows[0] if name not in HIDDEN]
    measured = names.index("seconds") - names.index("moves") > 1  # by the game's own metrics
    if measured or all(r["result"] != Status.OVER.name for r in rows):
        names.remove("value")
    if all(r["ended"] == RULES for r in rows):
        names.remove("ended")
    echo(Table([names, *([r[name] for name in names] for r in rows)], ()))


Row = dict[str, str]
COLUMNS = {
    "game", "players", "seed", "result", "value", "ended", "moves", "seconds", "ms a move", "nodes",
    "leaves", "last", "rules",
}  # fmt: skip
"""The columns of all games; some games have more."""
SEED = re.compile(r"-?[0-9]{1,40}")


def as_csv(rows: Sequence[Row]) -> str:
    """Return the CSV text of rows that have the same columns, with a header line."""
    return csv_text(list(rows[0]), (row.values() for row in rows))


class KeptRows:
    """The rows of a file by seed: games of the same players, by the same `rules`.

    A last line that was cut off, by a crash, is left out, and the next row replaces it.
    Raises: UsageError if the file has rows of other games, or another row that is not whole.
    """

    def __init__(self, path: Path, game: Any, rules: str, agents: Sequence[Any]) -> None:
        self.path, self.game, self.rules, self.players = path, repr(game), rules, names(agents)
        self._begin()
        self._read()

    def _begin(self) -> None:
        self.by_seed: dict[int, Row] = {}
        self._head: list[str] | None = None
        self._at = self._lines = 0
        self._left = b""

    def add(self, row: Row) -> None:
        """Append the row of a game to the file, unless the file has a row of this seed.

        Ensures: the file has the whole row or, if writing fails, nothing of it.
        """
        with cannot_write(self.path), alone_in(Path(os.path.realpath(self.path)).parent):
            self._read()
            if int(row["seed"]) not in self.by_seed:
                text = as_csv([row])
                new = self._head is None and encoded(text).startswith(self._left)
                if not new and self._head != list(row):
                    raise click.UsageError(
                        f"{self.path} has other columns than these games; name another file"
                    )
                if self._left:
                    os.truncate(self.path, self._at)
                append(self.path, encoded(text.partition("\n")[2] if self._head else text))

    def _read(self) -> None:
        """Read the rows added since the last read; the whole file, if it has become shorter."""
        if not self.path.exists():
            self._begin()
            return
        with cannot_read(self.path), self.path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < self._at:
                self._begin()
            file.seek(self._at)
            added, line, self._left = file.read().rpartition(b"\n")
        added += line
        text = added.decode(errors="replace")
        lines = csv.DictReader(io.StringIO(text, newline=""), self._head, strict=True)
        try:
            self._take(lines)
        except csv.Error as error:
            number = self._lines + lines.reader.line_num
            raise click.UsageError(
                f"{self.path}, line {number} cannot be read: {error}; delete the line"
            ) from None
        self._head = list(lines.fieldnames or ()) or None
        self._at += len(added)
        self._lines += text.count("\n")

    def _take(self, lines: csv.DictReader[str]) -> None:
        """Add the rows of whole lines."""
        for found in lines:
            number = self._lines + lines.line_num
            if None in found or None in found.values():
                raise click.UsageError(f"{self.path}, line {number} is cut off; delete the line")
            if any(printable(cell) != cell for cell in (*found, *found.values())):
                raise click.UsageError(
                    f"{self.path}, line {number} has control characters; delete the line"
                )
            if not set(found) >= COLUMNS:
                missing = ", ".join(sorted(COLUMNS - set(found)))
                raise click.UsageError(f"{self.path} has no column {missing}; name another file")
            if (found["game"], found["players"]) != (self.game, self.players):
                raise click.UsageError(
                    f"{self.path} has games of {found['players']} in {found['game']}, not "
                    f"of {self.players} in {self.game}; name another file"
                )
            if found["rules"] != self.rules:
                raise click.UsageError(
                    f"{self.path} has games by other rules of {self.game}, or with another learned "
                    "estimate; name another file"
                )
            if not SEED.fullmatch(seed := found.get("seed") or ""):
                raise click.UsageError(f"{self.path}, line {number} has no seed; delete the line")
            self.by_seed.setdefault(int(seed), found)
