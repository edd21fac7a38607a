"""The rows of a study's spark table, one for each strategy and number of workers."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.studies.spread import median_interval

LEAST_CEILING: Final = 1.5
"""The least speed-up of independent searches that a share is given of."""
MOST_CEILING: Final = 1.1
"""The greatest, for each worker: more is a sign that the machine changed meanwhile."""
WIDEST: Final = 1.25
"""How many times as great the upper end of a clear speed-up may be as its lower end."""


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
    speedup_low: float | None = None
    """The least speed-up that the intervals of both times allow."""
    speedup_high: float | None = None
    """The greatest speed-up that they allow."""
    cpu: float = 0.0
    """The processor seconds in tasks: well below `work` if other programs were running."""
    mean: float | None = None
    """The geometric mean of the speed-ups at the positions of a set at which `seq` took 20 ms or
    more; None if there are none."""
    clear: int = 0
    """The number of these positions."""
    solved: int = 0
    """The number of positions with a stated solution at which the search ended with it."""
    solution: float | None = None
    """The seconds until the search had the solution and kept it, summed over these positions."""
    solution_speedup: float | None = None
    """The speed-up of that time against `seq`."""
    solution_mean: float | None = None
    """The geometric mean of the speed-ups in it, where `seq` took 20 ms or more."""
    solution_clear: int = 0
    """The number of these positions."""

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
        """Return the speed-up as a share of that of independent searches.

        None if that says nothing: if the search was short, or independent searches gained less than
        half of one more worker, or more than there are workers, or the speed-up may be 1, or lies
        between figures too far from each other.
        """
        if self.short or self.speedup is None or self.kernels is None or self.speedup_low is None:
            return None
        ceiling = LEAST_CEILING <= self.kernels <= self.workers * MOST_CEILING
        high = self.speedup_high or self.speedup_low
        unclear = self.speedup_low <= 1 <= high or high > WIDEST * self.speedup_low
        return self.speedup / self.kernels if ceiling and not unclear else None

    @property
    def gain(self) -> tuple[float, float] | None:
        """Return the least and the greatest speed-up that the intervals of both times allow."""
        if self.speedup_low is None or self.speedup_high is None:
            return None
        return self.speedup_low, self.speedup_high

    @property
    def on_processor(self) -> float:
        """Return the part of the time in tasks in which these had a processor."""
        return min(1.0, self.cpu / self.work) if self.work and self.cpu else 1.0
