"""The grain: how large a node must be to be opened, so that its branches become tasks."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from strategies.native.engine import Engine

SMALLEST: Final = 400_000
"""This, divided by the number of workers, is the size up to which nodes are not opened: their
branches would be tasks of some milliseconds, for which the overhead is noticeable.  On many
workers, waiting for a long task matters more."""
LEAST: Final = 40_000
"""The smallest such size, for any number of workers."""
INTERPRETED: Final = 200
"""The smallest such size for the interpreted engine."""
TASKS: Final = 16
"""A node is opened if it is larger than a worker's share of the iteration, divided by this."""
SMALL: Final = 64
"""The same divisor if tasks can be divided later, because a task that is too small costs only
time."""
DEAR: Final = 16
"""The factor for nodes that are opened for a cluster, where waiting for a task is a round trip of
some milliseconds."""
FEW: Final = 4
"""The value of `TASKS` for a cluster, because a process lacks what another one has learned."""
WHOLE: Final = 12_000_000
"""Under a joined strategy, an iteration of fewer nodes is one task, which the workers search
together from the start: tasks for branches visited more nodes, and waited for each other."""
UNSURE: Final = 4
"""The factor for nodes in a search for the leftmost move, which mostly takes less time than the
search for the value."""
ROOM: Final = 1
"""The factor by which a task may exceed its intended size before it is divided."""
MANY: Final = 16
"""The number of workers from which strategies without waiting at all-nodes are chosen."""
ENOUGH: Final = 8
"""The number of workers from which tasks are divided.  With fewer, the others have enough to do
meanwhile; with two, the nodes that this adds cost 6 % of the time."""


@frozen
class Grain:
    """The sizes of nodes to open for a number of workers, as nodes in their subtrees."""

    engine: Engine
    workers: int
    on_cluster: bool
    """Whether the workers are those of a cluster, which have other tables."""
    growing: bool
    """Whether a task that turns out too large may be divided."""

    @property
    def grows(self) -> bool:
        """Return whether tasks that are too large are divided: only with many workers."""
        return self.growing and self.workers >= ENOUGH

    @property
    def floor(self) -> float:
        """Return the least size of a node to open."""
        dear = DEAR if self.on_cluster else 1
        if not self.engine.native:
            return dear * INTERPRETED
        return dear * max(LEAST, SMALLEST / self.workers)

    def share(self, total: float, unsure: bool) -> float:
        """Return the least size in a search of `total` nodes; larger if that number is `unsure`."""
        tasks = FEW if self.on_cluster else SMALL if self.grows else TASKS
        return max(total / (tasks * self.workers), self.floor) * (UNSURE if unsure else 1)

    def most(self, least: float | None, visited: int) -> float:
        """Return the nodes after which a task is divided.

        `least` is the size of nodes to open, if given; `visited` are the nodes of the plan's tasks.
        """
        smallest = self.floor if least is None else least
        return ROOM * max(smallest, visited / (TASKS * self.workers))
