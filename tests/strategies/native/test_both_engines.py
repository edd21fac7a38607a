"""Both engines agree on value, move, nodes and leaves of every algorithm on every game."""

from __future__ import annotations

from typing import Any

import pytest

from games import (
    MAXIE,
    MINNIE,
    ConnectFour,
    Featured2048,
    Game,
    Nim,
    NimForMany,
    Othello,
    Pacman,
    Pessimistic2048,
    Pig,
    PigForMany,
    Pursuit,
    Riskless,
    TicTacToe,
    Twenty48,
    against_all,
    weights_of,
    with_chance,
    with_weights,
)
from strategies import alphabeta, expectimax, maxn, minimax, mtdf, paranoid, pvs, search
from strategies.algorithms.algorithm import Algorithm
from strategies.native.kept_engines import engine_for
from tests.games.test_laws_of_games import FOR_MANY, MIXED, mixed

TABLE = "64kB"
FOR_TWO = (minimax, alphabeta, lambda depth: alphabeta(depth, table=TABLE), pvs, mtdf)
BY_CHANCE = (
    expectimax,
    lambda depth: expectimax(depth, table=TABLE),
    lambda depth: expectimax(depth, cutoff=0.05, table=TABLE),
    lambda depth: expectimax(depth, rounded=True),
    lambda depth: expectimax(depth, pruning="star1"),
    lambda depth: expectimax(depth, pruning="star2", table=TABLE),
)
FOR_MORE = (maxn, paranoid)


def doubled(game: Any) -> Any:
    """Return the game with each weight doubled plus one."""
    return with_weights(game, **{name: 2 * n + 1 for name, n in weights_of(game).items()})


GAMES: dict[str, tuple[Game[Any, Any], int]] = {
    "tree": (mixed(1), 3),
    "tree of floats": (MIXED, 3),
    "tictactoe": (TicTacToe(), 4),
    "connect_four": (ConnectFour(), 4),
    "connect_four pairs": (ConnectFour(4, 3, 3, pairs=2), 4),
    "othello": (Othello(), 3),
    "othello weights": (doubled(Othello(6)), 3),
    "nim": (Nim((2, 3, 1)), 4),
    "nim misere": (Nim((2, 3), misere=True), 4),
    "pursuit": (Pursuit(), 4),
    "pursuit line": (Pursuit.line(), 5),
    "riskless": (Riskless.on("duel"), 4),
    "riskless earth": (Riskless.on("earth"), 2),
    "riskless strategic": (Riskless.on("islands", estimate="strategic"), 3),
    "riskless weights": (doubled(Riskless.on("duel")), 4),
    "pacman two": (Pacman.on("small"), 3),
    "pacman mixed": (Pacman.on("mixed"), 3),
    "pig": (Pig(10), 5),
    "twenty48": (Twenty48(), 3),
    "twenty48 features": (Featured2048(), 3),
    "twenty48 weights": (Featured2048(empty=7, smoothness=-1, best=3), 3),
    "twenty48 pessimistic": (Pessimistic2048(), 4),
    "tictactoe by chance": (with_chance(TicTacToe(), MINNIE), 3),
    "connect_four by a policy": (with_chance(ConnectFour(5, 4), MAXIE, (1, 2, 3, 2, 0)), 3),
    "pursuit by chance": (with_chance(Pursuit.line(), MINNIE), 4),
    "pig by chance": (with_chance(Pig(20), MINNIE), 4),
    "pig for three against one": (against_all(PigForMany(20), 1), 4),
    "nim for three against one": (against_all(NimForMany((2, 2)), 2), 4),
    "tree for three": (FOR_MANY, 3),
    "nim for three": (NimForMany((2, 2)), 4),
}

LONG = {
    "connect_four",
    "pig",
    "connect_four by a policy",
    "connect_four pairs",
    "nim",
    "nim for three",
    "nim for three against one",
    "nim misere",
    "othello",
    "othello weights",
    "pacman mixed",
    "pacman two",
    "pig by chance",
    "pig for three against one",
    "pursuit",
    "pursuit by chance",
    "pursuit line",
    "riskless",
    "riskless earth",
    "riskless strategic",
    "riskless weights",
    "tictactoe by chance",
    "tree for three",
    "tree of floats",
    "twenty48",
    "twenty48 features",
    "twenty48 pessimistic",
    "twenty48 weights",
}
"""Games that add no algorithm and no kind of node to the others.

Other tests compare the rules of every game on both engines, and searches for three players.
"""


def algorithms(game: Game[Any, Any], depth: int) -> list[Algorithm]:
    """Return the algorithms that accept the game."""
    if game.players > 2:
        return [make(depth) for make in FOR_MORE]
    has_chance = type(game).outcomes is not Game.outcomes
    return [make(depth) for make in (*FOR_TWO, *(BY_CHANCE if has_chance else ()))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in GAMES]
)
def test_all_algorithms_agree_on_both_engines(name: str) -> None:
    game, depth = GAMES[name]
    native = engine_for(game)
    assert native.native, native.reason
    state = native.playout(game.start(), 7, 2)[0]
    for algorithm in algorithms(game, depth):
        for place in (game.start(), state):
            runs = [
                search(game, algorithm, state=place, engine=engine).compute(num_workers=1)
                for engine in ("native", "interpreted")
            ]
            found = [(run.value, run.move, run.line, run.nodes, run.leaves) for run in runs]
            assert found[0] == found[1], (algorithm, place)
