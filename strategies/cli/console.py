"""Prints results on stdout, and notes on stderr."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import Any

import click

from strategies.cli.telling import tell
from strategies.support.printing import console, drawn


def echo(*parts: object) -> None:
    """Print texts and tables, fitted to the terminal; as they are in a pipe or a file."""
    if not sys.stdout.isatty():
        click.echo("\n".join(map(str, parts)))
        return
    screen = console(sys.stdout)
    screen.size = get_terminal_size()  # rich takes a dumb one for 80 columns
    with screen.capture() as shown:  # click writes UTF-8 where Python took the terminal for ASCII
        for part in drawn(parts, screen.width):
            screen.print(part)
    click.echo(shown.get(), nl=False)


def compiling(name: str) -> None:
    """A note on stderr: the rules of this name are being compiled, which takes a while."""
    tell(f"compiling the rules of {name}, once …", dim=True)


def interpreted(choice: str, reason: str) -> None:
    """A note on stderr why rules are interpreted that were to be compiled if possible."""
    if reason and choice == "auto":
        tell(f"rules interpreted: {reason}", dim=True)


class Told(logging.Handler):
    """What is logged, on stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(f"{record.name}: {record.getMessage()}", dim=True)


@contextmanager
def logs_told() -> Iterator[None]:
    """Tell a person in the block what is logged."""
    logger, handler = logging.getLogger("jamboree"), Told()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


SCHEMA = 1
"""The version of what --json prints: it grows when a name goes or means something else."""


def as_json_text(data: Mapping[str, Any] | str, indent: int | None = 2) -> str:
    """What --json prints of one object, or of the text of one, with the version of its form.

    >>> as_json_text({"move": "4"}, indent=None)
    '{"schema": 1, "move": "4"}'
    """
    found = json.loads(data) if isinstance(data, str) else data
    return json.dumps({"schema": SCHEMA, **found}, indent=indent, ensure_ascii=False)
