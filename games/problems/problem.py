"""The interface of a local search problem: states, their neighbours, and a value to minimize.

There are no opponents, and the path to a state does not matter, only the final state.  In an
`Assignment`, each variable has a choice, and the value is updated incrementally.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Generic, TypeVar

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


Cells = Any
"""A row of ints, read and written by index: a list, or memory of compiled code."""


class Assignment(Problem[tuple[int, ...]]):
    """An assignment problem: each variable has one of `choices`; a neighbour changes one variable.

    Required: `variables`, `choices`, `counters`, `value`; `load`, `change` and `assign`, which
    update the value incrementally; `conflicts` for `min_conflicts`.  The last four are compiled
    like the rules of a game.  They work on a row of cells: first the choice of each variable, then
    `counters` cells for the problem.

    Ensures: neighbours are ordered by variable, then by choice.
    """

    @property
    def variables(self) -> int:
        """Return the number of variables."""
        raise NotImplementedError

    @property
    def choices(self) -> int:
        """Return the number of choices of each variable, which are 0, 1, …"""
        raise NotImplementedError

    @property
    def counters(self) -> int:
        """Return the number of cells that the problem needs besides one for each variable."""
        raise NotImplementedError

    def load(self, cells: Cells) -> int:
        """Return the value of the assignment in the first cells, and set the counters from 0."""
        raise NotImplementedError

    def change(self, cells: Cells, variable: int, choice: int) -> int:
        """Return the change of the value if `variable` got another choice; write nothing.

        Requires: `choice` is not the current one.
        """
        raise NotImplementedError

    def assign(self, cells: Cells, variable: int, choice: int) -> None:
        """Assign a choice to `variable`, and update the counters."""
        raise NotImplementedError

    def conflicts(self, cells: Cells, variable: int) -> int:
        """Return the number of conflicts of `variable`, its share of the value; 0 if none."""
        raise NotImplementedError

    def start(self, seed: int) -> tuple[int, ...]:
        """Draw choices at random, with equal probabilities."""
        draw, choices = Random(seed).random, self.choices
        return tuple(int(draw() * choices) for _ in range(self.variables))

    def neighbors(self, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for variable in range(self.variables):
            for choice in range(self.choices):
                if choice != state[variable]:
                    yield (*state[:variable], choice, *state[variable + 1 :])
