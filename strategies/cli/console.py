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
    """Print texts and tables, fitted to the terminal; unchanged to a pipe or a file."""
    if not sys.stdout.isatty():
        click.echo("\n".join(map(str, parts)))
        return
    screen = console(sys.stdout)
    screen.size = get_terminal_size()  # rich assumes 80 columns for a dumb terminal
    with screen.capture() as shown:  # click writes UTF-8 even where Python assumes ASCII
        for part in drawn(parts, screen.width):
            screen.print(part)
    click.echo(shown.get(), nl=False)


def compiling(name: str) -> None:
    """Note on stderr that these rules are being compiled, which takes a while."""
    tell(f"compiling the rules of {name}, once …", dim=True)


def interpreted(choice: str, reason: str) -> None:
    """Note on stderr why rules are interpreted although `choice` is to compile if possible."""
    if reason and choice == "auto":
        tell(f"rules interpreted: {reason}", dim=True)


class StderrHandler(logging.Handler):
    """A logging handler that writes a line on stderr for each record."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(f"{record.name}: {record.getMessage()}", dim=True)


@contextmanager
def logs_shown() -> Iterator[None]:
    """Show on stderr what is logged in the block."""
    logger, handler = logging.getLogger("jamboree"), StderrHandler()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


SCHEMA = 1
"""The version of the --json output. It rises when a name is removed or changes its meaning."""


def as_json_text(data: Mapping[str, Any] | str, indent: int | None = 2) -> str:
    """Return the --json text of an object, or of its JSON text, with the schema version.

    >>> as_json_text({"move": "4"}, indent=None)
    '{"schema": 1, "move": "4"}'
    """
    found = json.loads(data) if isinstance(data, str) else data
    return json.dumps({"schema": SCHEMA, **found}, indent=indent, ensure_ascii=False)
