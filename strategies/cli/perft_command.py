"""Counts positions, to test the rules of a game: ``jamboree perft``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from games import Game
from games.published_counts import (
    first_difference,
    of_game,
    of_table,
    placed,
    published,
    same_moves,
)
from graphs.errors import MalformedError
from strategies.algebra.strategy import Strategy
from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import STRATEGY, cannot_read, read_state
from strategies.cli.search_report import rate
from strategies.native.memory.transposition_table import table_size
from strategies.searches.counting import Perft, distinct_positions, perft
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
    help="Compare with published counts: a file with the columns position, depth and count, and "
    "move for counts by the first move; an empty position is the start. A count that differs is "
    "followed down to the first move that does. The exit status is 1 if one differs.",
)  # fmt: skip
@click.option(
    "--using", type=STRATEGY, default="par_list", show_default=True,
    help="The strategy: which first moves are counted in parallel.",
)  # fmt: skip
@click.option(
    "--memory", metavar="SIZE",
    help="Share a transposition table of this size, such as 64MB: a position that several orders "
    "of moves reach is counted once.",
)  # fmt: skip
@options.reference
@options.workers
@options.engine
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, game: Game[Any, Any], depth: int | None, state: str | None, divide: bool,
    ended: bool, different: bool, expect: Path | None, using: Strategy, memory: str | None,
    reference: Game[Any, Any] | None, workers: int | None, engine: str, as_json: bool,
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
      jamboree perft connect_four --depth 10 --memory 64MB
      jamboree perft mygame.py:MyGame --expect counts.csv
      jamboree perft mygame.py:Fast --expect counts.csv --reference mygame.py:Plain

    --json prints one object: schema, game, position, depth, positions, moves (a list of {move,
    positions}), distinct (a list, by ply, or null), seconds; with --expect: schema, game, rows (a
    list of {position, depth, expected, found, same, first}; first is null or names a move).
    """
    how: dict[str, Any] = {"ended": ended, "using": using, "workers": workers, "engine": engine}
    how["table"] = _size(memory)
    if expect is not None:
        options.refuse_unused("with --expect", "depth", "state", "divide", "different")
        _compare(ctx, game, (expect, reference), how, as_json)
        return
    options.refuse_unused("without --expect FILE.csv", "reference")
    if depth is None:
        raise click.UsageError("--depth is missing: write --depth 6, or --expect FILE.csv")
    if different:
        unused = "divide", "ended", "using", "memory", "workers", "engine"
        options.refuse_unused("with --distinct", *unused)
    position = read_state(game, state)
    with clock("counting"):
        counts = distinct_positions(game, depth, position) if different else None
        found = None if different else perft(game, depth, position, **how)
    if as_json:
        data = {"game": repr(game), "position": game.label(position), "depth": depth}
        click.echo(as_json_text(data | _numbers(found, counts)))
    elif counts is not None:
        rows = [(str(ply), f"{count:,}") for ply, count in enumerate(counts)]
        echo(Table([("ply", "positions"), *rows], left=()))
    elif found is not None:
        if divide:
            echo(found.table)
        echo(f"{found} ({rate(found.total, found.seconds)})")


def _size(memory: str | None) -> int | None:
    """Return the size of a table."""
    try:
        return None if memory is None else table_size(memory)
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None


def _numbers(found: Perft | None, counts: list[int] | None) -> dict[str, Any]:
    """Return what was counted, for JSON."""
    return {
        "positions": None if found is None else found.total,
        "moves": [{"move": m, "positions": n} for m, n in found.moves] if found else [],
        "distinct": counts,
        "seconds": None if found is None else found.seconds,
    }


def _compare(
    ctx: click.Context, game: Game[Any, Any], expect: tuple[Path, Any], how: dict[str, Any],
    as_json: bool,
) -> None:  # fmt: skip
    """Compare the counts of a file with those of the rules."""
    file, other = expect
    with cannot_read(file):
        rows = [(row, placed(game, row)) for row in published(file)]
        if not rows:
            raise MalformedError(f"{file} has no counts below its line of columns")

    def divide(game: Game[Any, Any], state: Any, depth: int) -> tuple[tuple[str, int], ...]:
        return perft(game, depth, state, **how).moves

    table, found = of_table(rows), []
    with clock("counting"):
        for row, state in rows:
            counts = perft(game, row.depth, state, **how)
            first = None
            same = counts.total == row.count and (not row.moves or same_moves(counts.moves, row))
            if not same:
                reference = table if other is None else of_game(other, row.position, divide)
                first = first_difference(game, state, row.depth, divide, reference)
            told = None if first is None else str(first)
            found.append((row.position, row.depth, row.count, counts.total, same, told))
    if as_json:
        names = "position", "depth", "expected", "found", "same", "first"
        data = [dict(zip(names, cells, strict=True)) for cells in found]
        click.echo(as_json_text({"game": repr(game), "rows": data}))
    else:
        head = ("position", "depth", "expected", "found", "")
        cells = [
            (at or "start", str(depth), f"{count:,}", f"{ours:,}", _told(same, told))
            for at, depth, count, ours, same, told in found
        ]
        echo(Table([head, *cells], left=(0, 4)))
    if not all(same for *_, same, _ in found):
        ctx.exit(1)


def _told(same: bool, first: str | None) -> str:
    return "" if same else f"differs: {first}" if first else "differs"
