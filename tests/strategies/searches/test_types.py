"""What type checkers know of a result: its moves are those of the game."""

from __future__ import annotations

from typing import assert_type

from games import Nim
from strategies import alphabeta, mcts, par_list, search
from strategies.searches.collection import Result
from strategies.searches.monte_carlo.result import MonteCarloResult


def test_a_result_has_the_moves_of_its_game() -> None:
    """The type checker, which reads the tests too, is who could fail this."""
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
