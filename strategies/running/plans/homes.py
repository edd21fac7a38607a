"""Where tasks of a row of graphs go: to the worker whose table knows the positions.

Each iteration searches the same subtrees, some plies deeper.  A worker that has searched one has
its best moves and bounds in its table; another one begins with what came home, which is little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from strategies.running.execution.iteration import Path

FAIR: Final = 1.2
"""How many times its share of a graph's nodes a worker gets for what it knows."""


class Homes:
    """Which worker last searched each branch, and how much of a graph each has by now."""

    def __init__(self) -> None:
        self.known: dict[Path, str] = {}
        self.shares: dict[str, float] = {}
        """How many nodes of this graph each worker may still get."""

    def begin(self, nodes: float, threads: Mapping[str, int]) -> None:
        """A graph of so many nodes goes to workers, by address, of so many threads."""
        total = sum(threads.values())
        self.shares = {at: FAIR * nodes * many / total for at, many in threads.items()}

    def home(self, branches: Iterable[tuple[Path, float]]) -> str | None:
        """Choose the worker for some branches, each with the nodes that it is expected to have: the
        one that has searched most of them, or what they are part of.

        Returns: its address; None where nobody has, that worker is gone, or it has enough to do.

        >>> homes = Homes()
        >>> homes.searched([(0,), (3, 1)], "a")
        >>> homes.begin(200, {"a": 1, "b": 1})
        >>> homes.home([((0, 5), 70)]), homes.home([((3,), 10)]), homes.home([((0, 6), 70)])
        ('a', None, None)
        """
        weights: dict[str, float] = {}
        size = 0.0
        for path, nodes in branches:
            size += nodes
            above = (path[:plies] for plies in range(len(path), 0, -1))
            at = next((self.known[p] for p in above if p in self.known), None)
            if at is not None:
                weights[at] = weights.get(at, 0.0) + nodes
        best = max(weights, key=weights.__getitem__, default=None)
        if best is None or self.shares.get(best, -1.0) < size:
            return None
        self.shares[best] -= size
        return best

    def searched(self, paths: Iterable[Path], address: str) -> None:
        """A worker has searched some branches."""
        self.known.update(dict.fromkeys(paths, address))
