"""How many examples a property is tried on where Hypothesis's own number, 100, does not fit."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

DEEP: Final = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def examples(many: int, *, times: int = 20) -> settings:
    """So many examples; under the profile `deep`, which has 2,000 for 100, `times` as many."""
    return settings(max_examples=many * (times if DEEP else 1))
