"""Keys of the metadata of a game's fields, which say how compiled rules read them."""

from __future__ import annotations

from typing import Final

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
