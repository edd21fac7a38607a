"""Replay: the recorded tasks of a run, put in order on any number of virtual workers."""

from __future__ import annotations

from strategies.analysis.burdens import FREE, Burden
from strategies.analysis.simulation import Simulation
from strategies.result import Result


def replay(result: Result, workers: int, burden: Burden = FREE) -> Simulation:
    """What the recorded tasks would take on so many workers, under the ordered runner.

    Right for fixed windows, where a task does the same whatever its time; for live ones see
    `simulate`.

    Raises: ValueError if the result came without its search.
    """
    raise NotImplementedError
