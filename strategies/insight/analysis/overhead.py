"""Burdens: what a machine adds to the work of a graph's tasks."""

from __future__ import annotations

from attrs import field, frozen

from graphs.arguments import check_flags, check_integers, check_numbers, check_positive, checked_by

SECONDS = checked_by(check_numbers, 0)


@frozen
class Burden:
    """What a scheduler and a machine add to the work that tasks record.  Times are in seconds.

    >>> Burden(task=50e-6, dispatch=80e-6).rate(2)
    1.0
    """

    task: float = field(default=0.0, validator=SECONDS)
    """What a task costs its worker beyond the time that it records."""
    dispatch: float = field(default=0.0, validator=SECONDS)
    """For how long a task keeps all others from starting: its turn under the one lock there is, the
    scheduler's or Python's.  It is part of `task` and of the time that the task records."""
    together: float = field(default=1.0, validator=checked_by(check_positive))
    """The share of its speed that a worker keeps when `cores` workers are busy."""
    cores: int = field(default=1, validator=checked_by(check_integers, 1))
    """On how many busy workers `together` was measured."""
    serial: bool = field(default=False, validator=checked_by(check_flags))
    """Whether only one worker gets on at a time, as threads do whose rules are interpreted."""
    latency: float = field(default=0.0, validator=SECONDS)
    """How long after a task's end those that wait for it can start, elsewhere or here: its result
    goes to the scheduler, and the scheduler's word to a worker.  No worker is busy meanwhile."""

    def rate(self, busy: float) -> float:
        """The speed of each of so many busy workers, of one alone: linear up to `cores`, the same
        beyond, which nobody measured."""
        if busy <= 1:
            return 1.0
        if self.serial:
            return 1 / busy
        if self.cores <= 1:
            return 1.0
        share = (min(busy, self.cores) - 1) / (self.cores - 1)
        return 1 - share * (1 - self.together)


FREE = Burden()
"""A machine that adds nothing."""
