"""Tree reuse: a search continues the trees of an earlier one, below the position that it searches.

Source: the practice of Go programs, as Enzenberger et al., Fuego (2010), describe it.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algorithms.errors import AlgorithmError
from strategies.searches.monte_carlo.job import Job
from strategies.searches.monte_carlo.kept import Kept, node_at, path_to


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
    if asked.game != job.game:
        raise ArgumentError(f"the result is that of another game, {shown(asked.game)}")
    for tree in kept:
        path = path_to(job.game, asked.state, tree, job.state)
        if path is not None:
            nodes = [node_at(each, path) for each in kept]
            return tuple(
                None if node is None else evolve(each, root=node)
                for each, node in zip(kept, nodes, strict=True)
            )
    return None
