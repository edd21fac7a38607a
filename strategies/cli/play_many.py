"""Plays whole games one after another, into a table and a file: ``jamboree play --games``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from games import HumanAgent, Status
from games.endings import RULES
from strategies.cli.console import echo
from strategies.cli.kept_rows import KeptRows, as_csv
from strategies.cli.values import write
from strategies.native.memory.cells import Stop, Stopped
from strategies.notation.wording import plural
from strategies.players.game_loop import play_out, prepared, row
from strategies.running.runtime.deadline import run_with_deadline
from strategies.support.bar import Bar
from strategies.support.files import is_stream
from strategies.support.printing import Table

HIDDEN = {"game", "players", "nodes", "leaves", "last"}
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
    kept = None
    if results is not None and not is_stream(results):
        kept = KeptRows(results, game, agents)
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
            rows[seed] = {k: str(v) for k, v in row(game, agents, played).items()}
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
        raise click.exceptions.Exit(130)


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
