"""Solves a position exactly: ``jamboree solve``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from attrs import asdict

from games import Game
from games.game import WIN_PLIES
from strategies.algebra.drivers import Auto
from strategies.algebra.strategy import seq
from strategies.algorithms.errors import AlgorithmError
from strategies.cli import options
from strategies.cli.console import as_json_text, echo, interpreted
from strategies.cli.options import USING, OutputType, read_state
from strategies.cli.telling import INTERRUPTED, tell
from strategies.native.kept_engines import engine_for
from strategies.native.kept_table import USUAL, KeptTable
from strategies.native.memory.transposition_table import Table, parse_size, table_size
from strategies.running.records.moves import no_move
from strategies.searches.endgame import endgame_table
from strategies.searches.proving import solution_in
from strategies.searches.solution import Solution, scores
from strategies.searches.solving import solve
from strategies.support.bar import Bar


@click.command(name="solve")
@options.game
@options.state
@click.option(
    "--using", type=USING, default="seq", show_default=True,
    help="How to prove in parallel: a driver, abdada or lazy_smp, whose threads share a table; a "
    "strategy, which makes tasks for branches near the root; or auto, which chooses by the number "
    "of workers.",
)  # fmt: skip
@options.workers
@click.option(
    "--memory", metavar="SIZE",
    help="The size of the solver's table: bytes, or such as 64MB, 2GB. [default: 64MB]",
)  # fmt: skip
@click.option(
    "--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Keep the solver's table in a file, from which the next call continues.",
)  # fmt: skip
@click.option(
    "--time", type=options.ABOVE_0, metavar="SECONDS",
    help="Stop after this many seconds and print the bounds so far; compiling is not counted. "
    "[default: no limit]",
)  # fmt: skip
@click.option(
    "--most-plies", type=click.IntRange(1, WIN_PLIES), metavar="N", default=WIN_PLIES,
    show_default=True,
    help=f"Look for wins within N plies only. {WIN_PLIES} is the most that can be counted.",
)  # fmt: skip
@click.option(
    "--outcome", is_flag=True,
    help="Prove only who wins, or the sign of a score, not in how many plies: fewer nodes.",
)  # fmt: skip
@click.option(
    "--endgame", type=OutputType(".npz"), metavar="FILE.npz",
    help="Solve all positions that can be reached, and write their values to this file, which "
    "`search --endgame` and `play --endgame` read. --memory is what they may take. [default: 1GB] "
    "If it is stopped, the same command continues from FILE.npz.part.",
)  # fmt: skip
@options.engine
@options.as_json
@options.estimate
@click.pass_context
def command(
    ctx: click.Context, game: Game[Any, Any], state: str | None, using: Any, workers: int | None,
    memory: str | None, table: Path | None, time: float | None, most_plies: int,
    outcome: bool, endgame: Path | None, engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Solve a position of GAME: who wins, in how many plies, and by which move.

    Where chance moves, or play can return to positions, all positions are solved together; then a
    value is an expectation, and endless play a draw. Ctrl-C stops it and prints the bounds so far.

    \b
    Examples:
      jamboree solve 'connect_four(width=5,height=5)'
      jamboree solve connect_four --state 44444222 --memory 1GB --using abdada
      jamboree solve connect_four --state 444 --memory 4GB --table 444.table
      jamboree solve tictactoe --json
      jamboree solve 'connect_four(width=6,height=5)' --outcome
      jamboree solve othello --state "$MOVES" --estimate othello.npz
      jamboree solve mygame.py:Puzzle --most-plies 40
      jamboree solve mygame.py:Rook --endgame rook.npz

    --json prints one object: schema, game, position, exact, value, outcome (1 if Maxie wins, 0 for
    a draw, -1 if Minnie wins), result, plies, limit (N of --most-plies, if no win was found within
    it), move, line, low, high, nodes, seconds, using, table {probes, hits, stores, overwritten},
    sparks {attempts, created, converted, fizzled, dud, overflowed, gcd, remaining, inlined, pruned,
    aborted, opened, reasons (why sparks fizzled, each with its count), lost, repeated}. Unknown
    values are null; a value of 10^15 or more is a win for Maxie.
    """
    position = read_state(game, state)
    bar = Bar()

    def show(known: Solution) -> None:
        bar.show(f"{known.table.probes:,} positions looked up: {known}")

    if endgame is not None:
        if table is not None or using != seq:
            raise click.UsageError(
                "--endgame solves all positions together: leave out --using and --table"
            )
        options.refuse_unused("with --endgame", "most_plies", "outcome")
        with bar:
            found = _all_solved(
                game, position, endgame, workers, memory or "1GB", time, engine, bar
            )
    else:
        with remembered(memory, table) as kept, bar:
            found = solve(
                game, position, using=using, workers=workers, memory=kept, time=time,
                line=1 if outcome else WIN_PLIES, most_plies=most_plies, outcome=outcome,
                engine=engine, room=_tell_room, progress=show if bar.terminal else None,
            )  # fmt: skip
    rules = engine_for(game, engine)
    interpreted(engine, "" if rules.undecided else rules.so_far)
    if as_json:
        click.echo(as_json_text(_data(game, position, found)))
    else:
        rows = _rows(game, position, found, chosen=isinstance(using, Auto))
        echo("\n".join(f"{name:<9} {value}" for name, value in rows))
    if found.outcome is None and time is None and found.limit is None:
        ctx.exit(INTERRUPTED)


