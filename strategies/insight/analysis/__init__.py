"""Analysis of a run: how it would scale to more workers, and what its sparks contributed.

It reads records and plans, and draws nothing. It may import `running` and the layers below, but not
its neighbours in `insight`. Start with `work_span` (work, span, parallelism), then `simulation`
and `simulate` (virtual workers); `trace` logs a search line by line.
"""

from __future__ import annotations

from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.comparison import Comparison, against
from strategies.insight.analysis.recorded import Dag, Timed, recorded
from strategies.insight.analysis.simulate import simulate
from strategies.insight.analysis.simulation import FREE, Burden, Simulation, TooLong, replay
from strategies.insight.analysis.work_span import Bounds, Measures, measures

__all__ = [
    "FREE",
    "Bounds",
    "Burden",
    "Comparison",
    "Dag",
    "Measures",
    "Simulation",
    "Timed",
    "TooLong",
    "against",
    "measured_burden",
    "measures",
    "recorded",
    "replay",
    "simulate",
]
