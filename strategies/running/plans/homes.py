"""Choose workers for the tasks of a row of graphs: those whose tables know the positions.

Each iteration searches the same subtrees, some plies deeper.  A worker that has searched a subtree
has its best moves and bounds in its table; other workers know only the little that was sent back.
"""

from __future__ import annotations

from collections.abc import Iterable

from strategies.running.execution.iteration import Path


class Homes:
    """The worker that last searched each branch."""

    def __init__(self) -> None:
        self.known: dict[Path, str] = {}

    def home(self, branches: Iterable[tuple[Path, float]]) -> str | None:
        """Choose the worker that has searched most of some branches, or their ancestors.

        `branches` are given with their expected nodes.
        Returns: its address; None if no worker has searched any.

        >>> homes = Homes()
        >>> homes.searched([(0,), (3, 1)], "a")
        >>> homes.home([((0, 5), 70)]), homes.home([((3,), 10)])
        ('a', None)
        """
        weights: dict[str, float] = {}
        for path, nodes in branches:
            above = (path[:plies] for plies in range(len(path), 0, -1))
            at = next((self.known[p] for p in above if p in self.known), None)
            if at is not None:
                weights[at] = weights.get(at, 0.0) + nodes
        return max(weights, key=weights.__getitem__, default=None)

    def searched(self, paths: Iterable[Path], address: str) -> None:
        """Record that a worker has searched some branches."""
        self.known.update(dict.fromkeys(paths, address))