def _data(game: Game[Any, Any], position: Any, found: Solution) -> dict[str, Any]:
    """Return a solution as plain data, in the order of the help text."""
    line = found.line_texts
    return {
        "game": repr(game),
        "position": game.label(position),
        "exact": found.exact,
        "value": found.value if found.exact else None,
        "outcome": found.outcome,
        "result": str(found) if found.exact or found.settled else None,
        "plies": found.plies if found.exact else None,
        "limit": found.limit,
        "move": next(iter(line), None),
        "line": list(line),
        "low": _finite(found.low),
        "high": _finite(found.high),
        "nodes": found.nodes,
        "seconds": found.seconds,
        "using": repr(found.using),
        "table": asdict(found.table),
        "sparks": found.sparks.summary(),
    }


def _rows(
    game: Game[Any, Any], position: Any, found: Solution, *, chosen: bool
) -> list[tuple[str, str]]:
    """Return a solution as named texts, with the strategy if it was chosen."""
    line = found.line_texts
    why = no_move(game, position, "there is no solution")
    none = f"none: {why}" if found.exact else "not known"
    rows = [
        ("result", str(found)),
        ("move", next(iter(line), none)),
        ("line", " ".join(line) or "none"),
        ("nodes", f"{found.nodes:,}"),
        ("seconds", f"{found.seconds:.3f}"),
    ]
    if chosen:
        rows.append(("using", repr(found.using)))
    if found.sparks.asked:
        rows.append(("sparks", found.sparks.line.removeprefix("SPARKS: ")))
    return rows


def _tell_room(room: int, size: str = "") -> None:
    """Say on stderr for how many positions the memory has room."""
    each = f", {parse_size(size) / room:.0f} bytes each" if size else ""
    tell(
        f"{size or 'the memory'} has room for about {room:,} positions{each}; set it by --memory",
        dim=True,
    )


def _all_solved(
    game: Game[Any, Any], position: Any, file: Path, workers: int | None, memory: str,
    time: float | None, engine: str, bar: Bar,
) -> Solution:  # fmt: skip
    """Solve all positions that can be reached, write their values to a file, and return that of
    `position`."""

    part, limit = file.with_name(f"{file.name}.part"), ""

    def told(room: int) -> None:
        nonlocal limit
        limit = f" of at most {room:,}"
        _tell_room(room, memory)

    def count(positions: int) -> None:
        bar.show(f"{positions:,}{limit} positions found")

    try:
        table = endgame_table(
            game, position, workers=workers, memory=memory, time=time, engine=engine,
            progress=count if bar.terminal else None, resume=part, room=told,
        )  # fmt: skip
    except TimeoutError as error:
        more = "the same command continues" if part.exists() else "no file was written"
        raise click.UsageError(f"{error}; {more}") from None
    table.save(file)
    return solution_in(table, WIN_PLIES, scores(game))


@contextmanager
def remembered(memory: str | None, table: Path | None) -> Iterator[str | Table]:
    """Yield the solver's memory: a size, or a table that is kept in a file.

    Raises: AlgorithmError if `memory` is not a size; `TableError`.
    """
    if table is None:
        yield memory or USUAL
        return
    try:
        size = None if memory is None else table_size(memory)
    except ValueError as error:
        raise AlgorithmError(f"memory: {error}") from None
    with KeptTable(table, size) as kept:
        yield kept


def _finite(value: float) -> float | None:
    return None if abs(value) == float("inf") else value
