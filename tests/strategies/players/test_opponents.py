"""Opponents as distributions: minimax is expectimax against certain best moves."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import MINNIE, ExplicitGame, with_chance
from games.explicit import Place
from games.transforms.chance import Policy
from strategies import expectimax, minimax, search
from tests.strategies.given import brute, trees


@frozen
class Mostly(Policy[Place, int]):
    """A policy that plays Minnie's best move, or with probability `wrong` a random one."""

    native = False
    game: ExplicitGame
    depth: int
    wrong: float

    def weight(self, state: Place, move: int) -> float:
        n = self.game.many[state.index]
        best = brute(self.game, state, self.depth)[1]
        return (1 - self.wrong) * (move == best) + self.wrong / n


@given(trees(depth=3, floats=True), st.sampled_from([None, "star1", "star2"]))
def test_minimax_is_expectimax_against_perfect_play(game: Any, pruning: Any) -> None:
    certain = with_chance(game, MINNIE, Mostly(game, 9, 0.0))
    found = search(certain, expectimax(9, pruning=pruning), engine="interpreted").compute()
    wanted = search(game, minimax(9), engine="interpreted").compute()
    assert found.value == pytest.approx(wanted.value, abs=1e-12)


@given(trees(depth=2, floats=True), st.sampled_from([0.1, 0.5, 1.0]))
def test_an_erring_opponent_never_lowers_the_value(game: Any, wrong: float) -> None:
    def value(how: Any) -> float:
        turned = with_chance(game, MINNIE, how)
        found: float = search(turned, expectimax(9), engine="interpreted").compute().value
        return found

    best = search(game, minimax(9), engine="interpreted").compute().value
    assert value(Mostly(game, 9, wrong)) >= best - 1e-9
    assert value(Mostly(game, 9, 1.0)) == pytest.approx(value(None), abs=1e-9)
