"""The rules of every game give the same results compiled and interpreted."""

from typing import Any

import pytest
from attrs import frozen

from games import (
    MAXIE,
    MINNIE,
    ConnectFour,
    Game,
    Map,
    Nim,
    Othello,
    Pacman,
    Pig,
    Pursuit,
    Riskless,
    TicTacToe,
    Twenty48,
    with_chance,
)
from strategies.native.engine import engine_for
from tests.games.given import ring

GAMES = [
    TicTacToe(),
    ConnectFour(),
    pytest.param(ConnectFour(8, 7, 5, pairs=2), marks=pytest.mark.long),
    Nim(),
    Othello(),
    Pacman.on("three"),
    Pig(10),
    Twenty48(),
    pytest.param(Twenty48(None), marks=pytest.mark.long),
    pytest.param(Riskless(Map.load("islands")), marks=pytest.mark.long),
    pytest.param(Riskless(Map.load("duel")), marks=pytest.mark.long),
    Riskless.on("islands", estimate="strategic"),
    pytest.param(Riskless.on("earth"), marks=pytest.mark.long),
    ring(64),
    Pursuit(),
    pytest.param(with_chance(ConnectFour(), MINNIE, (1, 2, 3, 4, 3, 2, 0)), marks=pytest.mark.long),
    pytest.param(with_chance(Twenty48(64), MAXIE), marks=pytest.mark.long),
]
"""The games that differ from another one of the list only by constants take part in long runs."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: repr(game)[:40])
def test_both_engines_agree(game: Game[Any, Any]) -> None:
    native, interpreted = engine_for(game), engine_for(game, "interpreted")
    assert native.native, native.reason
    assert native.perft(game.start(), 3) == interpreted.perft(game.start(), 3)
    for seed in range(12):
        end = native.playout(game.start(), seed)
        assert end == interpreted.playout(game.start(), seed)
        state = native.playout(game.start(), seed, 3 * seed)[0]
        assert native.search(state, 2) == interpreted.search(state, 2)


@frozen
class Foreign(TicTacToe):
    """A game that declares that its rules must not be compiled."""

    native = False


def test_rules_with_chance_are_not_compiled_if_the_game_forbids_it() -> None:
    assert not engine_for(Foreign()).native
    assert not engine_for(with_chance(Foreign(), MINNIE)).native


@pytest.mark.parametrize(
    ("game", "depth", "lines"),
    [
        (ConnectFour(), 8, 5_673_234),
        (ConnectFour(), 7, 823_536),
        (TicTacToe(), 9, 127_872),
    ],
)
def test_deep_perft(game: Game[Any, Any], depth: int, lines: int) -> None:
    assert engine_for(game, "native").perft(game.start(), depth) == lines


def test_all_games_of_tictactoe_are_counted() -> None:
    game = TicTacToe()
    engine = engine_for(game, "native")
    assert engine.complete_games(game.start()) == 255_168
    assert engine.search(game.start(), 9).value == 0


def test_alpha_beta_visits_as_many_nodes_as_openspiel_in_connect_four() -> None:
    """OpenSpiel's alpha-beta visits as many nodes at depth 8, with a constant estimate."""
    game = ConnectFour()
    found = engine_for(game, "native").search(game.start(), 8, nearer=False)
    assert (found.value, found.nodes) == (0, 12_574)
