"""A small study, which tests of its pictures and tables share."""

from __future__ import annotations

from functools import cache

from games import HANDOUT_SMALL
from strategies import alphabeta, jamboree, study
from strategies.studies import Study


@cache
def studied() -> Study:
    """Return the study of one strategy and `seq`, on one worker and two."""
    return study(
        HANDOUT_SMALL,
        alphabeta(2),
        [jamboree(0.5).everywhere],
        workers=[1, 2],
        repeat=3,
        engine="interpreted",
    )
