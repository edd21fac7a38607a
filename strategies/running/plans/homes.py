"""Where tasks of a row of graphs go: to the worker whose table knows the positions.

Each iteration searches the same subtrees, some plies deeper.  A worker that has searched one has
its best moves and bounds in its table; another one begins with what came home, which is little.
"""

from __future__ import annotations

from collections.abc import Iterable

from strategies.running.execution.iteration import Path


class Homes:
    """Which worker last searched each branch."""

    def __init__(self) -> None:
        self.known: dict[Path, str] = {}

    def home(self, branches: Iterable[tuple[Path, float]]) -> str | None:
        """Choose the worker for some branches, each with the nodes that it is expected to have: the
        one that has searched most of them, or what they are part of.

        Returns: its address; None where nobody has.

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
        """A worker has searched some branches."""
        self.known.update(dict.fromkeys(paths, address))
