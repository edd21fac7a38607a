"""The error of an algorithm that cannot be used, or not for its game."""

from __future__ import annotations

from graphs.errors import JamboreeError


class AlgorithmError(JamboreeError, ValueError):
    """An algorithm that cannot be used, or not for this game: the message says why."""
