"""Numbers of Hypothesis examples for tests that need other numbers than the default."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

PROFILE: Final = os.environ.get("HYPOTHESIS_PROFILE", "dev")
DEEP: Final = PROFILE == "deep"
FEWEST: Final = 15
"""The examples of which the profile `ci` leaves none out."""


def examples(many: int, *, times: int = 40) -> settings:
    """Return settings for `many` examples, for half of them under the profile `ci`, which draws the
    same ones in each run, or for `times` as many under the profile `deep`."""
    if PROFILE == "ci":
        return settings(max_examples=max(min(many, FEWEST), many // 2))
    return settings(max_examples=many * (times if DEEP else 1))
