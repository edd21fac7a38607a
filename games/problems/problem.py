"""The signature of a local search problem: states, their neighbours, and a value to be minimised.

Nobody moves against anybody, and the way to a state does not count: only the state that is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

S = TypeVar("S")


class Problem(Generic[S]):
    """Local-search problem: states, neighbours and a value; 0 is the goal, the less the better.

    A problem is a frozen attrs class; states are immutable, as those of a game.
    Required: `start`, `neighbors`, `value`.  For people: `show`.
    Source: the formulation ``s``, ``N(s)``, ``Val(s)`` of textbooks, as Russell and Norvig,
    Artificial Intelligence, section 4.1.
    """

    def start(self, seed: int) -> S:
        """Returns an initial state: the same for the same seed, in every process."""
        raise NotImplementedError

    def neighbors(self, state: S) -> Iterator[S]:
        """Generates the states one step away, in a fixed order; `state` is none of them."""
        raise NotImplementedError

    def value(self, state: S) -> int:
        """Computes how far `state` is from a goal.

        Ensures: never below 0, and 0 exactly where `state` is a goal.
        """
        raise NotImplementedError

    def show(self, state: S) -> str:
        """Draws the state as text; may take several lines."""
        return repr(state)
