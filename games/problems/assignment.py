"""Problems in which each variable is assigned one of some choices, with a value kept up to date."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.problems.problem import Problem

Cells = Any
"""A row of ints, read and written by index: a list, or memory of compiled code."""


class Assignment(Problem[tuple[int, ...]]):
    """Assignment problem: each of `variables` has one of `choices`; a neighbour changes one.

    Required: `variables`, `choices`, `counters`, `value`; and `load`, `change`, `assign`, which
    keep the value up to date, so that a neighbour is not valued from scratch; `conflicts` for
    `min_conflicts`.  These four are compiled, as the rules of a game are.  They work on a row of
    cells: first the choice of each variable, then `counters` cells of the problem's own.

    Ensures: neighbours come by variable, then by choice.
    """

    @property
    def variables(self) -> int:
        """Counts the variables."""
        raise NotImplementedError

    @property
    def choices(self) -> int:
        """Counts the choices that each variable has: they are 0, 1, …"""
        raise NotImplementedError

    @property
    def counters(self) -> int:
        """Counts the cells that the problem needs besides one for each variable."""
        raise NotImplementedError

    def load(self, cells: Cells) -> int:
        """Computes the value of the assignment in the first cells; sets the counters from 0."""
        raise NotImplementedError

    def change(self, cells: Cells, variable: int, choice: int) -> int:
        """Computes the change of the value where `variable` gets another choice; writes nothing.

        Requires: `choice` is not the one that it has.
        """
        raise NotImplementedError

    def assign(self, cells: Cells, variable: int, choice: int) -> None:
        """Gives `variable` a choice, and brings the counters up to date."""
        raise NotImplementedError

    def conflicts(self, cells: Cells, variable: int) -> int:
        """Counts the conflicts of `variable`: its part of the value; 0 if none."""
        raise NotImplementedError

    def start(self, seed: int) -> tuple[int, ...]:
        """Draws choices at random, each as likely as any other."""
        draw, choices = Random(seed).random, self.choices
        return tuple(int(draw() * choices) for _ in range(self.variables))

    def neighbors(self, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for variable in range(self.variables):
            for choice in range(self.choices):
                if choice != state[variable]:
                    yield (*state[:variable], choice, *state[variable + 1 :])
