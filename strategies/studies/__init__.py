"""Studies: one search under several strategies and numbers of workers, as a table.

The table is that of the first programs of this kind (time, moves, time a move, sparks created,
converted, fizzled), with what they left out: the speed-up against the best sequential search, and
beside it what the machine gave two searches that share nothing, in the same minutes.
"""

from strategies.studies.calibration import Scaling, calibrate
from strategies.studies.measuring import Disagreement
from strategies.studies.presets import PRESETS, preset
from strategies.studies.store import NotResults
from strategies.studies.studying import STRATEGIES, study
from strategies.studies.table import Row, Study

__all__ = [
    "PRESETS",
    "STRATEGIES",
    "Disagreement",
    "NotResults",
    "Row",
    "Scaling",
    "Study",
    "calibrate",
    "preset",
    "study",
]
