"""The scale of rewards, which maps values of a game to whole numbers."""

from __future__ import annotations

from math import sqrt

from attrs import frozen

from strategies.native.kernels import mcts_tree as tree


@frozen
class Scale:
    """A scale of rewards: the value `low` counts 0, the value `high` counts `top`."""

    low: float
    high: float
    decisive: bool
    """Whether the game is won or lost; then a loss counts 0 and a win `tree.ONE`."""
    adapts: bool = False
    """Whether the range widens with each reward outside it."""

    @property
    def top(self) -> int:
        """Return the reward of `high`."""
        return tree.SAMPLED if self.adapts else tree.ONE

    @property
    def factor(self) -> float:
        """Return the reward of one unit of value."""
        return self.top / (self.high - self.low)

    def value(self, mean: float) -> float:
        """Convert a mean reward from 0 to 1 to a value, where a win counts 1 and a loss -1."""
        return 2 * mean - 1 if self.decisive else self.low + mean * (self.high - self.low)

    def deviation(self, visits: int, rewards: int, gaps: float) -> float:
        """Return the standard deviation of the values of which these are the visits, the sum of the
        rewards and that of their gaps.

        >>> wins_and_a_draw = Scale(-1, 1, True).deviation(2, 3 * tree.ONE // 2, tree.ONE**2 / 4)
        >>> wins_and_a_draw  # of 1 and 0
        0.5
        """
        squares = self.top * rewards - int(gaps)
        spread = sqrt(max(0, visits * squares - rewards**2)) / visits / self.top
        return spread * (2 if self.decisive else self.high - self.low)
