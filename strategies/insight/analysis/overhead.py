"""The overhead model: what a machine adds to the work of a graph's tasks."""

from __future__ import annotations

from attrs import field, frozen

from graphs.arguments import check_flags, check_integers, check_numbers, check_positive, checked_by

SECONDS = checked_by(check_numbers, 0)


@frozen
class Burden:
    """The overhead that a scheduler and a machine add to recorded tasks.  Times are in seconds.

    >>> Burden(task=50e-6, dispatch=80e-6).rate(2)
    1.0
    """

    task: float = field(default=0.0, validator=SECONDS)
    """The cost of a task for its worker beyond the time that the task records."""
    dispatch: float = field(default=0.0, validator=SECONDS)
    """How long a task keeps all others from starting: its turn under the only lock, that of the
    scheduler or of Python.  It is part of `task` and of the time that the task records."""
    together: float = field(default=1.0, validator=checked_by(check_positive))
    """The share of its speed that a worker keeps when `cores` workers are busy."""
    cores: int = field(default=1, validator=checked_by(check_integers, 1))
    """The number of busy workers with which `together` was measured."""
    serial: bool = field(default=False, validator=checked_by(check_flags))
    """Whether only one worker makes progress at a time, as with threads and interpreted rules."""
    latency: float = field(default=0.0, validator=SECONDS)
    """The delay from the end of a task until the tasks that wait for it can start: its result goes
    to the scheduler, and a message from there to a worker.  No worker is busy meanwhile."""

    def rate(self, busy: float) -> float:
        """Return the relative speed of each of `busy` workers: linear up to `cores`, constant
        beyond, where nothing was measured."""
        if busy <= 1:
            return 1.0
        if self.serial:
            return 1 / busy
        if self.cores <= 1:
            return 1.0
        share = (min(busy, self.cores) - 1) / (self.cores - 1)
        return 1 - share * (1 - self.together)


FREE = Burden()
"""A machine without overhead."""
