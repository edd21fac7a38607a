"""Defines the rows of a study's spark table, a row for each strategy and number of workers."""

from __future__ import annotations

from attrs import frozen

from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.studies.spread import median_interval


@frozen
class Row:
    """One strategy on so many workers.  Times are in seconds, from the call to the answer."""

    algorithm: str
    depth: int
    strategy: str
    template: str
    """The strategy before the number of workers was put in."""
    p: float | None
    """The numbers that a sweep put into the strategy; None where it has none."""
    plies: int | None
    workers: int
    how: str
    """"measured", or "simulated" on virtual workers."""
    seconds: float
    """The median of `runs`."""
    runs: tuple[float, ...]
    moves: int
    """How many moves were searched for: 1 for a position, more for whole games."""
    leaves: int
    nodes: int
    tasks: int
    created: int
    """Sparks created; `converted` searched, `fizzled` found nothing to do when they started."""
    converted: int
    fizzled: int
    gcd: int | None
    """Sparks cancelled before they started; None: this scheduler cannot cancel a task."""
    pruned: int
    work: float
    """Seconds in tasks; `span`: of the longest chains of tasks."""
    span: float
    speedup: float | None
    """How many times as fast as `seq`, the best sequential search of the same algorithm."""
    kernels: float | None
    """How many times as much got done when each worker ran a search of its own at the same time:
    what this machine gives at best; None for one worker, and for simulated ones."""

    @property
    def interval(self) -> tuple[float, float]:
        """Between which of the runs the median lies, as `median_interval` says."""
        return median_interval(self.runs) if self.runs else (self.seconds, self.seconds)

    @property
    def low(self) -> float:
        """The lower end of the interval, in seconds."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """The upper end of the interval, in seconds."""
        return self.interval[1]

    @property
    def least(self) -> float:
        """The seconds that work and span allow such a run at best; its own, if it has no sparks."""
        return max(self.work / self.workers, self.span) if self.created else self.seconds

    @property
    def short(self) -> bool:
        """Whether it, or ``seq``, took too little time for its speed-up to say anything."""
        return self.seconds * min(1.0, self.speedup or 1.0) < SHORTEST

    @property
    def seconds_a_move(self) -> float:
        """Seconds for each move that was searched for."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def share(self) -> float | None:
        """The speed-up as a share of what independent searches reached."""
        if self.speedup is None or self.kernels is None:
            return None
        return self.speedup / self.kernels
