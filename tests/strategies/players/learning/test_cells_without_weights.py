"""A cell or a stage without weights ends learning, and the message has the position."""

from __future__ import annotations

from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Dense, Game, NTuples, Status
from graphs.errors import MalformedError
from strategies import learn
from strategies.players.learning import self_play
from tests.properties import DEEP, examples

Row = tuple[int, int, int]
"""The sum, the player, and the moves as digits of a number."""


@frozen
class Sums(Game[Row, int]):
    """Two players add 1, 2 or 3 in turn, up to 9; one position has a wrong cell or stage."""

    rare: tuple[int] = (-1,)
    """What is wrong and where: as rows, they are no constants of the code."""
    cells: tuple[int] = (0,)
    stages: int = 0

    def start(self) -> Row:
        return 0, 0, 0

    def status(self, state: Row) -> Status:
        return Status.IN_PLAY if state[0] < 9 else Status.OVER

    def player(self, state: Row) -> int:
        return state[1]

    def moves(self, state: Row) -> list[int]:
        return [1, 2, 3]

    def make_move(self, state: Row, move: int) -> Row:
        return state[0] + move, 1 - state[1], state[2] * 4 + move

    def estimate(self, state: Row) -> int:
        return 0

    def utility(self, state: Row) -> int:
        return state[0] * 7 % 5 - 2

    def cell(self, state: Row, k: int) -> int:
        return self.cells[0] if state[2] == self.rare[0] else state[0]

    def stage(self, state: Row) -> int:
        return self.stages if state[2] == self.rare[0] else 0


WAYS = [list(way) for size in (1, 2) for way in product((1, 2, 3), repeat=size)]
NETWORKS = NTuples(12, ((0,), (1,))), NTuples(12, ((0, 1),), stages=2), Dense(12, 2, 4)
ENGINES = "interpreted", "native"


def of_way(way: list[int]) -> tuple[int, str]:
    """Return the number of the moves of a way, and the position after it as a message shows it."""
    state = Sums().start()
    for move in way:
        state = Sums().make_move(state, move)
    return state[2], repr(state)


HOW: list[dict[str, Any]] = [{}, {"trace": 0.5}, {"depth": 2}, {"trials": 4}, {"threads": 2}]
LEARNED = list(product(NETWORKS, HOW))
COMPILED = [
    (NETWORKS[1], HOW[0]),
    (NETWORKS[1], HOW[3]),
    (NETWORKS[1], HOW[4]),
    (NETWORKS[2], HOW[1]),
]
"""Each network is code of its own for each of the two ways to learn."""


@pytest.mark.usefixtures("any_length")
@pytest.mark.parametrize("engine", ENGINES)
@examples(20)
@given(st.sampled_from(WAYS), st.sampled_from([1000, 10**12]), st.data())
def test_a_cell_out_of_range_that_learning_meets_is_told(
    engine: str, way: list[int], wrong: int, data: st.DataObject
) -> None:
    few = engine == "native" and not DEEP
    network, how = data.draw(st.sampled_from(COMPILED if few else LEARNED))
    rare, at = of_way(way)
    with (
        patch.object(self_play, "check_all_cells"),  # as if no random game had met the position
        pytest.raises(MalformedError) as told,
    ):
        learn(Sums((rare,), (wrong,)), network, games=400, epsilon=0.5, engine=engine, **how)
    assert f"cell(state, 0) returned {wrong} in {at}; the network has values" in str(told.value)


@examples(20)
@given(st.sampled_from(WAYS), st.sampled_from([-1, 12, -1000]), st.sampled_from(NETWORKS))
def test_cells_are_checked_in_several_random_games(
    way: list[int], wrong: int, network: Any
) -> None:
    rare, at = of_way(way)

    def learned() -> None:
        for seed in range(3):
            learn(Sums((rare,), (wrong,)), network, games=1, seed=seed, engine="interpreted")

    with pytest.raises(MalformedError) as told:
        learned()
    assert f"cell(state, 0) returned {wrong} in {at}; the network has" in str(told.value)


def test_stages_are_checked_in_several_random_games() -> None:
    rare, at = of_way([2])
    with pytest.raises(MalformedError) as told:
        learn(Sums((rare,), stages=-1), NETWORKS[1], games=1, engine="interpreted")
    assert f"stage(state) returned -1 in {at}; stages are whole numbers" in str(told.value)
