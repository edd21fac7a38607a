"""Problems in which each variable is assigned one of some choices, with a value kept up to date."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.problems.problem import Problem

Cells = Any
"""A row of ints, read and written by index: a list, or memory of compiled code."""


class Assignment(Problem[tuple[int, ...]]):
    """Each of `variables` has one of `choices`; a neighbour gives one variable another choice.

    Required: `variables`, `choices`, `counters`, `value`; and `load`, `change`, `assign`, which
    keep the value up to date, so that a neighbour is not valued from scratch; `conflicts` for
    `min_conflicts`.  These four are compiled, as the rules of a game are.  They work on a row of
    cells: first the choice of each variable, then `counters` cells of the problem's own.

    Ensures: neighbours come by variable, then by choice.
    """

    @property
    def variables(self) -> int:
        """How many variables there are."""
        raise NotImplementedError

    @property
    def choices(self) -> int:
        """How many choices each has: they are 0, 1, …"""
        raise NotImplementedError

    @property
    def counters(self) -> int:
        """The cells that the problem needs besides one for each variable."""
        raise NotImplementedError

    def load(self, cells: Cells) -> int:
        """The value of the assignment in the first cells; sets the counters, which are 0."""
        raise NotImplementedError

    def change(self, cells: Cells, variable: int, choice: int) -> int:
        """By how much the value changes where `variable` gets another choice; nothing is written.

        Requires: `choice` is not the one that it has.
        """
        raise NotImplementedError

    def assign(self, cells: Cells, variable: int, choice: int) -> None:
        """Give `variable` a choice, and bring the counters up to date."""
        raise NotImplementedError

    def conflicts(self, cells: Cells, variable: int) -> int:
        """How much of the value `variable` has a part in; 0 if none."""
        raise NotImplementedError

    def start(self, seed: int) -> tuple[int, ...]:
        """Choices drawn at random, each as likely as any other."""
        draw, choices = Random(seed).random, self.choices
        return tuple(int(draw() * choices) for _ in range(self.variables))

    def neighbors(self, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for variable in range(self.variables):
            for choice in range(self.choices):
                if choice != state[variable]:
                    yield (*state[:variable], choice, *state[variable + 1 :])
