"""How large a node is that is opened: its branches become tasks, on so many workers."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from strategies.native.engine import Engine

SMALLEST: Final = 400_000
"""This, divided by the number of workers, is the size of a node that is not opened: its branches
would be tasks of some milliseconds, of which starting them takes a part that counts.  On many
workers, waiting for a long one counts more."""
LEAST: Final = 40_000
"""On however many workers."""
INTERPRETED: Final = 200
"""The same on the interpreted engine."""
TASKS: Final = 16
"""A node is opened where it is more than a worker's share of the iteration, divided by this."""
SMALL: Final = 64
"""The same where a task may become more: nothing but time is lost by one that is too small."""
DEAR: Final = 16
"""How many times larger a node is that is opened for a cluster, where a wait for a task is a round
trip of some milliseconds."""
FEW: Final = 4
"""There, `TASKS`: what one process learned in its tasks, another one lacks."""
UNSURE: Final = 4
"""How many times larger a node must be where the leftmost move is asked for, as mostly no search
takes as long as the one for the value did."""
ROOM: Final = 1
"""How many times larger than a task should be one may become before it becomes more tasks."""
MANY: Final = 16
"""From so many workers on, strategies by which nobody waits at all-nodes are chosen."""
ENOUGH: Final = 8
"""On fewer workers no task becomes more: the others have enough to do meanwhile, and on two the
nodes that this adds cost 6 % of the time."""


@frozen
class Grain:
    """The sizes of nodes that are opened on so many workers, in nodes below them."""

    engine: Engine
    workers: int
    elsewhere: bool
    """Whether the workers are those of a cluster, whose tables are not this."""
    growing: bool
    """Whether a task that turns out too large may become more."""

    @property
    def grows(self) -> bool:
        """Whether such a task becomes more: where workers are many."""
        return self.growing and self.workers >= ENOUGH

    @property
    def floor(self) -> float:
        """The least size of a node that is opened."""
        dear = DEAR if self.elsewhere else 1
        if not self.engine.native:
            return dear * INTERPRETED
        return dear * max(LEAST, SMALLEST / self.workers)

    def share(self, total: float, unsure: bool) -> float:
        """The least size in a search of so many nodes; where it is unsure how many, it is more."""
        tasks = FEW if self.elsewhere else SMALL if self.grows else TASKS
        return max(total / (tasks * self.workers), self.floor) * (UNSURE if unsure else 1)

    def most(self, least: float | None, visited: int) -> float:
        """How many nodes a task may take before it is to become more tasks, where the plan's tasks
        have visited so many; nodes of `least` are opened, if that is said."""
        smallest = self.floor if least is None else least
        return ROOM * max(smallest, visited / (TASKS * self.workers))
