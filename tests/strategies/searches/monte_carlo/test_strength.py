"""Monte Carlo tree search finds the best move of solved positions."""

from itertools import islice

import pytest

from benchmarks.mcts_moves import puzzles, right
from games import ConnectFour
from strategies import mcts


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_the_best_move_is_found_in_95_of_100_positions(seed: int) -> None:
    """Each position has one best move; each search makes 10,000 simulations."""
    game = ConnectFour()
    asked = list(islice(puzzles(game, seed), 100))
    assert right(game, asked, mcts(10_000)) >= 95


@pytest.mark.slow
@pytest.mark.long
def test_a_policy_finds_moves_that_random_play_misses() -> None:
    """In these positions purely random plays mislead more often."""
    game = ConnectFour()
    asked = list(islice(puzzles(game, seed=3), 100))
    assert (
        right(game, asked, mcts(10_000)) < 95 <= right(game, asked, mcts(10_000, rollout="policy"))
    )


def test_more_simulations_find_the_best_move_more_often() -> None:
    game = ConnectFour()
    asked = list(islice(puzzles(game, seed=3, least=20), 20))
    few, many = (right(game, asked, mcts(n)) for n in (10, 2_000))
    assert few < 17 <= many
