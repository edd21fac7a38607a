"""Counts positions, to test the rules of a game: ``jamboree perft``."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import click

from games import Game
from strategies.algebra.strategy import Strategy
from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.search_report import rate
from strategies.cli.values import STRATEGY, read_state
from strategies.native.memory.transposition_table import table_size
from strategies.searches.counting import distinct_positions, perft
from strategies.support.bar import clock
from strategies.support.printing import Table


@click.command(name="perft")
@options.game
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="The number of plies.")
@options.state
@click.option("--divide", is_flag=True, help="Also count the positions after each first move.")
@click.option("--ended", is_flag=True, help="Also count games that ended before.")
@click.option(
    "--distinct", "different", is_flag=True,
    help="Count different positions, not paths, at each ply; the rules run interpreted.",
)  # fmt: skip
@click.option(
    "--expect", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.csv",
    help="Compare with published counts: a file with the columns position, depth and count; an "
    "empty position is the start. The exit status is 1 if one differs.",
)  # fmt: skip
@click.option(
    "--using", type=STRATEGY, default="par_list", show_default=True,
    help="The strategy: which first moves are counted in parallel.",
)  # fmt: skip
@click.option(
    "--table", metavar="SIZE",
    help="Share a transposition table of this size, such as 64MB: a position that several orders "
    "of moves reach is counted once.",
)  # fmt: skip
@options.workers
@options.engine
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, game: Game[Any, Any], depth: int | None, state: str | None, divide: bool,
    ended: bool, different: bool, expect: Path | None, using: Strategy, table: str | None,
    workers: int | None, engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Count the positions of GAME after N plies, the field's test of rules.

    Each path counts, so that a position that two orders of moves reach counts twice. A game that is
    over before is not counted, unless --ended; an outcome of chance is a ply.

    \b
    Examples:
      jamboree perft othello --depth 8
      jamboree perft othello --depth 3 --divide
      jamboree perft othello --depth 10 --ended
      jamboree perft connect_four --depth 6 --distinct
      jamboree perft connect_four --depth 10 --table 64MB
      jamboree perft mygame.py:MyGame --expect counts.csv

    --json prints one object: schema, game, position, depth, positions, moves (a list of {move,
    positions}), distinct (a list, by ply, or null), seconds; with --expect: schema, game, rows (a
    list of {position, depth, expected, found, same}).
    """
    how: dict[str, Any] = {"ended": ended, "using": using, "workers": workers, "engine": engine}
    if table is not None:
        try:
            how["table"] = table_size(table)
        except ValueError as error:
            raise click.UsageError(f"--table: {error}") from None
    if expect is not None:
        _compare(ctx, game, expect, how, as_json)
        return
    if depth is None:
        raise click.UsageError("--depth is missing: write --depth 6, or --expect FILE.csv")
    position = read_state(game, state)
    with clock("counting"):
        counts = distinct_positions(game, depth, position) if different else None
        found = None if different else perft(game, depth, position, **how)
    if as_json:
        data = {
            "game": repr(game),
            "position": game.label(position),
            "depth": depth,
            "positions": None if found is None else found.total,
            "moves": [{"move": m, "positions": n} for m, n in found.moves] if found else [],
            "distinct": counts,
            "seconds": None if found is None else found.seconds,
        }
        click.echo(as_json_text(data))
    elif counts is not None:
        rows = [(str(ply), f"{count:,}") for ply, count in enumerate(counts)]
        echo(Table([("ply", "positions"), *rows], left=()))
    elif found is not None:
        if divide:
            echo(found.table)
        echo(f"{found} ({rate(found.total, found.seconds)})")


def _compare(
    ctx: click.Context, game: Game[Any, Any], file: Path, how: dict[str, Any], as_json: bool
) -> None:
    """Compare the counts of a file with those of the rules."""
    rows = []
    with file.open(encoding="utf-8", newline="") as text, clock("counting"):
        reader = csv.DictReader(text)
        if not {"position", "depth", "count"} <= {*(reader.fieldnames or ())}:
            raise click.UsageError(f"{file} needs the columns position, depth and count")
        for row in reader:
            try:
                depth, count = int(row["depth"]), int(row["count"])
            except (TypeError, ValueError):
                where = f"line {reader.line_num} of {file}"
                raise click.UsageError(f"{where}: depth and count are whole numbers") from None
            found = perft(game, depth, read_state(game, row["position"] or None), **how).total
            rows.append((row["position"], depth, count, found, count == found))
    wrong = [row for row in rows if not row[-1]]
    if as_json:
        names = "position", "depth", "expected", "found", "same"
        data = [dict(zip(names, row, strict=True)) for row in rows]
        click.echo(as_json_text({"game": repr(game), "rows": data}))
    else:
        head = ("position", "depth", "expected", "found", "")
        cells = [
            (at or "start", str(depth), f"{count:,}", f"{found:,}", "" if same else "differs")
            for at, depth, count, found, same in rows
        ]
        echo(Table([head, *cells], left=(0, 4)))
    if wrong:
        ctx.exit(1)
