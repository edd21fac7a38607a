"""For each law of trees, a tree that breaks it, as in `faults`."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from games import SearchTree
from tests.games.laws.faults import breaks


@frozen
class Digits(SearchTree[tuple[int, ...], int]):
    """Write down to four digits, each at most the one before."""

    def start(self) -> tuple[int, ...]:
        return ()

    def moves(self, state: tuple[int, ...]) -> Iterator[int]:
        yield from range(min((2, *state)), -1, -1) if len(state) < 4 else ()

    def make_move(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def utility(self, state: tuple[int, ...]) -> int:
        return sum(state)

    def bounds(self, state: tuple[int, ...]) -> tuple[int, int]:
        return 0, sum(state) + (4 - len(state)) * min((2, *state))


@breaks("combining_is_associative", ["2", "2"])
class CombineSubtracts(Digits):
    def combine(self, first: int, second: int) -> int:
        return first - second


@breaks("sorted_bounds_never_rise", [])
class BoundsRise(Digits):
    sorted_bounds = True

    def moves(self, state: tuple[int, ...]) -> Iterator[int]:
        yield from range(min((2, *state)) + 1 if len(state) < 4 else 0)
