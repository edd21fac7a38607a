"""How many nodes are below each branch, as earlier questions of a deepening search found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from strategies.algebra.by_node import Type
from strategies.running.execution.iteration import Path

OTHERS: Final[Mapping[Type, tuple[Type, ...]]] = {
    "pv": ("all", "cut"), "cut": ("all", "pv"), "all": ("cut", "pv"),
}  # fmt: skip
"""Where to look for the size of a branch that no question had in which the root was the same."""


class Sizes:
    """Nodes that were last visited below each branch, by what the root was in that question: a
    proof of what a value is not takes other nodes than one of what it is."""

    def __init__(self) -> None:
        self.known: dict[Type, dict[Path, int]] = {"pv": {}, "all": {}, "cut": {}}
        self.counted: set[tuple[Type, Path]] = set()
        """The branches whose nodes are of this iteration, by what the root was."""

    def begin(self) -> None:
        """A new iteration begins."""
        self.counted = set()

    def add(self, root: Type, path: Path, nodes: int) -> None:
        """So many nodes were visited below a branch, in one graph of this iteration."""
        known = self.known[root]
        if (root, path) in self.counted:
            nodes += known[path]
        elif root != "pv":  # a later question finds much in the table that an earlier one left
            nodes = max(nodes, known.get(path, 0))
        known[path] = nodes
        self.counted.add((root, path))

    def of(self, root: Type, path: Path) -> tuple[int, bool] | None:
        """How many nodes were last visited below a branch, at best when the root was this, and
        whether in this iteration; None if it was not searched."""
        for was in (root, *OTHERS[root]):
            if path in self.known[was]:
                return self.known[was][path], (was, path) in self.counted
        return None
