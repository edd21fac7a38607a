"""Tells what went wrong, in one line on stderr."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from contextlib import suppress

import click

from graphs.errors import JamboreeError


def tell(line: str, dim: bool = False) -> None:
    """Write a line on stderr; where nobody is left to tell, nothing."""
    with suppress(OSError):  # to the stream that a bar puts there, which click would look through
        click.secho(line, file=sys.stderr, dim=dim or None)


def said(error: BaseException) -> str:
    """Say an error in one line, and where it was raised if that is asked for."""
    if os.environ.get("JAMBOREE_TRACEBACK"):
        tell("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, JamboreeError):
        return str(error)
    if isinstance(error, OSError) and error.errno in FULL:
        where = f" {error.filename}" if error.filename else ""
        return f"cannot write{where}: {error.strerror}"
    told = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{told} (JAMBOREE_TRACEBACK=1 shows where)"


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""The errors of a disk that takes no more, whether of a file or of the standard output."""


def drop_unwritten() -> None:
    """Give up what the standard output does not take, which Python would try again at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
