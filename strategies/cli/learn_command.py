"""Learns an estimate by playing: ``jamboree learn``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from attrs import evolve

from games import Game
from games.networks.learned import Network, dense_for, network_of, plain
from games.networks.ntuples import NTuples
from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import OutputType, PictureType, cannot_write
from strategies.cli.telling import INTERRUPTED, tell
from strategies.players.learning.result import Learned
from strategies.players.learning.self_play import learn
from strategies.players.learning.unseen import play_unseen
from strategies.players.tournaments.elo import mean_of
from strategies.support.bar import Bar, clock

SECONDS = 300.0
"""The default time of learning, in seconds."""


@click.command(name="learn")
@options.game
@click.option("--file", type=OutputType(".npz"), metavar="FILE.npz",
              help="Where to keep the learned weights; rewritten as a whole every so often. "
              "[default: the name of the game]")  # fmt: skip
@click.option("--time", type=options.ABOVE_0, metavar="SECONDS",
              help="How long to learn. [default: 300, or no limit with --games]",
              )  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), metavar="N",
              help="How many games to learn from, including those of the file.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue from the file, if it exists.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True,
              help="Games at once, on shared weights; with more than 1, the same seed may learn "
              "other weights.")  # fmt: skip
@click.option("--one-rate", is_flag=True, help="Learn all weights at the same rate, in a third of "
              "the memory; without it, each weight has its own rate.")  # fmt: skip
@click.option("--rate", type=options.ABOVE_0, metavar="NUMBER",
              help="The share of an error to correct at once. [default: 1; 0.1 with --one-rate]",
              )  # fmt: skip
@click.option("--start", type=float, default=0.0, show_default=True, metavar="NUMBER",
              help="The value of every position at first, in addition to what is secured, for the "
              "player whose move led there; a value above all possible ones makes learning try "
              "every move. With two players, only for games in which they move in turn, without "
              "chance.",
              )  # fmt: skip
@click.option("--begin", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="FILE.npz", help="Begin with the weights of another file, such as one with "
              "fewer stages.")  # fmt: skip
@click.option("--stages", type=click.IntRange(min=1), metavar="N",
              help="Learn weights for each of N stages of GAME, which needs stage(state); the last "
              "one stands for all later ones. [default: those of the proposed network]",
              )  # fmt: skip
@click.option("--epsilon", type=click.FloatRange(0, 1, max_open=True), metavar="NUMBER",
              help="The share of random moves. [default: 0.1 with two players, else 0]",
              )  # fmt: skip
@click.option("--opening", type=click.IntRange(min=0), metavar="MOVES",
              help="The most random moves at the start. [default: 4 with two players, else 0]",
              )  # fmt: skip
@options.ply_limit
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@click.option("--trace", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              metavar="NUMBER", help="λ: 0 learns from the next position, 1 from how games end.",
              )  # fmt: skip
@click.option("--depth", type=click.IntRange(min=1), default=1, show_default=True, metavar="PLIES",
              help="How far to look ahead while learning.")  # fmt: skip
@click.option("--trials", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
              help="After 1, 2, 5, 10, … games, measure the strength for the curve in this many "
              "test games; with two players, against the game's own estimate.")  # fmt: skip
@click.option("--curve", type=PictureType(), metavar="FILE.svg",
              help="Draw the learning curve from the first game on: .svg or .png.")  # fmt: skip
@click.option("--report", "page", type=OutputType(".html"), metavar="FILE.html",
              help="Write one page with the learning curve, from the first game on.")  # fmt: skip
@click.option("--test", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
              help="At the end, play this many unseen games; each move is the one with the best "
              "value after it.",
              )  # fmt: skip
@click.option("--hidden", type=click.IntRange(min=1), metavar="UNITS",
              help="Learn a dense network with this many hidden units over all cells, instead of "
              "the network that GAME proposes.")  # fmt: skip
@options.engine
@options.as_json
def command(
    game: Game[Any, Any], file: Path | None, time: float | None, games: int | None, resume: bool,
    threads: int, one_rate: bool, rate: float | None, start: float, epsilon: float | None,
    opening: int | None, ply_limit: int | None, seed: int, trace: float, depth: int,
    trials: int, curve: Path | None, page: Path | None, test: int, hidden: int | None,
    begin: Path | None, stages: int | None, engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Learn an estimate of GAME by playing it.

    GAME needs cell(state, k), the inputs of the network, and network(), which
    proposes the tuples of cells whose weights are learned; see the page on learning.
    If GAME has practice(), that game is played: 2048 goes on after the winning tile.

    \b
    Examples:
      jamboree learn twenty48
      jamboree play twenty48 --estimate twenty48.npz
      jamboree learn twenty48 --file 2048.npz --time 600 --resume
      jamboree learn 'twenty48(target=None)' --file 2048.npz --time 600 --resume --test 1000
      jamboree learn othello --games 100000 --trials 100 --curve othello.svg
      jamboree learn twenty48 --stages 3 --begin 2048.npz --file stages.npz
      jamboree learn connect_four --hidden 64 --file dense.npz

    Ctrl-C stops it. The file has everything learned so far, and --resume continues
    from there. A killed process loses what it learned since the file was last
    written, at most a minute unless the file is very large.

    --json prints one object: schema, game, games, moves, seconds, weights (their number), digest,
    curve [{games, moves, seconds, result, result_low, result_high, error, error_low, error_high,
    strength, strength_low, strength_high}], interrupted, cut (games that ply_limit ended),
    ply_limit, unseen (the games of --test), means (of these, by name: {value, low, high};
    of one game, low and high are null).
    """
    if begin is not None:
        options.refuse_unused("with --begin", "start")
    if time is None and games is None:
        time = SECONDS
    if file is None:
        file = OutputType(".npz").convert(f"{type(plain(game)).__name__.lower()}.npz", None, None)
    network = _network(plain(game), hidden, stages)
    with Bar() as bar:
        begun: list[Learned] = []

        def progress(so_far: Learned) -> None:
            begun.append(so_far) if not begun else None
            bar.show(*_done(so_far, begun[0], time, games))

        found = learn(
            game, network, games=games, time=time, rate=rate, coherent=not one_rate, start=start,
            epsilon=epsilon, opening=opening, seed=seed, trace=trace, depth=depth, threads=threads,
            file=file, resume=resume, trials=trials, engine=engine, progress=progress,
            ply_limit=ply_limit, begin=begin,
        )  # fmt: skip
    if curve is not None:
        draw(found, curve)
    if page is not None:
        with cannot_write(page):
            found.report(page)
    with clock(f"playing {test:,} unseen games"):
        tested = [] if found.interrupted else play_unseen(found, test, seed, engine)
    _tell(found, tested, test, file, as_json=as_json)
    if found.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _tell(
    found: Learned, tested: list[dict[str, float]], test: int, file: Path, *, as_json: bool
) -> None:
    """Print what was learned, and the results of the games that were not seen before."""
    means = {name: mean_of([row[name] for row in tested]) for name in (tested or [{}])[0]}
    if as_json:
        told = {"unseen": len(tested), "means": {name: m.to_dict() for name, m in means.items()}}
        click.echo(as_json_text(found.to_dict() | told, 1))
    else:
        *points, learned = found.parts()
        echo(*points, f"{learned}, in {file}")
        for name, mean in means.items():
            echo(f"{name}: {mean.text(',.0f')}, {len(tested):,} unseen")
        if len(tested) < test and tested:
            echo(
                f"{len(tested):,} of {test:,} unseen games differ: without chance, all are the same"
            )


