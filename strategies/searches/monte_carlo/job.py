"""The data that all tasks of a Monte Carlo search share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from games import Game
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.hooks import defines
from strategies.native.kernels import uct
from strategies.native.kernels.rollout import LONGEST_PLAY
from strategies.native.memory.cells import Stop
from strategies.searches.monte_carlo.kept import Kept


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
