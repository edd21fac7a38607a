"""Ratings: known ratings are recovered, and intervals have their coverage."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.players.tournaments.elo import (
    Pair,
    expected,
    mean_of,
    ratings,
    score_interval,
    t_quantile,
)


def drawn(random: Random, chance: float) -> float:
    """Draw the score of a pair of games; between equal players a third are draws."""
    draw = 0.33 * min(chance, 1 - chance) * 2
    score = 0.0
    for _ in range(2):
        x = random.random()
        score += 1 if x < chance - draw / 2 else 0.5 if x < chance + draw / 2 else 0
    return score


def test_known_ratings_are_recovered() -> None:
    random, true = Random(1), [150.0, 20.0, -50.0, -120.0]
    pairs = [
        Pair(i, j, 2, drawn(random, expected(true[i] - true[j])))
        for i in range(4) for j in range(i + 1, 4) for _ in range(2000)
    ]  # fmt: skip
    found = ratings(4, pairs)
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    for k in range(4):
        _, low, high = found.interval(k)
        assert low < true[k] < high
        assert high - low < 12


@pytest.mark.parametrize(("points", "count"), [(0, 10), (100, 10), (250, 30)])
def test_intervals_of_95_percent_have_about_this_coverage(points: int, count: int) -> None:
    random, chance, tries = Random(points + count), expected(points), 400
    by_score = by_elo = 0
    for _ in range(tries):
        scores = [drawn(random, chance) for _ in range(count)]
        _, low, high = score_interval([s / 2 for s in scores])
        by_score += low <= chance <= high
        _, low, high = ratings(2, [Pair(0, 1, 2, s) for s in scores]).difference(0, 1)
        by_elo += low <= points <= high
    assert 0.915 <= by_score / tries <= 0.995
    assert 0.915 <= by_elo / tries <= 0.995


def test_quantiles_are_those_of_the_tables() -> None:
    wanted = {
        1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
        10: 2.228, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980, 10**9: 1.960,
    }  # fmt: skip
    assert {n: t_quantile(n) for n in wanted} == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("count", [2, 3, 5, 20])
def test_intervals_of_means_have_this_coverage_from_two_numbers_on(count: int) -> None:
    draw, tries = Random(count), 2000
    rows = ([draw.gauss(7, 2) for _ in range(count)] for _ in range(tries))
    hits = sum(found.low <= 7 <= found.high for found in map(mean_of, rows))
    assert hits / tries == pytest.approx(0.95, abs=0.02)


@given(st.floats(-1e9, 1e9).map(lambda x: x + 0.0))  # no negative zero
def test_one_number_has_no_interval(number: float) -> None:
    found = mean_of([number])
    assert found.to_dict() == {"value": number, "low": None, "high": None}
    assert found.text("g") == f"{number:g}, no interval from one sample"


def test_winning_every_game_gives_a_finite_rating_that_grows_with_the_games() -> None:
    few, many = (ratings(2, [Pair(0, 1, 2, 2.0)] * n).difference(0, 1) for n in (5, 50))
    assert 0 < few.value < many.value < 2000
    assert few.low < 0 < many.low  # five pairs are too few
    assert score_interval([1.0] * 5).high == 1
    assert score_interval([0.5] * 50).low > 0.45


def test_intervals_count_pairs_of_games() -> None:
    wide = score_interval([0.0, 1.0] * 20)
    narrow = score_interval([0.5] * 40)  # each player wins one game of each pair: as many wins
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2


def test_probability_of_being_stronger() -> None:
    found = ratings(3, [Pair(0, 1, 2, 1.5)] * 30 + [Pair(1, 2, 2, 1.0)] * 30)
    assert found.stronger(0, 1) > 0.99 > found.stronger(1, 2) > 0.4
    assert found.stronger(0, 1) + found.stronger(1, 0) == pytest.approx(1)
