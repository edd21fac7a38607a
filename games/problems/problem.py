"""The interface of a local search problem: states, their neighbours, and a value to minimize.

There are no opponents, and the path to a state does not matter, only the final state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from games.fields import WithFields

S = TypeVar("S")


class Problem(WithFields, Generic[S]):
    """A local search problem: states, neighbours and a value to minimize; 0 is a goal.

    A problem is a frozen attrs class or dataclass; its states are immutable, like those of a game.
    Required: `start`, `neighbors`, `value`.  Optional: `show`.
    Source: the formulation ``s``, ``N(s)``, ``Val(s)`` of textbooks, as Russell and Norvig,
    Artificial Intelligence, section 4.1.
    """

    def start(self, seed: int) -> S:
        """Return an initial state, the same for the same seed in every process."""
        raise NotImplementedError("a problem needs start(seed)")

    def neighbors(self, state: S) -> Iterator[S]:
        """Yield the states one step away in a fixed order, without `state` itself."""
        raise NotImplementedError("a problem needs neighbors(state)")

    def value(self, state: S) -> int:
        """Return the value of `state`, which measures the distance to a goal.

        Ensures: a whole number, never below 0, and 0 exactly if `state` is a goal.
        """
        raise NotImplementedError("a problem needs value(state)")

    def show(self, state: S) -> str:
        """Return the state as text, possibly of several lines."""
        return repr(state)
