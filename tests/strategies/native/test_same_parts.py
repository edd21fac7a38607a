"""Equal games share an engine only if nothing distinguishes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis.strategies import integers, lists, tuples

from games import TicTacToe
from games.problems import Assignment
from strategies import alphabeta, engine_for, search
from strategies.native.kept_engines import same_parts
from strategies.searches.local_search.attempts import engine_of
from strategies.searches.local_search.climb import climb
from tests.properties import examples
from tests.strategies.native.counting import Counting, mixed


@frozen
class Weighed(Counting):
    """A game whose weights are not compared by ``==``, because arrays cannot be."""

    weights: Any = field(factory=lambda: np.array([1, 1]), eq=False)

    def estimate(self, state: Any) -> float:
        return int(self.weights[0]) * (state.a % 5)


@frozen
class Rounded(Counting):
    """A game whose weights are compared by a key."""

    weight: int = field(default=1, eq=lambda weight: weight // 10)

    def estimate(self, state: Any) -> float:
        return self.weight * (state.a % 5)


@frozen(eq=False)
class Same(Counting):
    """A game that defines ``==``."""

    weight: int = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    def __hash__(self) -> int:
        return 1

    def estimate(self, state: Any) -> float:
        return self.weight * (state.a % 5)


PAIRS = [
    (Weighed(weights=np.array([1, 1])), Weighed(weights=np.array([9, 1]))),
    (Rounded(weight=1), Rounded(weight=9)),
    (Same(weight=1), Same(weight=9)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=["no part", "key", "own"])
@pytest.mark.parametrize("engine", ["interpreted", "native"])
def test_equal_games_that_differ_have_their_own_values(pair: Any, engine: str) -> None:
    light, heavy = pair
    assert light == heavy
    least, most = (engine_for(g, engine).call(mixed, g.start(), 2) for g in pair)
    assert most == 9 * least != 0


@pytest.mark.parametrize("pair", PAIRS, ids=["no part", "key", "own"])
def test_searches_of_equal_games_that_differ_have_their_own_values(pair: Any) -> None:
    least, most = (search(g, alphabeta(2), engine="interpreted").compute().value for g in pair)
    assert most == 9 * least != 0


def test_identical_games_share_an_engine() -> None:
    assert engine_for(TicTacToe()) is engine_for(TicTacToe())
    weights = np.array([3, 1])
    first = engine_for(Weighed(weights=weights))
    assert engine_for(Weighed(weights=weights)) is first
    assert engine_for(Weighed(weights=weights.copy())) is first


@frozen
class Costly(Assignment):
    cost: Any = field(factory=lambda: np.array([1, 1]), eq=False)


@frozen
class Guess(Assignment):
    """A problem whose goal is in a list."""

    goal: list[int]
    variables = 3
    choices = 4
    counters = 0

    def value(self, state: tuple[int, ...]) -> int:
        return sum(abs(a - b) for a, b in zip(state, self.goal, strict=True))

    def load(self, cells: Any) -> int:
        return sum([abs(cells[i] - self.goal[i]) for i in range(3)])

    def change(self, cells: Any, variable: int, choice: int) -> int:
        goal = self.goal[variable]
        return abs(choice - goal) - abs(cells[variable] - goal)

    def assign(self, cells: Any, variable: int, choice: int) -> None:
        cells[variable] = choice


@pytest.mark.parametrize("engine", ["interpreted", "native"])
@given(changes=lists(tuples(integers(0, 2), integers(0, 3)), min_size=1, max_size=3))
@examples(3)
def test_a_local_search_reads_what_its_problem_holds_now(
    engine: str, changes: list[tuple[int, int]]
) -> None:
    problem = Guess([0, 1, 2])
    for i, choice in changes:
        assert climb(problem, engine=engine).state == (*problem.goal,)
        problem.goal[i] = choice
    assert climb(problem, engine=engine).state == (*problem.goal,)


def test_equal_problems_that_differ_have_their_own_engines() -> None:
    def kernel() -> None: ...

    first, again, other = (
        engine_of(kernel, Costly(cost=np.array([n])), "interpreted") for n in (1, 1, 2)
    )
    assert first is again is not other


def test_same_parts() -> None:
    assert same_parts((1, (2, "a")), (1, (2, "a")))
    for a, b in [(1, True), (1, 1.0), ((1,), (1, 2)), ((1,), (2,))]:
        assert not same_parts(a, b)
