"""Defines the arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import inf, nan
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from graphs.arguments import MOST_THREADS, shown
from strategies.cli.values import ALGORITHM, GAME


class Above0(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A finite number above 0."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            number = float(value)
        except ValueError:
            number = nan
        if not 0 < number < inf:
            self.fail(f"{shown(value)} is not a number above 0.", param, ctx)
        return number


ABOVE_0 = Above0()
ALGORITHMS = (
    "minimax, every node; alphabeta, with cutoffs; expectimax, with means at chance nodes; pvs, "
    "iterative deepening with null windows; mtdf, null windows only; each to a depth. Or "
    "mcts(simulations=10000), Monte Carlo tree search"
)
game = click.argument("game", type=GAME)
state = click.option(
    "--state", metavar="TEXT",
    help="The position: in the game's notation, or the turns so far, or both with a semicolon "
    "between, as in '40 52; roll 3 hold'. A turn is a move or, where chance moves, the number of "
    "an outcome (from 0) or the label of the position after it. - reads it from the standard "
    "input. [default: the start]",
)  # fmt: skip
engine = click.option(
    "--engine", type=click.Choice(["auto", "native", "interpreted"]), default="auto",
    show_default=True,
    help="How to run the rules: as machine code, interpreted, or (auto) as machine code if they "
    "can be compiled.",
)  # fmt: skip
KINDS = "maxn for three players or more, expectimax where chance moves, else alphabeta"
reference = click.option(
    "--reference", type=GAME, metavar="GAME",
    help="A second game with the same texts of moves, whose counts by the first move say which "
    "move differs where a published count does.",
)  # fmt: skip
algorithm = click.option(
    "--algorithm", type=ALGORITHM,
    help=f"What to compute: {ALGORITHMS}. [default: {KINDS} (pvs for one player), as many plies as "
    "take about a second, at most 6 (for one player 12), or all plies of a small game; mcts for "
    "two seconds if two plies are too many, or the game has no estimate]",
)  # fmt: skip
ply_limit = click.option(
    "--ply-limit", type=click.IntRange(min=1), metavar="N",
    help="End a game after N plies, as a draw between players. [default: the game's own, usually "
    "10,000]",
)  # fmt: skip
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

WORKERS = click.IntRange(1, MOST_THREADS)
workers = click.option("--workers", type=WORKERS, help="Tasks to run at once. [default: all cores]")


def refuse_unused(because: str, *names: str) -> None:
    """Raise UsageError if one of these options was given, which have no effect `because` of others.

    `names` are the names of the parameters of the running command.
    """
    ctx = click.get_current_context()
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in names:
            raise click.UsageError(f"{option.opts[0]} has no effect {because}: leave it out")


def estimate(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option ``--estimate``, which judges positions by learned weights."""

    @click.option(
        "--estimate", "learned", metavar="FILE.npz",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Judge positions by the weights that `jamboree learn` wrote to this file.",
    )  # fmt: skip
    @wraps(command)
    def judged(game: Any, learned: Path | None, **rest: Any) -> None:
        if learned is not None:
            from strategies.players.learned_file import with_estimate

            game = with_estimate(game, learned)
        command(game=game, **rest)

    return judged


def endgame(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option ``--endgame``, an endgame table that searches read."""

    @click.option(
        "--endgame", "read", metavar="FILE.npz",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Read the values of positions from the table that `jamboree solve --endgame` wrote "
        "to this file.",
    )  # fmt: skip
    @wraps(command)
    def knowing(game: Any, read: Path | None, **rest: Any) -> None:
        table = None
        if read is not None:
            from strategies.searches.endgame import EndgameTable

            table = EndgameTable.load(read, game)
        command(game=game, endgame=table, **rest)

    return knowing
