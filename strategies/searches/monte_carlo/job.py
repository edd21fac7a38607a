"""The data that all tasks of a Monte Carlo search share, and the trees that it continues.

Source: the reuse of trees is the practice of Go programs; Enzenberger et al., Fuego (2010).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count as numbers
from typing import Any, Final

from attrs import evolve, field, frozen

from games import Game, Status
from games.snapshots import is_same
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import children, kind_of
from strategies.native.hooks import defines
from strategies.native.kernels import mcts_tree as tree
from strategies.native.kernels import uct
from strategies.native.kernels.rollout import LONGEST_PLAY
from strategies.native.memory.cells import Stop
from strategies.searches.monte_carlo.counted import Counted, Scale


@frozen
class Job:
    """One search, as each of its tasks receives it."""

    game: Game[Any, Any]
    state: Any
    algorithm: MonteCarlo
    engine: str = "auto"
    seconds: float | None = None
    """The time limit of the search; in its tasks, the limit of each tree."""
    stop: Stop | None = None
    """The flag that stops all trees, if the search runs in this process."""
    kept: tuple[Kept | None, ...] = ()
    """The trees that the search continues, by number; None for one that has nothing to begin
    with."""
    made: dict[int, Callable[[], int]] | None = None
    """For each tree in this process, a function that returns its number of simulations."""


def plies_of(algorithm: MonteCarlo) -> int:
    """Return the number of random plies of a rollout."""
    rollout = algorithm.rollout
    if isinstance(rollout, str):
        return 0 if rollout == "estimate" else LONGEST_PLAY
    return min(rollout, LONGEST_PLAY)


def kernel_of(algorithm: MonteCarlo) -> Any:
    """Return the kernel that grows the trees: options of selection take one of their own."""
    return uct.grow_guided if algorithm.guided else uct.grow


def extra_regions(job: Job) -> int:
    """Return the number of regions of a tree besides its shape and counts: one for the guides of
    nodes, and one for the counts of AMAF."""
    algorithm = job.algorithm
    priors = algorithm.allocate == "puct" and defines(job.game, "prior")
    return 2 if algorithm.rave > 0 else int(priors)


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


def continued(job: Job, result: Any) -> tuple[Kept | None, ...] | None:
    """Return the trees of a result, with the position of a job as their root; None if they do not
    have it.

    Raises: AlgorithmError, ArgumentError, one line.
    """
    asked = getattr(result, "searched", None)
    kept: tuple[Kept, ...] = getattr(result, "kept", ())
    if asked is None or not kept:
        raise AlgorithmError(
            "a search continues a result that kept its trees, as that of mcts(reuse=True), not "
            f"{shown(result)}"
        )
    if evolve(asked.algorithm, simulations=1) != evolve(job.algorithm, simulations=1):
        raise AlgorithmError(f"{job.algorithm!r} does not continue a tree of {asked.algorithm!r}")
    if not is_same(asked.game, job.game):
        raise ArgumentError(f"the result is that of another game, {shown(asked.game)}")
    for one in kept:
        path = path_to(job.game, asked.state, one, job.state)
        if path is not None:
            nodes = [node_at(each, path) for each in kept]
            return tuple(
                None if node is None else evolve(each, root=node)
                for each, node in zip(kept, nodes, strict=True)
            )
    return None
