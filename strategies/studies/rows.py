"""One row of a study: a strategy on some workers; the spread of its times; what rows say."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, floor, log10
from typing import Final

from attrs import frozen

from strategies.algebra.wording import plural
from strategies.insight.analysis.diagnosis.facts import SHORTEST

LEAST_CEILING: Final = 1.5
"""The least speed-up of independent searches that a share is given of."""
MOST_CEILING: Final = 1.1
"""The greatest, for each worker: more is a sign that the machine changed meanwhile."""
CLEAR_SPEEDUP: Final = 1.25
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
    stated: int = 0
    """The number of positions whose solution is stated."""

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
    def solution_short(self) -> bool:
        """Return whether it, or `seq`, had the solutions too soon for a meaningful speed-up."""
        return (self.solution or 0.0) * min(1.0, self.solution_speedup or 1.0) < SHORTEST

    @property
    def solved_of(self) -> str:
        """Return how many of the stated solutions the search found."""
        return f"{self.solved} of {self.stated}"

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
        unclear = self.speedup_low <= 1 <= high or high > CLEAR_SPEEDUP * self.speedup_low
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


def in_seconds(time: float) -> str:
    """Write a time to the millisecond, or to three digits below 0.1 s.

    >>> in_seconds(12.5), in_seconds(0.116), in_seconds(0.0735), in_seconds(0.000481), in_seconds(0)
    ('12.500', '0.116', '0.0735', '0.000481', '0.000')
    """
    return f"{time:.{max(3, 2 - floor(log10(time))) if time > 0 else 3}f}"


CONFIDENCE = 0.95
"""The probability with which the interval should contain the median."""


def median_interval(runs: Sequence[float]) -> tuple[float, float]:
    """Bound the median of the distribution of `runs` by two of the runs.

    For any distribution, the median lies between the k-th smallest and the k-th largest of n runs,
    except with the probability that fewer than k of n fair coins fall on one side.

    Requires: at least one run.
    Ensures: the narrowest such interval that contains the median 95 times in 100; for fewer than
    six runs, the smallest and the largest, which for three runs contain it 3 times in 4.

    >>> median_interval([3.0, 1.0, 2.0]), median_interval([5.0])
    ((1.0, 3.0), (5.0, 5.0))
    >>> median_interval(range(1, 10))
    (2, 8)
    """
    ordered, n, k = sorted(runs), len(runs), 1
    while 2 * (k + 1) <= n and _outside(n, k + 1) <= 1 - CONFIDENCE:
        k += 1
    return ordered[k - 1], ordered[n - k]


def _outside(n: int, k: int) -> float:
    """Return the chance that the median is not between the k-th smallest and largest of n."""
    return 2 * sum(comb(n, i) for i in range(k)) / (1 << n)


def verdict(rows: Sequence[Row]) -> str:
    """Return one sentence about the greatest number of workers that was measured.

    Where a sweep varied the plies that are split, it says to which ply splitting pays.
    Ensures: it claims a difference only where the intervals of the times do not overlap, by as much
    as it prints, and none of single runs; empty if there is no row to judge.
    """
    told = [r for r in rows if r.strategy != "seq" and r.speedup is not None and not r.short]
    real = [r for r in told if r.how == "measured"] or told
    if not real:
        return ""
    depth = max(r.depth for r in real)
    workers = max(r.workers for r in real if r.depth == depth)
    judged = [r for r in real if (r.depth, r.workers) == (depth, workers)]
    best = max(judged, key=lambda r: r.speedup or 0.0)
    low, high = best.gain or (0.0, 0.0)
    figures = f"{best.strategy} on {workers}: {best.speedup:.2f} times seq"
    if len(best.runs) < 2:
        return f"single runs show no spread; the best is {figures}"
    figures += f", between {low:.2f} and {high:.2f}"
    if round(low, 2) <= 1:
        part = "" if len({r.workers for r in real}) == 1 else f"on {plural(workers, 'worker')}, "
        return f"{part}no strategy is clearly faster than seq; the best is {figures}"
    plies = {r.plies for r in judged if r.plies is not None}
    if best.plies is None or len(plies) < 2:
        return f"splitting pays: {figures}"
    ply = "ply" if best.plies == 1 else "plies"
    return f"splitting {best.plies} {ply} pays most{_beyond(best, judged)}: {figures}"


def _beyond(best: Row, judged: Sequence[Row]) -> str:
    """Return what is known of more plies than the best row splits."""
    deeper = [r for r in judged if r.plies is not None and r.plies > (best.plies or 0)]
    if not deeper:
        return ", the last that was tried"
    if min(r.low for r in deeper) > best.high:
        return "; beyond it, tasks cost more than they save"
    return "; beyond it, no gain is clear"
