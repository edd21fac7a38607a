"""The nodes below each branch, from earlier graphs of a deepening search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from strategies.algebra.by_node import Type
from strategies.running.execution.iteration import Path

OTHERS: Final[Mapping[Type, tuple[Type, ...]]] = {
    "pv": ("all", "cut"), "cut": ("all", "pv"), "all": ("cut", "pv"),
}  # fmt: skip
"""The other types of the root whose sizes serve for a type without one, in order."""


class Sizes:
    """The nodes last visited below each branch, by the type of the root in that search, because
    proving an upper and a lower bound takes different nodes."""

    def __init__(self) -> None:
        self.known: dict[Type, dict[Path, int]] = {"pv": {}, "all": {}, "cut": {}}
        self.counted: set[tuple[Type, Path]] = set()
        """The branches whose nodes are of this iteration, by the type of the root."""

    def begin(self) -> None:
        """Start a new iteration."""
        self.counted = set()

    def add(self, root: Type, path: Path, nodes: int) -> None:
        """Record the nodes that one graph of this iteration visited below a branch."""
        known = self.known[root]
        if (root, path) in self.counted:
            nodes += known[path]
        elif root != "pv":  # a later search finds many results of an earlier one in the table
            nodes = max(nodes, known.get(path, 0))
        known[path] = nodes
        self.counted.add((root, path))

    def of(self, root: Type, path: Path) -> tuple[int, bool] | None:
        """Return the nodes last visited below a branch, preferably with this type of the root, and
        whether that was in this iteration; None if it was not searched."""
        for was in (root, *OTHERS[root]):
            if path in self.known[was]:
                return self.known[was][path], (was, path) in self.counted
        return None
