"""Plays a round robin and rates the players: ``jamboree tournament``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from games import Game
from strategies.cli import options
from strategies.cli.agent_value import PLAYER_ERRORS
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import OutputType, Read, write
from strategies.cli.telling import INTERRUPTED
from strategies.players.search_agent import SearchAgent
from strategies.players.tournaments.entrants import Entrant
from strategies.players.tournaments.round_robin import tournament
from strategies.players.tournaments.standings import Tournament
from strategies.support.bar import Bar

PLAYER = Read("player", Entrant.parse, dict.fromkeys(PLAYER_ERRORS, "player {}"))
"""A player of a tournament: ``[NAME:] AGENT [with SETTING=NUMBER …]``."""


@click.command(name="tournament")
@options.game
@click.argument("players", type=PLAYER, nargs=-1, required=True, metavar="PLAYER PLAYER ...")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=10, show_default=True,
    help="Openings; each pair of players plays each of them twice, once from each seat.",
)  # fmt: skip
@click.option(
    "--plies", type=click.IntRange(min=0), default=4, show_default=True,
    help="The number of random moves in an opening.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the openings and "
              "chance moves.")  # fmt: skip
@click.option(
    "--time", type=options.ABOVE_0, metavar="SECONDS",
    help="How long searches may deepen at each move, up to their depth; compiling is not counted.",
)  # fmt: skip
@options.ply_limit
@click.option("--workers", type=options.WORKERS, help="Games to play at once. [default: all cores]")
@click.option("--processes", is_flag=True, help="Play in processes instead of threads.")
@click.option(
    "--record", type=OutputType(".jsonl"), metavar="FILE.jsonl",
    help="Keep each game, with its moves, as soon as it is over.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the record: its games are not played "
              "again; --rounds may be larger or smaller.")  # fmt: skip
@click.option(
    "--csv", "as_csv", type=OutputType(".csv"), metavar="FILE.csv",
    help="Write all games, with their moves, as a table.",
)  # fmt: skip
@click.option(
    "--report", "page", type=OutputType(".html"), metavar="FILE.html",
    help="Write one page with the ratings, their intervals and the scores.",
)  # fmt: skip
@options.as_json
def command(
    game: Game[Any, Any], players: tuple[Entrant, ...], rounds: int, plies: int, seed: int,
    time: float | None, ply_limit: int | None, workers: int | None, processes: bool,
    record: Path | None, resume: bool, as_csv: Path | None, page: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Play a round robin of GAME: Elo ratings, with 95 % confidence intervals.

    \b
    A PLAYER is random, random(seed=3) or a search; it may have a name, without
    brackets, quotes or =, and judge positions by other weights:
      'alphabeta(depth=6)'
      'mcts(simulations=1000)'
      'alphabeta(depth=8) using jamboree(0.5).to_ply(2)'
      'wide: alphabeta(depth=3) with armies=4 territories=3'
      'learned: alphabeta(depth=3) with estimate=othello.npz'

    \b
    Examples:
      jamboree tournament connect_four 'alphabeta(depth=4)' 'mcts(1000)' random
      jamboree tournament othello 'pvs(60)' 'mcts(1000000000)' --time 0.1
      jamboree tournament connect_four 'alphabeta(depth=4)' \\
        'pairs: alphabeta(depth=4) with pairs=1' --rounds 50 --record games.jsonl
      the same with --rounds 200 --resume plays the further rounds

    The seed determines the games, with any number of workers, unless --time makes
    them depend on the machine. Ctrl-C stops the tournament with a table of the
    finished games, which --record keeps.

    --json prints one object: schema, games, planned, played, different (games that are not
    repeats), standings [{player, elo, score, games, won, drawn, lost}], against (for each pair:
    {player, against, score, elo, stronger}, the last one the probability that player is the
    stronger), finished [{round, opening, score, game, position, agents, seed, turns, status,
    ended}]. Each elo and score, but that of a game, is {value, low, high}, with the ends of its 95%
    interval.
    """
    if resume and record is None:
        raise click.UsageError("--resume needs a record, as in --record games.jsonl")
    if time is not None:
        players = tuple(
            evolve(p, agent=evolve(p.agent, time=time)) if isinstance(p.agent, SearchAgent) else p
            for p in players
        )
    found: Tournament | None = None
    with Bar() as bar:

        def progress(so_far: Tournament) -> None:
            nonlocal found
            found = so_far
            done, planned = so_far.steps
            bar.show(f"{done} of {planned} games", done, planned)

        interrupted = False
        try:
            found = tournament(
                game, players, rounds=rounds, plies=plies, seed=seed, workers=workers,
                scheduler="processes" if processes else "threads", record=record, resume=resume,
                progress=progress, ply_limit=ply_limit,
            )  # fmt: skip
        except KeyboardInterrupt:
            if found is None:
                raise
            interrupted = True
    if as_json:
        click.echo(as_json_text(found.to_json(), 1))
    else:
        echo(found)
    if as_csv is not None:
        write(as_csv, found.to_csv())
    if page is not None:
        from strategies.players.tournaments.report import standings_page

        write(page, standings_page(found))
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
