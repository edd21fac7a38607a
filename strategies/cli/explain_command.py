"""Explains a strategy in words: ``jamboree explain``."""

from __future__ import annotations

from typing import Any

import click

from strategies.algebra.auto import Auto
from strategies.cli.console import echo
from strategies.cli.values import USING
from strategies.notation.explain import explain


@click.command(name="explain")
@click.argument("strategy", type=USING)
@click.option(
    "--branches", type=click.IntRange(1, 10_000), default=6, show_default=True,
    help="How many branches the node has.",
)  # fmt: skip
def command(strategy: Any, branches: int) -> None:
    """Say in words what STRATEGY, or a driver, makes happen before what.

    \b
    Examples:
      jamboree explain 'jamboree(0.5).to_ply(2)'
      jamboree explain young_brothers_wait --branches 4
      jamboree explain 'par_list_chunk(2)(par_list)'
    """
    if isinstance(strategy, Auto):
        raise click.UsageError(
            f"{strategy} is chosen for a search: jamboree search GAME --using auto names it"
        )
    echo(explain(strategy, branches))
