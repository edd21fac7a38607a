"""The scale of rewards, which maps values of a game to whole numbers."""

from __future__ import annotations

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
