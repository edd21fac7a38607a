"""This machine's burden, measured."""

from __future__ import annotations

from strategies.analysis.burdens import Burden


def measured_burden(scheduler: str | None = None, workers: int | None = None) -> Burden:
    """What this machine adds to a task, measured on graphs whose tasks do next to nothing.

    Cost: less than a second, once in a process for each scheduler and number of workers.
    """
    raise NotImplementedError
