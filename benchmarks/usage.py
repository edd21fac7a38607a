"""The help text and the arguments of a benchmark that runs as a program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn


def asked_for_help(arguments: Sequence[str]) -> bool:
    """Return whether the arguments ask for help."""
    return bool({"-h", "--help"} & set(arguments))


def own_arguments(document: str | None, numbers: int = 0, least: int = 1) -> list[str]:
    """Return the arguments of this run, of which the first `numbers` are whole numbers.

    With ``--help``, with fewer than `least` or with what is no number, the benchmark's own page is
    printed, and the run ends.
    """
    arguments = sys.argv[1:]
    wrong = [a for a in arguments[:numbers] if not a.isdecimal()]
    if asked_for_help(arguments):
        _end(document, 0)
    if wrong or len(arguments) < least:
        why = f"{wrong[0]!r} is no whole number" if wrong else "an argument is missing"
        print(why, file=sys.stderr)
        _end(document, 2)
    return arguments


def _end(document: str | None, status: int) -> NoReturn:
    print(document or "", file=sys.stderr if status else sys.stdout)
    sys.exit(status)
