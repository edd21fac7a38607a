"""``jamboree study``: strategies and numbers of workers, timed against each other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from strategies.cli import options
from strategies.cli.console import warmed
from strategies.cli.values import ALGORITHM, STRATEGY, OutputType, read_state, write
from strategies.studies import STRATEGIES, Disagreement, Study, study


class Counts(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """Numbers of workers, as in 1,2,4."""

    name = "numbers"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        try:
            numbers = tuple(int(part) for part in value.split(","))
        except ValueError:
            numbers = (0,)
        if min(numbers) < 1:
            raise click.UsageError(f"--workers takes numbers from 1, as in 1,2, not {value!r}", ctx)
        return numbers


@click.command(name="study")
@options.game
@options.state
@click.option(
    "--algorithm", type=ALGORITHM,
    help=f"What to compute: {options.ALGORITHMS}. [default: alphabeta, about a second deep]",
)  # fmt: skip
@click.option(
    "--using", type=STRATEGY, multiple=True, default=[repr(s) for s in STRATEGIES],
    help=f"A strategy to measure; may be repeated. [default: {', '.join(map(repr, STRATEGIES))}]",
)  # fmt: skip
@click.option("--workers", type=Counts(), help="Numbers of workers. [default: 1 and all cores]")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=3, show_default=True,
    help="Runs of each; the median is shown.",
)  # fmt: skip
@click.option(
    "--games", "whole", type=click.IntRange(min=0), default=0,
    help="Play so many whole games instead of searching one position.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="What chance is drawn from.")
@options.engine
@options.as_json
@click.option("--csv", type=OutputType(".csv"), metavar="FILE.csv", help="Also write the rows.")
def command(
    game: Any, state: str | None, algorithm: Any, using: tuple[Any, ...],
    workers: tuple[int, ...] | None, repeat: int, whole: int, seed: int, engine: str,
    as_json: bool, csv: Path | None,
) -> None:  # fmt: skip
    """Measure strategies on GAME against seq, the best sequential search of the same algorithm.

    The table has time, moves, leaves, nodes, sparks and speed-up, and beside the speed-up how far
    independent searches got on so many threads in the same minutes: what the machine gives.
    All searches must find the same moves.  Ctrl-C prints what was measured so far.

    \b
    Examples:
      jamboree study connect_four
      jamboree study connect_four --algorithm 'alphabeta(12)' --using scout.to_ply'(2)' --repeat 5
      jamboree study twenty48 --algorithm 'expectimax(depth=5)' --games 1 --repeat 1
      jamboree study tictactoe --workers 1,2,4 --csv rows.csv --json

    \b
    --json prints one object: game, algorithm, state, engine, cores, repeat, games, seed, found,
    rows, complete (false after Ctrl-C).  A row has the names of the CSV's first line: strategy,
    workers, seconds, seconds_a_move, moves, leaves, nodes, created, converted, gcd, fizzled,
    speedup, kernels, share; and runs, the seconds of each run.
    """
    latest: list[Study] = []

    def progress(so_far: Study) -> None:
        latest[:] = [so_far]
        if sys.stderr.isatty():
            _bar(*so_far.steps)

    warmed(game, engine)
    position = read_state(game, state)
    try:
        found = study(
            game, algorithm, using, state=position, workers=workers, repeat=repeat, games=whole,
            seed=seed, engine=engine, progress=progress,
        )  # fmt: skip
    except KeyboardInterrupt:
        if latest:
            _print(latest[0], as_json, csv)
        raise
    except Disagreement as error:
        raise click.ClickException(str(error)) from None
    _print(found, as_json, csv)


def _print(found: Study, as_json: bool, csv: Path | None) -> None:
    click.echo(found.to_json() if as_json else found)
    if csv is not None:
        write(csv, found.to_csv())


def _bar(done: int, total: int) -> None:
    """A bar on the terminal, wiped when it is full."""
    full = 30 * done // total
    text = f"\r[{'#' * full}{'.' * (30 - full)}] {done} of {total} runs"
    click.echo("\r" + " " * len(text) + "\r" if done == total else text, nl=False, err=True)
