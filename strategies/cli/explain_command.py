"""Explains a strategy in words: ``jamboree explain``."""

from __future__ import annotations

from typing import Any

import click

from strategies.algebra.drivers import Auto
from strategies.cli.console import echo
from strategies.cli.options import USING
from strategies.values.explain import explain


@click.command(name="explain")
@click.argument("strategy", type=USING)
@click.option(
    "--branches", type=click.IntRange(1, 10_000), default=6, show_default=True,
    help="The number of branches of the node.",
)  # fmt: skip
def command(strategy: Any, branches: int) -> None:
    """Explain in words the order in which STRATEGY searches branches, and which are sparks.

    STRATEGY may also be a driver, abdada or lazy_smp, or use the strategies of your own file, as in
    FILE.py:TEXT.

    \b
    Examples:
      jamboree explain 'jamboree(0.5).to_ply(2)'
      jamboree explain young_brothers_wait --branches 4
      jamboree explain 'par_list_chunk(2)(par_list)'
    """
    if isinstance(strategy, Auto):
        raise click.UsageError(
            f"{strategy} chooses a strategy for one search: see which with "
            "jamboree search GAME --using auto"
        )
    echo(explain(strategy, branches))
