"""What a game says to the compiler of its rules: marks of its fields, and hints of what comes."""

from __future__ import annotations

from typing import Any, Final

WEIGHT: Final = "weight"
"""The metadata key of a field that is a weight: ``field(default=1, metadata={WEIGHT: True})``.

Compiled rules read its number from memory, so that games with other weights share their code; other
numbers of a game are constants of the code.
"""
TUNED: Final = "tuned"
"""The metadata key of a field that is a weight and a constant of compiled rules, so that each value
needs compiling: ``field(default=0, metadata={TUNED: True})``."""
WRITTEN: Final = "written"
"""The metadata key of a field with an array to which rules write, as learning does."""


def prefetch(row: Any, index: int) -> None:
    """Announce that an element of a row will soon be read, so that the processor fetches it now.

    Ensures: nothing but speed changes; an index out of range does no harm.
    """
