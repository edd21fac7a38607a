"""Optimal play of Pig agrees with published results and with a search."""

import pytest

from games import Pig
from games.pig.optimum import win_probabilities
from strategies import expectimax, search


def test_optimal_play_agrees_with_the_published_result() -> None:
    """Neller and Presser: the first player wins with probability 0.5306."""
    first = win_probabilities(100)
    assert round(float(first[0, 0]), 4) == 0.5306


def reference(target: int, sides: int) -> float:
    """Compute the same by plain iteration over positions, in Python."""
    value: dict[tuple[int, int, int], float] = {}
    while True:
        change = 0.0
        for own in range(target):
            for other in range(target):
                for brought in reversed(range(target - own)):
                    lost = 1 - value.get((other, own, 0), 0.5)
                    points = range(brought + 2, brought + sides + 1)
                    kept = [
                        value.get((own, other, k), 0.5) if own + k < target else 1 for k in points
                    ]
                    held = 1 - value.get((other, own + brought, 0), 0.5)
                    best = max((lost + sum(kept) + sides - 1 - len(kept)) / sides, held)
                    change = max(change, abs(best - value.get((own, other, brought), 0)))
                    value[own, other, brought] = best
        if change < 1e-12:
            return value[0, 0, 0]


@pytest.mark.parametrize(("target", "sides"), [(1, 6), (4, 3), (8, 6), (9, 2)])
def test_optimal_play_of_small_games(target: int, sides: int) -> None:
    found = win_probabilities(target, sides)
    assert found[0, 0] == pytest.approx(reference(target, sides), abs=1e-9)


@pytest.mark.parametrize("target", [2, 4])
def test_expectimax_finds_optimal_play(target: int) -> None:
    deep = expectimax(depth=14, table="1MB")
    found = search(Pig(target), deep, engine="interpreted").compute()
    assert (found.value + 1) / 2 == pytest.approx(win_probabilities(target)[0, 0], abs=1e-4)
