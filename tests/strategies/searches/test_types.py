"""Types of results: their moves have the type of the game's moves."""

from __future__ import annotations

from typing import assert_type

from games import Nim
from strategies import alphabeta, mcts, par_list, search
from strategies.searches.collection import Result
from strategies.searches.monte_carlo.result import MonteCarloResult


def test_a_result_has_the_moves_of_its_game() -> None:
    """Only the type checker, which also checks the tests, can fail here."""
    found = search(Nim((1, 2)), alphabeta(2), using=par_list, engine="interpreted").compute("sync")
    assert_type(found, Result[tuple[int, int]])
    assert_type(found.line, tuple[tuple[int, int], ...])
    assert found.move is not None
    heap, counters = assert_type(found.move, tuple[int, int])
    assert (heap, counters) == (1, 1)
    sampled = search(Nim((1, 2)), mcts(9), engine="interpreted").compute("sync")
    assert_type(sampled, MonteCarloResult[tuple[int, int]])
    assert_type(sampled.visits, dict[tuple[int, int], int])
    assert sum(sampled.visits.values()) > 0
