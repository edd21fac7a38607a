"""The error of rules that cannot be compiled; that of rules that fail is in `games.failed`."""

from __future__ import annotations

from graphs.errors import JamboreeError


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: the message says which, where, and what to write instead.

    It may also say that the compiler itself cannot be used, and why.
    """
