"""``jamboree check``: the laws of games, put to the test on your own."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import click

from strategies.cli import options
from strategies.cli.console import warmed


@click.command(name="check")
@options.game
@click.option(
    "--profile", type=click.Choice(["dev", "ci", "deep"]), default="dev", show_default=True,
    help="How hard to try: 60, 200 (the same on every run) or 5000 plays for each law.",
)  # fmt: skip
@click.option("--seed", type=int, help="Repeat the plays of a report. [default: new ones]")
@click.option(
    "--max-plies", type=click.IntRange(min=1), metavar="N", help="Plies of a play at most."
)
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, game: Any, profile: str, seed: int | None, max_plies: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Put every law of games to the test on GAME: a name, or FILE.py:NAME for your own.

    A broken law is shown by the shortest moves that break it.  The exit status is 1 if one is
    broken.  That machine code and Python agree on the rules is a law too.

    \b
    Examples:
      jamboree check mygame.py:MyGame
      jamboree check 'mygame.py:MyGame(width=5)' --profile deep
      jamboree check tictactoe --json

    \b
    --json prints one object: ok, game, profile, seed, max_plies, verdicts (a list of objects: law,
    sentence, result, reason, positions, moves, replay, position, expected, got).
    """
    try:
        from games.laws import check_laws
    except ImportError as error:
        raise click.UsageError(" ".join(str(error).split())) from None
    from strategies.native.verification.engine_laws import LAWS

    with suppress(Exception):  # rules that raise: the laws say which
        warmed(game, "auto")
    limit: dict[str, Any] = {} if max_plies is None else {"max_plies": max_plies}
    report = check_laws(game, extra=LAWS, profile=profile, seed=seed, **limit)
    if as_json:
        click.echo(report.to_json())
    else:
        colours = {"pass": "green", "broken": "red", "not met": "yellow"}
        for line in str(report).splitlines():
            colour = next((c for word, c in colours.items() if line.startswith(word)), None)
            click.secho(line, fg=colour)
    ctx.exit(0 if report.ok else 1)
