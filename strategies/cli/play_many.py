"""Plays whole games one after another, into a table and a file: ``jamboree play --games``."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from games import HumanAgent
from strategies.cli.console import echo
from strategies.cli.values import write
from strategies.native.memory.cells import Stop, Stopped
from strategies.notation.wording import many
from strategies.players.game_loop import names, play_out, prepared, row
from strategies.running.runtime.deadline import run_with_deadline
from strategies.support.bar import Bar
from strategies.support.files import alone_in, is_stream
from strategies.support.printing import Table
from strategies.support.tables import csv_text

HIDDEN = {"game", "players", "nodes", "leaves", "last", "value"}
"""Columns of the file that the table leaves out."""


def play_many(
    game: Any, agents: Sequence[Any], seeds: range, position: str, results: Path | None
) -> None:
    """Plays the games that the file does not have, then shows the last position and a table.

    At Ctrl-C, the games that are over are kept and shown.
    """
    if any(isinstance(agent, HumanAgent) for agent in agents):
        raise click.UsageError(
            "--games: a person plays one game at a time; say who plays instead, as in "
            "--maxie random"
        )
    first = game.parse_state(position) if position else None
    known = {int(r["seed"]): r for r in _kept(results, game, agents)}
    rows = {seed: known[seed] for seed in seeds if seed in known}
    if len(rows) < len(seeds):
        prepared(game, agents, game.start() if first is None else first, "auto")
    last, stop = None, Stop()

    def work() -> None:
        nonlocal last
        for seed in seeds:
            if seed in rows:
                continue
            try:
                played = play_out(game, agents, seed, state=first, stop=stop)
            except Stopped:
                return
            last = played.last
            rows[seed] = {k: str(v) for k, v in row(game, agents, played).items()}
            if results is not None and is_stream(results):
                text = _csv([rows[seed]])
                write(results, text if len(rows) == 1 else text.partition("\n")[2])
            elif results is not None:
                _add(results, game, agents, rows[seed])
            tell()

    def tell() -> None:
        bar.show(f"{len(rows)} of {many(len(seeds), 'game')}", len(rows), len(seeds))

    with Bar() as bar:
        tell()
        interrupted = run_with_deadline(work, stop)
    if last is not None:
        click.echo(game.show(last))
    _show([rows[seed] for seed in seeds if seed in rows])
    if interrupted:
        raise click.exceptions.Exit(130)


def _show(rows: list[dict[str, str]]) -> None:
    if not rows:
        return
    names = [name for name in rows[0] if name not in HIDDEN]
    echo(Table([names, *([r[name] for name in names] for r in rows)], ()))


def _add(path: Path, game: Any, agents: Sequence[Any], played: dict[str, str]) -> None:
    """Keeps the row of a game beside what is in the file, where other processes may add rows too;
    the first of a seed stays."""
    with alone_in(Path(os.path.realpath(path)).parent):
        known = _kept(path, game, agents)
        if played["seed"] not in {r["seed"] for r in known}:
            write(path, _csv([*known, played]))


def _csv(rows: list[dict[str, str]]) -> str:
    return csv_text(list(rows[0]), (row.values() for row in rows))


def _kept(path: Path | None, game: Any, agents: Sequence[Any]) -> list[dict[str, str]]:
    """The rows of the file, if there is one: games of the same players."""
    if path is None or is_stream(path) or not path.exists():
        return []
    players = names(agents)
    text = path.read_bytes().decode(errors="replace")
    lines = csv.DictReader(io.StringIO(text, newline=""))
    rows = list[dict[str, str]]()
    for found in lines:
        if lines.line_num > text.count("\n") or None in found or None in found.values():
            raise click.UsageError(f"{path}, line {lines.line_num} is not whole: delete it")
        if (found.get("game"), found.get("players")) != (repr(game), players):
            raise click.UsageError(
                f"{path} has games of {found.get('players')} in {found.get('game')}, not of "
                f"{players} in {game!r}: name another file"
            )
        rows.append(found)
    return rows
