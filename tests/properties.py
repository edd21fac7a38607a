"""Numbers of Hypothesis examples for tests that need other numbers than the default, 50."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

DEEP: Final = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def examples(many: int, *, times: int = 40) -> settings:
    """Return settings for `many` examples, or `times` as many under the profile `deep`."""
    return settings(max_examples=many * (times if DEEP else 1))
