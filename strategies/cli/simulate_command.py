"""Finds the best strategy for a number of workers by simulation: ``jamboree simulate``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import ALGORITHM, STRATEGY, OutputType, read_state, write
from strategies.cli.study_command import COUNTS
from strategies.native.kept_engines import engine_for
from strategies.support.bar import Bar

if TYPE_CHECKING:
    from strategies.insight.selection.tuning import Tuning

DEEP = 0.5
"""The most seconds that `seq` takes at the default depth, about."""


@click.command(name="simulate")
@options.game
@options.state
@click.option(
    "--algorithm", type=ALGORITHM,
    help=f"What to compute: {options.CHOICES}. [default: {options.KINDS}, half a second deep]",
)  # fmt: skip
@click.option(
    "--using", type=STRATEGY, multiple=True,
    help="A strategy to try; may be repeated. [default: about twenty, the best of them deeper]",
)  # fmt: skip
@click.option(
    "--workers",
    type=COUNTS,
    help="Numbers of workers, also more than this machine has cores. [default: all cores]",
)
@click.option(
    "--measure/--no-measure", default=None,
    help="Whether to also run the best strategies. [default: if the machine has enough cores]",
)  # fmt: skip
@options.engine
@options.as_json
@click.option("--csv", type=OutputType(".csv"), metavar="FILE.csv", help="Also write the rows.")
def command(
    game: Any, state: str | None, algorithm: Any, using: tuple[Any, ...],
    workers: tuple[int, ...] | None, measure: bool | None, engine: str, as_json: bool,
    csv: Path | None,
) -> None:  # fmt: skip
    """Find the best strategy for a search of GAME on any number of workers, by simulation.

    Every task of the search really runs, one at a time. The times and workers of the tasks are
    simulated, with a scheduling overhead that is first measured on this machine; so a machine with
    two cores can predict the result on 64. The speed-up is against seq, the best sequential search.

    \b
    Examples:
      jamboree simulate connect_four --workers 64
      jamboree simulate connect_four --algorithm 'alphabeta(13)' --workers 2,8,64
      jamboree simulate twenty48 --algorithm 'expectimax(6)' --using 'par_list.to_ply(1)' --json

    --json prints one object: schema (1, the version of this form) and simulations, a list with an
    object for each number of workers: search, workers, cores, burden {task, dispatch, together,
    cores, serial, latency}, best, rows. A row has the names of the CSV's first line: strategy,
    workers, tasks, planning, simulated, nodes, parallelism, measured, expected, speedup, best.
    Times are in seconds; a time is null if it was not measured, or was abandoned as longer than the
    best.
    """
    from strategies.insight.analysis.scaling import deepen
    from strategies.insight.selection.tune import tune
    from strategies.insight.selection.usual import usual_kind

    position = read_state(game, state)
    kind = usual_kind(game, position)[0] if algorithm is None else algorithm
    kind.check(game)
    used = engine_for(game, engine).warm()
    if algorithm is None:
        algorithm = deepen(used, kind, position, DEEP)
    found: list[Tuning] = []
    try:
        with Bar(ticking=False) as bar:  # nothing else may run during measurements

            def progress(row: Any) -> None:
                bar.show(f"{row.strategy!r}: {row.expected or float('inf'):.4g} s")

            for n in workers or (os.cpu_count() or 1,):
                best = tune(
                    game, algorithm, workers=n, state=position, candidates=using or None,
                    measure=measure, engine=engine, progress=progress,
                )  # fmt: skip
                found.append(best)
    except KeyboardInterrupt:
        if found:
            _give(found, csv, as_json=as_json)
        raise
    _give(found, csv, as_json=as_json)


def _give(found: list[Tuning], csv: Path | None, *, as_json: bool) -> None:
    """Print the simulations, and write their rows to a file."""
    from strategies.insight.selection.tuning import Tunings

    if not as_json:
        echo(Tunings(tuple(found)))
    else:
        data = {"simulations": [json.loads(t.to_json()) for t in found]}
        click.echo(as_json_text(data))
    if csv is not None:
        head, *rows = found[0].to_csv().splitlines()
        rows += [line for t in found[1:] for line in t.to_csv().splitlines()[1:]]
        write(csv, "\n".join([head, *rows]) + "\n")
