"""Estimates as readable values: Minnie's win below every guess, Maxie's win above."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games.game import WIN


@frozen(order=True)
class Estimate:
    """A heuristic value from Maxie's side, ordered like its numbers.

    >>> print(Estimate(-WIN), Estimate(3), Estimate(WIN), sep=", ")
    Minnie wins!, Guess: 3, Maxie wins!
    >>> Estimate(-WIN) < Estimate(-99) < Estimate(2.5) < Estimate(WIN)
    True
    """

    value: Any
    """A number, or a tuple with a number for each of several players."""

    def __str__(self) -> str:
        if isinstance(self.value, tuple):
            return f"Guess: {self.value}"
        if self.value >= WIN:
            return "Maxie wins!"
        if self.value <= -WIN:
            return "Minnie wins!"
        return f"Guess: {self.value}"


MINNIE_WINS = Estimate(-WIN)
MAXIE_WINS = Estimate(WIN)
