"""Analysis of a run: what it could do on more workers, and what its sparks were good for."""

from strategies.analysis.burdens import FREE, Burden
from strategies.analysis.comparing import Comparison, against
from strategies.analysis.dags import Dag, Timed
from strategies.analysis.machine import measured_burden
from strategies.analysis.recording import recorded
from strategies.analysis.replaying import replay
from strategies.analysis.simulating import simulate
from strategies.analysis.simulation import Simulation
from strategies.analysis.spans import Bounds, Measures, measures
from strategies.analysis.tuner import tune
from strategies.analysis.tunings import Trial, Tuning
from strategies.analysis.workers import TooLong

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
    "Trial",
    "Tuning",
    "against",
    "measured_burden",
    "measures",
    "recorded",
    "replay",
    "simulate",
    "tune",
]
