"""Studies: measure one search under several strategies and numbers of workers, as a table.

The table has the columns of earlier programs of this kind (time, moves, time per move, sparks
created, converted, fizzled), the speed-up over the best sequential search, and next to it the
speed-up of independent searches measured within the same minutes.

This subpackage may import `searches`, `insight` and the layers below. Start with `run_study` (the
measurements) and `study` (the table); `positions` reads sets of positions; `store` keeps
measurements, so that a study can be resumed.
"""

from __future__ import annotations

from strategies.studies.compare import Changes, compare
from strategies.studies.measure import Disagreement
from strategies.studies.positions import NotPositions, SetPosition, read_positions
from strategies.studies.rows import Row
from strategies.studies.run_study import PRESETS, STRATEGIES, preset, study
from strategies.studies.store import NotResults
from strategies.studies.study import NotAStudy, Study

__all__ = [
    "PRESETS", "STRATEGIES", "Changes", "Disagreement", "NotAStudy", "NotPositions", "NotResults",
    "Row", "SetPosition", "Study", "compare", "preset", "read_positions", "study",
]  # fmt: skip
