"""How simulations are distributed among moves: uniformly, or by UCB1."""

from __future__ import annotations

from math import log, sqrt

import pytest

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Tree
from strategies import mcts, search

CHANCES = (0.3, 0.55, 0.6)


def arms(player: int) -> ExplicitGame:
    """Return a tree with three moves to throws that `player` wins with the odds of `CHANCES`."""
    sign = 1 if player == MAXIE else -1
    throws = (
        Tree("", CHANCE, (Tree(value=sign), Tree(value=-sign)), chances=(p, 1 - p)) for p in CHANCES
    )
    return ExplicitGame.from_tree(Tree("", player, tuple(throws)))


@pytest.mark.parametrize("player", [MAXIE, MINNIE])
@pytest.mark.parametrize("c", [1.4, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_ucb_equalises_the_criterion_of_all_moves(player: int, c: float, seed: int) -> None:
    """The move with the highest UCB is taken, which lowers it; finally all are nearly equal."""
    many = 3000
    found = search(arms(player), mcts(many, c=c, seed=seed), engine="interpreted").compute()
    sign = 1 if player == MAXIE else -1
    values = [m.value for m in found.moves if m.value is not None]
    criteria = [
        sign * v + c * sqrt(log(many) / m.visits) for v, m in zip(values, found.moves, strict=True)
    ]
    assert sum(found.visits.values()) == many
    assert max(criteria) - min(criteria) < 0.06
    assert found.move == max(found.visits, key=found.visits.__getitem__)


def test_uniform_visits_all_moves_equally_and_ucb_better_moves_more() -> None:
    game = arms(MAXIE)
    uniform = search(game, mcts(300, allocate="uniform"), engine="interpreted").compute()
    assert uniform.visits == {0: 100, 1: 100, 2: 100}
    ucb = search(game, mcts(300), engine="interpreted").compute()
    assert ucb.visits[0] < 50 < min(ucb.visits[1], ucb.visits[2])
    for m, p in zip(uniform.moves, CHANCES, strict=True):
        assert m.value == pytest.approx(2 * p - 1, abs=0.3)
