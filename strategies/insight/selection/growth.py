"""Estimate the time of a sequential search from searches to smaller depths."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game, NoEstimate
from games.failed import RuleFailed
from strategies.algebra.strategy import seq
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.selection.probe import Probe, run

STEADY = 1e-3
"""Seconds. A shorter search cannot be measured well, but costs next to nothing."""


@frozen
class Growth:
    """Sequential searches to smaller depths, all odd or all even like the target depth."""

    depth: int
    """The target depth: that of the search whose time is estimated."""
    runs: tuple[tuple[int, Probe], ...]
    """The depths and runs, at least one, in order of depth."""

    @property
    def last(self) -> Probe:
        """Return the deepest run."""
        return self.runs[-1][1]

    @property
    def at(self) -> int:
        """Return the depth of the deepest run."""
        return self.runs[-1][0]

    @property
    def rate(self) -> float:
        """Return the seconds per node."""
        return self.last.work / max(1, self.last.nodes)

    @property
    def step(self) -> float:
        """Return how many times as many nodes two plies more take.

        It is the mean of the last two steps, because a single one may be far off; the first step is
        left out, because it is by far the largest.  Odd and even depths are not compared.
        """
        nodes = [run.nodes for _, run in self.runs[1:][-3:]]
        if len(nodes) < 2:
            nodes = [run.nodes for _, run in self.runs]
        steps = len(nodes) - 1
        return float((nodes[-1] / nodes[0]) ** (1 / steps)) if steps and nodes[0] else 1.0

    @property
    def times(self) -> float:
        """Estimate the time of the search at the target depth divided by that of the deepest run,
        if each two plies more take `step` times as long."""
        return float(self.step ** ((self.depth - self.at) / 2))

    @property
    def expected(self) -> float:
        """Estimate the seconds of the search at the target depth."""
        return self.times * self.last.work


def grow(
    game: Game[Any, Any], algorithm: Algorithm, state: Any, engine: str, share: float
) -> Growth | None:
    """Search deeper and deeper, as long as a run takes less than `share` of the expected time.

    Returns: None if no smaller depth can be searched, as in a tree whose inner positions have no
    estimate.
    """
    found: list[tuple[int, Probe]] = []
    depth = algorithm.depth
    for d in range(depth % 2 or 2, depth - 1, 2):
        try:
            found.append((d, run(game, algorithm.at_depth(d), state, seq, engine, 1)))
        except (NoEstimate, RuleFailed):  # the search itself raises it, if it gets there
            continue
        so_far = Growth(depth, tuple(found))
        if len(found) < 2 or so_far.last.work < STEADY:
            continue
        if so_far.step * so_far.last.work > share * so_far.expected:
            break
    return Growth(depth, tuple(found)) if found else None
