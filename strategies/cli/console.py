"""What a person is told on stderr while something runs."""

from __future__ import annotations

from typing import Any

import click

from games import Game
from strategies.native import Engine, engine_for, on_compile


def warmed(game: Game[Any, Any], choice: str) -> Engine:
    """The engine, its rules compiled: a note on stderr says so where that takes a while."""

    def tell(name: str) -> None:
        click.secho(f"compiling the rules of {name}, once …", err=True, dim=True)

    with on_compile(tell):
        return engine_for(game, choice).warm()
