"""Where a generated program's choices come from: a seeded generator, or Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(Protocol):
    """A source of choices; 0 is always the simplest one."""

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""


class Seeded:
    """Choices of a pseudorandom generator: the same seed gives the same program."""

    def __init__(self, seed: object) -> None:
        self.next = Random(repr(seed)).random

    def below(self, n: int) -> int:
        return int(self.next() * n)


@cache
def _whole_numbers(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


class Drawn:
    """Choices of a Hypothesis test, so that failing programs shrink."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self.draw = draw

    def below(self, n: int) -> int:
        return self.draw(_whole_numbers(n)) if n > 1 else 0


def one_of(choices: Choices, options: Sequence[T]) -> T:
    """Return one of the options, all equally likely.

    >>> one_of(Seeded(1), "a")
    'a'
    """
    return options[choices.below(len(options))]
