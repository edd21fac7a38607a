"""TD(λ) and learning from searches: against plain Python, and on both engines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import MAXIE, Status, TicTacToe
from games.networks.learned import network_of
from games.networks.trainee import Rows, trainee
from strategies.native.calls.learning import Schedule, learn_from_games
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.players.learning.self_play import learn
from tests.strategies.players.learning.test_learning import Rolls, values

GAMES = 12


def own(game: Any, state: Any) -> float:
    """Return the value of a position without looking ahead; a win is more than any estimate."""
    over = game.status(state) != Status.IN_PLAY
    return float(game.utility(state) if over else game.estimate(state))


def looked(game: Any, state: Any, depth: int) -> float:
    """Return the minimax value, computed without windows."""
    if depth == 0 or game.status(state) != Status.IN_PLAY:
        return own(game, state)
    found = [looked(game, game.make_move(state, m), depth - 1) for m in game.moves(state)]
    return max(found) if game.player(state) == MAXIE else min(found)


def learned_slowly(game: Any, depth: int, rate: float, trace: float) -> Rows:
    """Return the weights after games without random moves; λ-returns are sums over a whole game."""
    rows = Rows.new(network_of(game), 0.1, True)
    learner: Any = trainee(game, network_of(game), rows)
    for _ in range(GAMES):
        state, afters, worth = game.start(), [], []
        while game.status(state) == Status.IN_PLAY:
            children = [game.make_move(state, move) for move in game.moves(state)]
            found = [looked(learner, child, depth - 1) for child in children]
            best = (max if game.player(state) == MAXIE else min)(found)
            state = children[found.index(best)]
            afters.append(state)
            worth.append(max(-1.0, min(1.0, best)))  # a win is learned as 1
        for k in reversed(range(len(afters) - 1)):  # the last position is terminal
            later = worth[k + 1 :]
            shares = [(1 - trace) * trace**i for i in range(len(later) - 1)]
            shares.append(trace ** (len(later) - 1))
            target = sum(s * v for s, v in zip(shares, later, strict=True))
            learner.net_revise(afters[k], target, rate)
    return rows


@pytest.mark.parametrize(("trace", "depth"), [(0.5, 1), (1.0, 1), (0.0, 2), (0.7, 2)])
def test_returns_agree_with_their_definition(trace: float, depth: int) -> None:
    game = TicTacToe()
    rows = Rows.new(network_of(game), 0.1, True)
    engine = Engine(trainee(game, network_of(game), rows), "interpreted")
    schedule = Schedule(rate=0.8, trace=trace, depth=depth)
    learn_from_games(engine, schedule, 0, GAMES, Stop())
    slow = learned_slowly(game, depth, 0.8, trace)
    assert np.ptp(rows.values) > 0.1
    assert rows.values == pytest.approx(slow.values, abs=1e-6)


@pytest.mark.parametrize(
    ("coherent", "digest"),
    [(True, "a7283649e3520d5d9d41602dc71c3946"), (False, "7b94a04dd046d0b846701141f5b23dd4")],
)
def test_without_traces_and_at_one_ply_it_is_td_0(coherent: bool, digest: str) -> None:
    """The weights are those of an earlier version, which had TD(0) only."""
    found = learn(TicTacToe(), games=40, trace=0, depth=1, coherent=coherent, engine="interpreted")
    assert found.weights.digest == digest


@pytest.mark.long  # by default, the test of a dense network in test_learning.py compares them
def test_both_engines_learn_the_same_from_returns() -> None:
    given: dict[str, Any] = {"games": 60, "seed": 3, "trace": 0.7, "depth": 2}
    found = learn(TicTacToe(), engine="native", **given)
    assert values(found) == values(learn(TicTacToe(), engine="interpreted", **given))
    other = learn(TicTacToe(), engine="interpreted", **{**given, "trace": 0.6})
    assert values(found) != values(other)


@pytest.mark.parametrize("trace", [0.3, 1.0])
def test_returns_pass_through_chance_nodes(trace: float) -> None:
    """Each roll is worth 3.5 points; finally, chance ends the game."""
    found: Any = learn(
        Rolls(), games=600, epsilon=0.2, start=20, trace=trace, engine="interpreted"
    ).game
    state = Rolls().start()
    worth = []
    for _ in range(5):
        state = Rolls().make_move(state, 1)
        worth.append(found.net_sum(state))
        state = next(Rolls().outcomes(state))[1]
    assert worth == pytest.approx([3.5 * left for left in (5, 4, 3, 2, 1)], abs=2)
