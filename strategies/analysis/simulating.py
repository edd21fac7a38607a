"""Simulation: a search on virtual workers, its tasks run for real, one at a time."""

from __future__ import annotations

from strategies.analysis.burdens import FREE, Burden
from strategies.analysis.simulation import Simulation
from strategies.collection import Search


def simulate(answer: Search, workers: int, burden: Burden = FREE) -> Simulation:
    """Runs a search on so many virtual workers, under the ordered runner.

    Cost: one search on one worker, and the search of what was aborted.
    """
    raise NotImplementedError
