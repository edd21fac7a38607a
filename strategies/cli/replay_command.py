"""Writes the page that replays a search step by step: ``jamboree replay``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from games import Game
from strategies.algebra.drivers import Auto, Driver
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.cli import options
from strategies.cli.options import USING, OutputType, read_state, write
from strategies.insight.selection.usual import usual, usual_kind
from strategies.searches.search import search
from strategies.support.bar import clock

SHOWN = 4
"""The most plies that are replayed if neither an algorithm nor a depth is given."""


@click.command(name="replay")
@options.game
@options.state
@click.option(
    "--algorithm", type=options.ALGORITHM,
    help=f"What to compute: {options.CHOICES}. [default: {options.KINDS}, at most {SHOWN} plies "
    "deep]",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N",
    help="Search N plies, whatever the algorithm says.",
)  # fmt: skip
@click.option(
    "--using", type=USING, default="seq", show_default=True,
    help="The strategy, such as 'jamboree(0.5).to_ply(2)'.",
)  # fmt: skip
@click.option(
    "--other", type=USING, metavar="STRATEGY",
    help="Replay the same search under another strategy beside it, under one clock.",
)  # fmt: skip
@click.option(
    "--workers", type=options.WORKERS, default=2, show_default=True, help="Tasks to run at once."
)
@click.option(
    "--timed", is_flag=True,
    help="Run the search on this machine, and replay it by its recorded times. Otherwise each "
    "position takes one unit of time, and the page is the same on every machine.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=OutputType(".html"), default="replay.html", show_default=True,
    metavar="FILE.html", help="The page to write.",
)  # fmt: skip
@options.estimate
def command(
    game: Game[Any, Any], state: str | None, algorithm: Any, depth: int | None, using: Any,
    other: Any, workers: int, timed: bool, output: Path,
) -> None:  # fmt: skip
    """Write one page that replays a search of GAME step by step, for any browser, offline.

    It shows the tree, the window at each node, why branches are cut, the lines of the trace, and
    what every spark does on which worker.

    \b
    Examples:
      jamboree replay handout_big
      jamboree replay handout_small --using seq --other 'jamboree(0.5)' -o pair.html
      jamboree replay stopped_short --using 'par_list.live()'
      jamboree replay tictactoe --depth 3 --using 'jamboree(0.5).to_ply(2)' --timed
      jamboree replay pig --algorithm "expectimax(4, pruning='star1')"
    """
    position = read_state(game, state)
    algorithm = _algorithm(game, position, algorithm)
    if depth is not None:
        algorithm = algorithm.at_depth(depth)
    for strategy in (using, other):
        if isinstance(strategy, (Auto, Driver)):
            raise click.UsageError(
                f"{strategy} is no fixed strategy: replay one, such as 'jamboree(0.5).to_ply(2)'"
            )
    from strategies.insight.report.replay.page import TooManyToReplay, replay_page

    answer = search(game, algorithm, state=position, using=using)
    with clock("searching step by step"):
        first: Any = answer.compute(num_workers=workers) if timed else answer
        try:
            page = replay_page(first, other, workers=workers)
        except TooManyToReplay:
            raise TooManyToReplay("--using 'par_list.to_ply(2)' --timed") from None
    write(output, page)
    click.echo(f"The replay is in {output}.")


def _algorithm(game: Game[Any, Any], position: Any, given: Any) -> Algorithm:
    """Return the given algorithm, or a usual one to few plies.

    Raises: UsageError for Monte Carlo search.
    """
    if isinstance(given, MonteCarlo):
        raise click.UsageError(
            "mcts grows its tree by chance, without windows: replay a search by an algorithm such "
            "as 'alphabeta(depth=4)'"
        )
    if isinstance(given, Algorithm):
        return given
    kind, _ = usual_kind(game, position)
    found = usual(game, position).algorithm
    depth = found.depth if isinstance(found, Algorithm) else SHOWN
    return kind.at_depth(min(depth, SHOWN))
