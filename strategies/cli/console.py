"""Reports progress on stderr while something runs."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any

import click

from strategies.cli.telling import tell
from strategies.running.records.wording import shortened


def compiling(name: str) -> None:
    """A note on stderr: the rules of this name are being compiled, which takes a while."""
    tell(f"compiling the rules of {name}, once …", dim=True)


def interpreted(choice: str, reason: str) -> None:
    """A note on stderr why rules are interpreted that were to be compiled if possible."""
    if reason and choice == "auto":
        tell(f"rules interpreted: {reason}", dim=True)


class Line:
    """One line on stderr that changes, cut to the width of its terminal; else nothing is told."""

    def __init__(self) -> None:
        self.terminal, self.shown = sys.stderr.isatty(), 0
        context = click.get_current_context(silent=True)
        self.colour = context.color if context else None  # a thread that tells knows no context

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        if self.terminal:
            text = shortened(text, max(1, _columns() - 1))
            click.secho(
                f"\r{text:{self.shown}}", err=True, dim=True, nl=False, color=self.colour
            )  # fmt: skip
            self.shown = len(text)

    def wipe(self) -> None:
        """Leave the line empty."""
        if self.shown:
            click.echo(f"\r{'':{self.shown}}\r", err=True, nl=False)
            self.shown = 0


def _columns() -> int:
    """How wide the terminal of stderr is; stdout may go elsewhere."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


@contextmanager
def clock(what: str, every: float = 1.0) -> Iterator[None]:
    """Tell, at a terminal, how long work of which nothing else is known has been going on."""
    line = Line()
    if not line.terminal:
        yield
        return
    done, start = threading.Event(), monotonic()

    def tell() -> None:
        while not done.wait(every):
            line.show(f"{what}: {monotonic() - start:.0f} s")
        line.wipe()

    teller = threading.Thread(target=tell, name="clock", daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


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


class Counted:
    """How much of long work is done, on stderr: one line that changes at a terminal, else none."""

    def __init__(self, what: str) -> None:
        self.what, self.line = what, Line()

    def show(self, done: int, planned: int, more: str = "") -> None:
        self.line.show(f"{done} of {planned} {self.what}{more}")

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *_: object) -> None:
        if self.line.shown:
            click.echo(err=True)
