"""Arrays in rules: an index out of range raises IndexError, as in Python, and reads no memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from games import TicTacToe
from strategies.native.kept_engines import engine_for
from tests.strategies.native.compiled import compiled
from tests.strategies.native.counting import mixed

GRID = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5]])


def read(i: int, j: int) -> int:
    return int(GRID[i, j]) + int(GRID[j][i])


def read_in_a_row(i: int, j: int) -> int:
    return sum(int(GRID[k, j]) for k in range(i))


@pytest.mark.parametrize("rule", [read, read_in_a_row])
def test_indices_are_checked(rule: Callable[..., Any]) -> None:
    native = compiled(rule)
    for i, j in [(0, 1), (2, -1), (-3, 0), (3, 0), (1, 7), (4, 1), (900, 1), (1, -4)]:
        try:
            known = rule(i, j)
        except IndexError:
            with pytest.raises(IndexError):
                native(i, j)
        else:
            assert native(i, j) == known


@frozen(eq=False)
class Pair:
    """Two arrays that a rule hands on together."""

    worth: Any
    place: Any


def looked_up(pair: Pair, at: int) -> int:
    return int(pair.worth[int(pair.place[at])])


@frozen(eq=False)
class Handed(TicTacToe):
    pair: Pair = Pair(np.arange(10, 19), np.arange(8, -1, -1))

    def estimate(self, state: Any) -> int:
        return looked_up(self.pair, 3)


def test_a_record_of_arrays_can_be_handed_to_a_function() -> None:
    game = Handed()
    assert engine_for(game, "native").call(mixed, game.start(), 0) == 15
