"""Solves a position, for its exact value: ``jamboree solve``."""

from __future__ import annotations

import sys
from typing import Any

import click
from attrs import asdict

from games import Game
from games.game import LONGEST
from strategies.cli import options
from strategies.cli.console import as_json_text, interpreted
from strategies.cli.exit_codes import INTERRUPTED
from strategies.cli.fitting import echo
from strategies.cli.values import read_state
from strategies.native.engine import engine_for
from strategies.running.records.run import line_texts
from strategies.searches.solving import Solution, solve


@click.command(name="solve")
@options.game
@options.state
@click.option(
    "--memory", default="64MB", show_default=True, metavar="SIZE",
    help="What the solver may remember: a number of bytes, or as in 64MB, 2GB.",
)  # fmt: skip
@click.option(
    "--time", type=options.ABOVE_0, metavar="SECONDS",
    help="Say what is known after so many seconds, compiling not counted. [default: solve it]",
)  # fmt: skip
@options.engine
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, game: Game[Any, Any], state: str | None, memory: str, time: float | None,
    engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Solve a position of GAME: who wins, in how many plies, and by which move.

    For games without chance, whose plays end. Ctrl-C ends it and says what is known so far.

    \b
    Examples:
      jamboree solve 'connect_four(width=5,height=5)'
      jamboree solve connect_four --state 44444222 --memory 1GB
      jamboree solve tictactoe --json

    \b
    --json prints one object: game, position, exact, value, result, plies, move, line, low, high,
    nodes, seconds, table {probes, hits, stores, overwritten}. What is not known is null; a value of
    10^15 or more is a win for Maxie.
    """
    position = read_state(game, state)
    position = game.start() if position is None else position
    watch = _Watch()
    tell = watch.tell if sys.stderr.isatty() else None
    found = solve(
        game, position, memory=memory, time=time, line=LONGEST, engine=engine, progress=tell
    )
    watch.end()
    interpreted(engine, engine_for(game, engine).reason)
    move = None if found.move is None else game.move_text(position, found.move)
    line = line_texts(game, position, found.line)
    if as_json:
        data = {
            "game": repr(game),
            "position": game.label(position),
            "exact": found.exact,
            "value": found.value if found.exact else None,
            "result": str(found) if found.exact else None,
            "plies": found.plies if found.exact else None,
            "move": move,
            "line": line,
            "low": _finite(found.low),
            "high": _finite(found.high),
            "nodes": found.nodes,
            "seconds": found.seconds,
            "table": asdict(found.table),
        }
        click.echo(as_json_text(data))
    else:
        rows = [
            ("result", str(found)),
            ("move", move or ("none: the game is over" if found.exact else "not known")),
            ("line", " ".join(line) or "none"),
            ("nodes", f"{found.nodes:,}"),
            ("seconds", f"{found.seconds:.3f}"),
        ]
        echo("\n".join(f"{name:<9} {value}" for name, value in rows))
    if not found.exact and time is None:
        ctx.exit(INTERRUPTED)


def _finite(value: float) -> float | None:
    return None if abs(value) == float("inf") else value


class _Watch:
    """One line on a terminal that says what is known so far."""

    def __init__(self) -> None:
        self.shown = False

    def tell(self, known: Solution) -> None:
        """Show what is known in place of what was."""
        text = f"{known.seconds:.0f} s, {known.table.probes:,} positions looked up: {known}"
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)
        self.shown = True

    def end(self) -> None:
        """Remove the line."""
        if self.shown:
            click.echo("\r\x1b[K", nl=False, err=True)
