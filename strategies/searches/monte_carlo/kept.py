"""Trees that results keep, so that later searches continue them."""

from __future__ import annotations

import ctypes
from heapq import heappop, heappush
from itertools import count as numbers
from typing import Any, Final

from attrs import field, frozen

from games import Game, Status
from strategies.algorithms.positions import children, kind_of
from strategies.native.kernels import mcts_tree as tree
from strategies.searches.monte_carlo.counted import Counted
from strategies.searches.monte_carlo.scale import Scale

TRIED: Final = 1_000
"""The number of positions of a tree, the most visited, among which another one is looked for."""


@frozen
class Kept:
    """A tree as plain data: its cells in use, without the views of threads."""

    cells: bytes = field(repr=False)
    threads: int
    extra: int
    """The number of regions besides the shape and the counts of each thread."""
    scale: Scale
    root: int = tree.ROOT
    """The node from which a search continues."""

    @property
    def source(self) -> Any:
        """Return the cells, as kernels read them."""
        return (ctypes.c_int64 * (len(self.cells) // 8)).from_buffer_copy(self.cells)

    @property
    def counted(self) -> Counted:
        """Return the statistics of the tree."""
        counts, stride = tree.SHAPE + self.stride, self.stride
        gaps = counts + (self.threads + self.extra) * stride
        return Counted.of(self.source, counts, gaps, stride, self.threads)

    @property
    def stride(self) -> int:
        """Return the number of cells in a region."""
        halves = tree.NODE * (1 + self.threads + self.extra) + self.threads
        return (len(self.cells) // 8 - tree.SHAPE) // halves * tree.NODE


def path_to(game: Game[Any, Any], state: Any, kept: Kept, wanted: Any) -> tuple[int, ...] | None:
    """Return the branches from the root of a tree, at `state`, to a position; None if it is not
    among the `TRIED` most visited positions."""
    counted, number = kept.counted, numbers()
    waits: list[tuple[int, int, tuple[int, ...], Any, int]] = [(0, 0, (), state, kept.root)]
    for _ in range(TRIED):
        if not waits:
            return None
        _, _, path, here, node = heappop(waits)
        if here == wanted:
            return path
        nodes = counted.nodes(node)
        if nodes and game.status(here) == Status.IN_PLAY:
            visits = counted.branches(nodes).visits
            for i, (_, _, child) in enumerate(children(game, here, kind_of(game, here))):
                if visits[i]:
                    heappush(waits, (-visits[i], next(number), (*path, i), child, nodes[i]))
    return None


def node_at(kept: Kept, path: tuple[int, ...]) -> int | None:
    """Return the node at which the branches of a path end; None if the tree does not have it."""
    counted, node = kept.counted, kept.root
    for branch in path:
        nodes = counted.nodes(node)
        if not nodes:
            return None
        node = nodes[branch]
    return node
