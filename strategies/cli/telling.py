"""Reports errors and notes in one line on stderr, and names the exit statuses."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from contextlib import suppress
from typing import Final

import click

from graphs.errors import JamboreeError, printable


def tell(line: str, dim: bool = False) -> None:
    """Write a line on stderr; nothing if stderr is closed."""
    with suppress(OSError):  # to the stream that a progress bar installed; click would bypass it
        click.secho(printable(line), file=sys.stderr, dim=dim or None)


def said(error: BaseException) -> str:
    """Return an error in one line; with JAMBOREE_TRACEBACK=1, also print where it was raised."""
    if os.environ.get("JAMBOREE_TRACEBACK"):
        tell("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, JamboreeError):
        return str(error)
    if isinstance(error, OSError) and error.errno in FULL:
        where = f" {error.filename}" if error.filename else ""
        return f"cannot write{where}: {error.strerror}"
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"cannot open {error.filename}: {error.strerror}"
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{message} (JAMBOREE_TRACEBACK=1 shows where)"


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""The errors of a full disk, when a file or the standard output is written."""


def drop_unwritten() -> None:
    """Drop unwritten output, because Python would try again to write it at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


INTERRUPTED: Final = 130
"""The exit status after Ctrl-C: 128 plus the number of the signal, as in shells."""

CLOSED_PIPE: Final = 141
"""The exit status when the reader of the output has closed the pipe: 128 + SIGPIPE."""
