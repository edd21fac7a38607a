"""The error of algorithms."""

from __future__ import annotations

from graphs.errors import JamboreeError


class AlgorithmError(JamboreeError, ValueError):
    """Raised for an algorithm that cannot be used, or not for this game; the message says why."""
