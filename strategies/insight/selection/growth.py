"""How a sequential search grows with its depth: what a deeper one will take."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game, NoEstimate
from strategies.algebra.strategy import seq
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.selection.probe import Probe, run
from strategies.native.errors import RuleFailed

STEADY = 1e-3
"""Seconds: a search that takes less is not measured well, but costs nothing either."""


@frozen
class Growth:
    """Sequential searches to smaller depths, all odd or all even as the one that is asked for."""

    depth: int
    """Of the search that is asked for."""
    runs: tuple[tuple[int, Probe], ...]
    """Depth and run, at least one, shallow ones first."""

    @property
    def last(self) -> Probe:
        """The deepest run."""
        return self.runs[-1][1]

    @property
    def at(self) -> int:
        """The depth of the deepest run."""
        return self.runs[-1][0]

    @property
    def rate(self) -> float:
        """Seconds a node."""
        return self.last.work / max(1, self.last.nodes)

    @property
    def times(self) -> float:
        """How many times as much the search that is asked for will take as the deepest run.

        The growth over two plies is taken to stay what it was, for odd depths and even ones differ.
        """
        nodes = [run.nodes for _, run in self.runs[-2:]]
        two = nodes[-1] / nodes[0] if len(nodes) > 1 and nodes[0] else 1.0
        return float(two ** ((self.depth - self.at) / 2))

    @property
    def expected(self) -> float:
        """Seconds of the search that is asked for."""
        return self.times * self.last.work


def grow(
    game: Game[Any, Any], algorithm: Algorithm, state: Any, engine: str, share: float
) -> Growth | None:
    """Search deeper and deeper, as long as a run takes less than `share` of what is expected.

    Returns: None where no shallower depth tells anything, as in a tree whose inner positions have
    no estimate.
    """
    found: list[tuple[int, Probe]] = []
    depth = algorithm.depth
    for d in range(depth % 2 or 2, depth - 1, 2):
        try:
            found.append((d, run(game, algorithm.at_depth(d), state, seq, engine, 1)))
        except (NoEstimate, RuleFailed):  # told by the search itself, if it meets it
            continue
        so_far = Growth(depth, tuple(found))
        if len(found) < 2 or so_far.last.work < STEADY:
            continue
        following = so_far.last.nodes / max(1, found[-2][1].nodes) * so_far.last.work
        if following > share * so_far.expected:
            break
    return Growth(depth, tuple(found)) if found else None
