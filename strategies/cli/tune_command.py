"""Tunes the weights of a game by playing, and shows the gain: ``jamboree tune``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from games import Game
from strategies.algorithms.positions import start_of
from strategies.cli import options
from strategies.cli.agent_value import AGENT
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import OutputType
from strategies.cli.telling import INTERRUPTED, tell
from strategies.insight.selection.usual import usual_kind
from strategies.players.search_agent import SearchAgent
from strategies.players.weights.result import Tuned
from strategies.players.weights.tune_weights import to_tune, tune_weights
from strategies.support.bar import Bar


@click.command(name="tune")
@options.game
@click.option(
    "--agent", type=AGENT,
    help="The player that uses the weights. [default: alphabeta(depth=3), or expectimax(depth=3) "
    "where chance moves]",
)  # fmt: skip
@click.option("--weight", "names", multiple=True, metavar="NAME", help="A weight to tune; "
              "may be repeated. [default: all weights]")  # fmt: skip
@click.option("--generations", type=click.IntRange(min=1), default=20, show_default=True,
              help="Steps of the optimiser, CMA-ES.")  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(min=1), default=20, show_default=True,
    help="Openings (in a game of one player, seeds) on which the weights of a generation play.",
)  # fmt: skip
@click.option("--population", type=click.IntRange(min=2), metavar="N",
              help="Candidates in a generation. [default: 4 + 3 ln(weights)]")  # fmt: skip
@click.option("--sigma", type=options.ABOVE_0, default=0.3,
              show_default=True, help="The first spread of the weights, as a share of their "
              "values before.")  # fmt: skip
@click.option(
    "--match", type=click.IntRange(min=0), default=200, show_default=True,
    help="Unseen openings (or seeds) on which the tuned weights play against the old ones.",
)  # fmt: skip
@click.option("--plies", type=click.IntRange(min=0), default=4, show_default=True,
              help="The number of random moves in an opening.")  # fmt: skip
@options.ply_limit
@click.option("--measure", metavar="NAME", help="What to maximize in a game of one player. "
              "[default: score, else utility]")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True,
              help="Seed of the weights, openings and chance moves.")  # fmt: skip
@click.option("--workers", type=options.WORKERS, help="Games to play at once. [default: all cores]")
@click.option("--processes", is_flag=True, help="Play in processes instead of threads.")
@click.option("--record", type=OutputType(".jsonl"), metavar="FILE.jsonl",
              help="Keep each game's result as soon as it is over.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the record: its games are not played "
              "again; --generations may be larger.")  # fmt: skip
@options.as_json
def command(
    game: Game[Any, Any], agent: Any, names: tuple[str, ...], generations: int, trials: int,
    population: int | None, sigma: float, match: int, plies: int, ply_limit: int | None,
    measure: str | None, seed: int, workers: int | None, processes: bool,
    record: Path | None, resume: bool, as_json: bool,
) -> None:  # fmt: skip
    """Find weights with which an agent plays GAME better.

    In a game of two players, new weights play against the game's own, each opening
    from both seats; in a game of one player, they maximize a score. At the end, the
    tuned weights play the old ones on openings (or seeds) not used for tuning.

    \b
    Examples:
      jamboree tune riskless --generations 20 --record riskless.jsonl
      jamboree tune connect_four --weight pairs --agent 'alphabeta(depth=4)'
      jamboree tune 'twenty48_features(target=None, best=0, tiles=10)' \\
        --agent 'expectimax(depth=3)' --weight empty --weight smoothness

    Needs pip install cma. Ctrl-C stops it with the weights so far;
    with --record, --resume continues from there.

    --json prints one object: schema, game, before and after (weights by name), generations
    [{number, mean, best, sigma, weights}], matched (the number of unseen trials), match (the
    fitness of the new and of the old weights in each that differs), gain {value, low, high}
    (of one seed, low and high are null), better.
    """
    if resume and record is None:
        raise click.UsageError("--resume needs a record, as in --record tuning.jsonl")
    to_tune(game, names)
    if agent is None:
        agent = SearchAgent(usual_kind(game, start_of(game))[0].at_depth(3))
    if isinstance(agent, SearchAgent):
        agent.check(game)
    found: Tuned | None = None
    interrupted = False
    with Bar() as bar:

        def progress(so_far: Tuned, done: int, planned: int) -> None:
            nonlocal found
            found = so_far
            more = f"; best {so_far.generations[-1].best:g}" if so_far.generations else ""
            made = min(done, generations)
            bar.show(f"{made} of {generations} generations{more}", made, generations)

        bar.show(f"0 of {generations} generations", 0, generations)
        try:
            found = tune_weights(
                game, agent, names=names, generations=generations, trials_each=trials, match=match,
                population=population, sigma=sigma, plies=plies, seed=seed, measure=measure,
                workers=workers, scheduler="processes" if processes else "threads", record=record,
                resume=resume, progress=progress, ply_limit=ply_limit,
            )  # fmt: skip
        except KeyboardInterrupt:
            if found is None:
                tell(f"no generation is finished; {_how_to_go_on(record)}")
                raise
            interrupted = True
        except ImportError as error:
            raise click.UsageError(str(error)) from None
    if found is not None:
        if interrupted:
            found = evolve(found, match=())
        if as_json:
            click.echo(as_json_text(found.to_dict(), 1))
        else:
            echo(found)
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _how_to_go_on(record: Path | None) -> str:
    if record is not None:
        return f"--record {record} --resume continues"
    return "with --record FILE, --resume continues from the trials played so far"
