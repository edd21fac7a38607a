"""The rows of a study's spark table, one for each strategy and number of workers."""

from __future__ import annotations

from attrs import frozen

from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.studies.spread import median_interval


@frozen
class Row:
    """One strategy on a number of workers.  Times are in seconds, from the call to the answer."""

    algorithm: str
    depth: int
    strategy: str
    template: str
    """The text of the strategy before the number of workers was filled in."""
    p: float | None
    """The number that a sweep filled into the strategy, as `plies`; None without a sweep."""
    plies: int | None
    workers: int
    how: str
    """"measured", or "simulated" on virtual workers."""
    seconds: float
    """The median of `runs`."""
    runs: tuple[float, ...]
    moves: int
    """The number of moves that were searched: 1 for a position, more for whole games."""
    leaves: int
    nodes: int
    tasks: int
    created: int
    """The sparks created; `converted` searched, `fizzled` had nothing to search at their start."""
    converted: int
    fizzled: int
    gcd: int | None
    """The sparks cancelled before they started; None if the scheduler cannot cancel tasks."""
    pruned: int
    work: float
    """The seconds in tasks; `span`: those of the longest chains of tasks."""
    span: float
    speedup: float | None
    """The speed-up against `seq`, the best sequential search of the same algorithm."""
    kernels: float | None
    """The speed-up of independent searches, one per worker, in the same minutes: the best that this
    machine allows; None for one worker, and for simulated ones."""

    @property
    def interval(self) -> tuple[float, float]:
        """Return the two runs between which the median lies; see `median_interval`."""
        return median_interval(self.runs) if self.runs else (self.seconds, self.seconds)

    @property
    def low(self) -> float:
        """Return the lower end of the interval, in seconds."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Return the upper end of the interval, in seconds."""
        return self.interval[1]

    @property
    def least(self) -> float:
        """Return the least seconds that work and span allow; its own time if it has no sparks."""
        return max(self.work / self.workers, self.span) if self.created else self.seconds

    @property
    def short(self) -> bool:
        """Return whether it, or `seq`, was too short for a meaningful speed-up."""
        return self.seconds * min(1.0, self.speedup or 1.0) < SHORTEST

    @property
    def seconds_a_move(self) -> float:
        """Return the seconds per move that was searched."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def share(self) -> float | None:
        """Return the speed-up as a share of that of independent searches."""
        if self.speedup is None or self.kernels is None:
            return None
        return self.speedup / self.kernels
