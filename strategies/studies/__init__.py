"""Measures one search under several strategies and numbers of workers: a study, as a table.

The table is that of the first programs of this kind (time, moves, time a move, sparks created,
converted, fizzled), with what they left out: the speed-up against the best sequential search, and
beside it what the machine gave two searches that share nothing, in the same minutes.

This room uses `searches`, `insight` and the rooms below. Begin with `run_study` (what is measured)
and `study` (the spark table); `store` keeps measurements, so that a study resumes.
"""

from __future__ import annotations

from strategies.studies.compare import Changes, compare
from strategies.studies.measure import Disagreement
from strategies.studies.presets import PRESETS, preset
from strategies.studies.rows import Row
from strategies.studies.run_study import STRATEGIES, study
from strategies.studies.store import NotResults
from strategies.studies.study import NotAStudy, Study

__all__ = [
    "PRESETS", "STRATEGIES", "Changes", "Disagreement", "NotAStudy", "NotResults", "Row", "Study",
    "compare", "preset", "study",
]  # fmt: skip
