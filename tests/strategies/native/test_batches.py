"""Leaves estimated in batches: order, value, counts and line are those without batches."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Dense, TicTacToe
from games.networks import batches as listed
from games.networks.learned import plain, with_network
from games.networks.weights import Weights
from strategies import minimax, par_list, search
from strategies.native.calls import batches
from strategies.native.calls.batches import Batches, fits, search_in_batches
from strategies.native.engine import Engine
from strategies.native.kept_engines import engine_for
from strategies.native.memory.floats import INFINITY
from tests.games.given import positions
from tests.properties import DEEP, examples
from tests.strategies.players.learning.test_learning import Rolls

MARKS = Dense(3, 9, 32)
DICE = Dense(6, 2, 32, 32.0)
SEEDS = st.integers(0, 3)


@cache
def judged(game: Any, network: Dense, seed: int) -> Any:
    row = np.random.default_rng(seed).normal(0, 0.3, network.size).astype(np.float32)
    return with_network(game, network, Weights(network.settled(row)))


@frozen
class AsEmpty(TicTacToe):
    """Positions of three marks are read as the empty board."""

    def familiar(self, state: Any) -> Any:
        return self.start() if sum(self.cell(state, k) > 0 for k in range(9)) == 3 else state


@pytest.mark.parametrize(("engine", "rules"), [("native", AsEmpty()), ("interpreted", TicTacToe())])
@given(state=positions(TicTacToe(), 8), seed=SEEDS, depth=st.integers(1, 3), nearer=st.booleans())
@examples(20)
def test_batches_find_the_result_of_single_leaves(
    engine: str, rules: Any, state: Any, seed: int, depth: int, nearer: bool
) -> None:
    game = judged(rules, MARKS, seed)
    by, single = engine_for(game, engine), engine_for(game, engine if DEEP else "interpreted")
    how = {"narrow": False, "nearer": nearer}
    assert search_in_batches(by, state, depth, **how) == single.search(state, depth, **how)
    # A loop over leaves may narrow its window; it stops early, but skips no leaf.
    assert search_in_batches(by, state, 1, -0.1, 0.1) == single.search(state, 1, -0.1, 0.1)


@given(state=positions(Rolls(), 9), seed=SEEDS, depth=st.integers(1, 3))
@examples(20)
def test_a_batch_passes_through_chance(state: Any, seed: int, depth: int) -> None:
    by = engine_for(judged(Rolls(), DICE, seed), "interpreted")
    assert fits(by, depth, INFINITY, True)
    assert search_in_batches(by, state, depth) == by.search(state, depth)


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_leaves_in_batches_are_read_as_familiar_positions(engine: str) -> None:
    found = engine_for(judged(AsEmpty(), MARKS, 1), engine)
    plainly = engine_for(judged(TicTacToe(), MARKS, 1), "interpreted")
    state = TicTacToe().parse_state("5")
    assert search_in_batches(found, state, 2) == found.search(state, 2)
    assert found.search(state, 2).value != plainly.search(state, 2).value


def test_only_searches_that_skip_no_leaf_use_batches() -> None:
    marks, dice = (
        engine_for(judged(game, network, 0), "interpreted")
        for game, network in ((TicTacToe(), MARKS), (Rolls(), DICE))
    )
    assert [fits(marks, depth, INFINITY, False) for depth in range(5)] == [0, 1, 1, 1, 0]
    assert [fits(marks, depth, INFINITY, True) for depth in range(5)] == [0, 1, 0, 0, 0]
    assert [fits(dice, depth, 3.0, True) for depth in range(5)] == [0, 1, 0, 0, 0]
    small = engine_for(judged(TicTacToe(), Dense(3, 9, 4), 0), "interpreted")
    for other in (small, engine_for(plain(small.game), "interpreted")):
        assert not fits(other, 2, INFINITY, False)


def test_too_many_leaves_are_estimated_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    by = engine_for(judged(TicTacToe(), MARKS, 0), "interpreted")
    batch = Batches(by)
    monkeypatch.setattr(batches, "BATCH_LEAVES", 71)
    assert not batch.judge(by.game.start(), 2)
    monkeypatch.setattr(batches, "BATCH_LEAVES", 72)
    assert batch.judge(by.game.start(), 2)
    assert listed.BATCH_LEAVES >= 72


def test_each_task_of_a_search_is_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The root has nine moves; the two plies below each are one batch."""
    game = judged(TicTacToe(), MARKS, 1)
    asked: list[int] = []
    real = Dense.sums

    def sums(network: Dense, weights: Any, cells: Any) -> Any:
        asked.append(len(cells))
        return real(network, weights, cells)

    def found() -> Any:
        answer = search(game, minimax(3), using=par_list, engine="interpreted").compute()
        return answer.value, answer.move, answer.line, answer.nodes, answer.leaves

    monkeypatch.setattr(Dense, "sums", sums)
    in_batches = found()
    assert asked == [56] * 9
    monkeypatch.setattr(batches, "PLIES", 0)
    assert found() == in_batches
    assert len(asked) == 9
    whole = Engine(game, "interpreted").search(game.start(), 3, narrow=False)
    assert in_batches[3:] == (whole.nodes, whole.leaves)