def _network(game: Game[Any, Any], hidden: int | None, stages: int | None) -> Network | None:
    """Return the network that the options describe; None for the one that the game proposes."""
    if hidden is not None and stages is not None:
        raise click.UsageError("a dense network has no stages: leave out --hidden or --stages")
    if hidden is not None:
        return dense_for(game, hidden)
    if stages is None:
        return None
    network = network_of(game)
    if not isinstance(network, NTuples):
        raise click.UsageError("only a network of n-tuples has stages: leave out --stages")
    return evolve(network, stages=stages)


def draw(found: Learned, path: Path) -> None:
    """Draw the learning curve into a file."""
    if not found.curve:
        tell(f"{path} was not drawn: no game was finished")
        return
    with cannot_write(path):
        found.draw().write(path)


def _done(
    now: Learned, first: Learned, time: float | None, games: int | None
) -> tuple[str, float, float]:
    """Return the progress line, how much is done, and how much is planned."""
    spent = now.seconds - first.seconds
    more = ""
    if now.curve:
        point, moves = now.curve[-1], now.moves - first.moves
        more = f"; {now.moves:,} moves, {moves / max(spent, 1e-9):,.0f} a second"
        more += f"; result {point.result:,.4g}; error {point.error:,.4g}"
    what = "seconds" if games is None else "games"
    done, planned = (spent, time or 0) if games is None else (now.games, games)
    return f"{done:.0f} of {planned:.0f} {what}{more}", done, planned
