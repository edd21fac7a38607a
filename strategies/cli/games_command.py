"""Lists the games: ``jamboree games``."""

from __future__ import annotations

from inspect import Parameter

import click

from games import CATALOGUE
from strategies.cli import options
from strategies.cli.console import as_json_text, echo


@click.command(name="games")
@options.as_json
def command(as_json: bool) -> None:
    """List the games with a short description and the parameters of each.

    \b
    Write a game as its name, with parameters if it takes any:
      connect_four
      connect_four(width=5,height=4)
      riskless:islands
    Every game takes chance=maxie or chance=minnie: that player moves at random.
    Write your own game as FILE.py:NAME.

    --json prints one object: schema, games (by name: {about, parameters}, these by name, too).
    """
    if as_json:
        listed = {
            name: {"about": e.about, "parameters": {k: _text(p) for k, p in e.parameters().items()}}
            for name, e in CATALOGUE.items()
        }
        click.echo(as_json_text({"games": listed}))
        return
    width = max(map(len, CATALOGUE)) + 2
    for name, entry in CATALOGUE.items():
        echo(click.style(name.ljust(width), bold=True) + entry.about)
        known = ", ".join(_text(p) for p in entry.parameters().values())
        if known:
            echo(" " * width + click.style(f"({known})", dim=True))


def _text(parameter: Parameter) -> str:
    """Return a parameter as the user writes it, without its type."""
    return str(parameter.replace(annotation=Parameter.empty))
