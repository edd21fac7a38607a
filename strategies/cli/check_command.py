"""Checks a game of your own against the laws of games: ``jamboree check``."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import click

from graphs.limits import COUNT_TRIED
from strategies.cli import options, telling
from strategies.cli.console import as_json_text, echo, interpreted
from strategies.cli.options import cannot_read


@click.command(name="check")
@options.game
@click.option(
    "--profile", type=click.Choice(["dev", "ci", "deep"]), default="dev", show_default=True,
    help="Plays for each law: dev 60, ci 200 (the same on every run), deep 5000.",
)  # fmt: skip
@click.option(
    "--seed", type=int, help="Repeat the plays of an earlier report. [default: a random seed]"
)
@click.option(
    "--max-plies", type=click.IntRange(min=1), metavar="N", help="The longest play, in plies."
)
@click.option(
    "--limit", type=options.ABOVE_0, default=10.0, show_default=True, metavar="SECONDS",
    help="The most time that one call of a rule may take; a slower rule breaks the law.",
)  # fmt: skip
@click.option(
    "--counts", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.csv",
    help="Also compare the numbers of positions with published ones: a file with the columns "
    "position (empty for the start), depth and count, and move for counts by the first move.",
)  # fmt: skip
@options.reference
@click.option("--ended", is_flag=True, help="These counts have games that ended before, too.")
@click.option(
    "--counts-time", type=options.ABOVE_0, default=10.0, show_default=True, metavar="SECONDS",
    help="The time for all counts; those that it does not suffice for are told.",
)  # fmt: skip
@options.estimate
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, game: Any, profile: str, seed: int | None, max_plies: int | None,
    limit: float, counts: Path | None, reference: Any, ended: bool, counts_time: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Test the rules of GAME, a name or FILE.py:NAME, against every law of games.

    Prints a line for each law as soon as its result is known, with the number of positions tested
    and the seconds taken; for a broken law, the shortest moves that break it.  One of the laws is
    that machine code and Python agree on the rules.  The exit status is 1 if a law is broken.

    \b
    Examples:
      jamboree check mygame.py:MyGame
      jamboree check 'mygame.py:MyGame(width=5)' --profile deep
      jamboree check tictactoe --json
      jamboree check othello --estimate othello.npz
      jamboree check mygame.py:MyGame --counts counts.csv

    --json prints one object: schema (1, the version of this form), ok, game, profile, seed,
    max_plies, verdicts (a list of objects: law, sentence, result, reason, positions, moves, replay,
    position, expected, got, seconds).
    """
    try:
        from games.laws import check_laws
    except ImportError as error:
        raise click.UsageError(" ".join(str(error).split())) from None
    from strategies.native.verification.engine_laws import LAWS, engines_agree

    def tell(verdict: Any) -> None:
        if not as_json:
            head, *rows = str(verdict).splitlines()
            echo("\n".join([click.style(head, fg=COLOURS.get(verdict.result)), *rows]))

    def stuck(verdict: Any) -> None:  # in another thread: the call itself cannot be stopped
        click.echo(str(verdict), err=as_json)
        os._exit(1)

    more: dict[str, Any] = {} if max_plies is None else {"max_plies": max_plies}
    more["counts"] = _counts(counts, reference, ended, counts_time)
    if seed is None:
        seed = 0 if profile == "ci" else secrets.randbelow(2**32)
    if not as_json:
        most = f", at most {max_plies} plies" if max_plies else ""
        echo(f"{game!r} (profile {profile}, seed {seed}{most})")
    try:
        report = check_laws(
            game, extra=LAWS, profile=profile, seed=seed, limit=limit, tell=tell, stuck=stuck,
            **more,
        )  # fmt: skip
    except KeyboardInterrupt as stop:
        for line in getattr(stop, "__notes__", ()):
            telling.tell(f"stopped at: {line}")
        raise
    if as_json:
        click.echo(as_json_text(report.to_json()))
    else:
        echo(report.summary)
        (agree,) = (v for v in report.verdicts if v.law == engines_agree.name)
        interpreted("auto", agree.reason if agree.result == "not applicable" else "")
    ctx.exit(0 if report.ok else 1)


def _counts(file: Path | None, reference: Any, ended: bool, seconds: float) -> Any:
    """Return the published counts of a file, with all that their law is told."""
    from games.laws import PublishedCounts

    if file is None:
        options.refuse_unused("without --counts FILE.csv", "reference", "ended", "counts_time")
        return None
    with cannot_read(file):
        return PublishedCounts(file, reference, ended, seconds, most=COUNT_TRIED)


COLOURS = {"pass": "green", "broken": "red", "not met": "yellow"}
