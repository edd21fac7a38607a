"""Dense networks: sums are exact for one position or many at a time; they learn by gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Dense, TicTacToe, Twenty48
from games.networks.learned import dense_for, with_network
from games.networks.trainee import Rows, trainee
from games.networks.weights import Weights
from graphs.errors import ArgumentError, MalformedError
from tests.games.given import positions

GAME = TicTacToe()
NETWORK = Dense(3, 9, 5, 2.0)


def judged(network: Dense, seed: int, wide: float = 1.0) -> Any:
    row = np.random.default_rng(seed).normal(0, wide, network.size).astype(np.float32)
    return with_network(GAME, network, Weights(network.settled(row)))


@given(positions(GAME, 9), st.integers(0, 99), st.sampled_from([0.01, 1.0, 20.0]))
def test_a_batch_gives_the_value_of_each_position(state: Any, seed: int, wide: float) -> None:
    """The values are equal to the last bit, and equal to the formula in plain Python."""
    game = judged(NETWORK, seed, wide)
    cells = [game.cell(state, k) for k in range(9)]
    weights = game.net_weights.values
    many = NETWORK.sums(weights, np.array([[0] * 9, cells, cells[::-1]] * 700))
    one = game.net_sum(state)
    assert set(many[1::3]) == {one}
    own = 27 * 5
    units = [
        weights[own + j] + sum(weights[(3 * k + v) * 5 + j] for k, v in enumerate(cells))
        for j in range(5)
    ]
    slow = sum(max(0.0, float(u)) * float(weights[own + 5 + j]) for j, u in enumerate(units))
    assert one == pytest.approx(2.0 * (slow + float(weights[-1])))


@given(st.floats(-100, 100, width=32))
def test_settling_weights_twice_changes_nothing(weight: float) -> None:
    once = NETWORK.settled(np.full(3, weight, np.float32))
    assert abs(once[0]) < 16
    assert once[0] == pytest.approx(np.clip(weight, -16, 16), abs=1 / 1000)
    assert np.array_equal(NETWORK.settled(once), once)


@pytest.mark.parametrize("moves", ["1", "1 2 3"])
def test_a_step_corrects_its_share_of_the_error(moves: str) -> None:
    rows = Rows.new(NETWORK, 0.5)
    learner: Any = trainee(GAME, NETWORK, rows)
    state = GAME.parse_state(moves)
    before = learner.net_value(state)
    error = learner.net_revise(state, 0.25, 0.01)
    assert error == pytest.approx(0.25 - before)
    after = learner.net_value(state)
    assert after - before == pytest.approx(0.01 * (0.25 - before), rel=0.02)


def test_initial_weights_are_small_and_deterministic() -> None:
    rows = [Rows.new(NETWORK, 0.5).values for _ in range(2)]
    assert np.array_equal(*rows)
    learner: Any = trainee(GAME, NETWORK, Rows.new(NETWORK, 0.5))
    assert learner.net_sum(GAME.start()) == pytest.approx(0.5, abs=0.3)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"values": 1}, "values must be a whole number, 2 or more, not 1"),
        ({"cells": 0}, "cells must be a whole number, 1 to 1000, not 0"),
        ({"hidden": 0}, "hidden must be a whole number, 1 or more, not 0"),
        ({"scale": 0}, "scale must be a number above 0, not 0"),
        ({"cells": 1000, "values": 2000, "hidden": 2000}, "too many; use fewer hidden units"),
    ],
)
def test_bad_networks_are_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises((MalformedError, ArgumentError), match=why):
        Dense(**{"values": 3, "cells": 9, **wrong})


def test_weights_that_are_not_settled_are_refused() -> None:
    with pytest.raises(MalformedError, match=r"use network\.settled"):
        with_network(GAME, NETWORK, Weights(np.full(NETWORK.size, 0.1)))


def test_the_scale_comes_from_random_games_not_from_the_bounds() -> None:
    found = dense_for(Twenty48(), 4)
    assert 512 <= found.scale <= 2048
    assert found == dense_for(Twenty48(), 4)
