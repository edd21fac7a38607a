"""The error of algorithms, and attrs validators that raise it for the fields of an algorithm."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from graphs.arguments import shown
from graphs.errors import JamboreeError


class AlgorithmError(JamboreeError, ValueError):
    """Raised for an algorithm that cannot be used, or not for this game; the message says why."""


def whole(least: int, most: float = inf) -> Callable[[Any, Any, Any], None]:
    """Return a validator of a whole number from `least` to `most`."""
    reach = f" from {least:,} to {most:,}" if most < inf else f", {least} or more"

    def check(_instance: object, attribute: Any, value: object) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise AlgorithmError(
                f"{attribute.name} must be a whole number{reach}, not {shown(value)}"
            )

    return check


def flag(_instance: object, attribute: Any, value: object) -> None:
    """Check that an option is True or False."""
    if not isinstance(value, bool):
        raise AlgorithmError(f"{attribute.name} must be True or False, not {shown(value)}")
