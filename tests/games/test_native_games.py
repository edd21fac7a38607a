"""The rules of every game give the same results compiled and interpreted."""

from typing import Any

import pytest
from attrs import evolve, frozen

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
    with_repetition,
)
from games.riskless.rules import ESTIMATES
from games.transforms.transform import Transform
from strategies.native.kept_engines import engine_for
from tests.games.given import ring, rules_agree

SEARCHED = [TicTacToe(), ConnectFour(), Pig(4)]
"""The games whose searches other tests compile, too."""
OTHERS = [
    Othello(),
    Pacman.on("three"),
    Pacman.on("capsules", scared_time=8),
    evolve(ring(64), weights=ESTIMATES["strategic"]),
    Pursuit(),
    Transform(Transform(Nim((2, 1)))),
    with_repetition(with_chance(Nim((2, 1)), MINNIE), 2),
]
"""One game for each other set of rules; compiling a search of one takes 1.5 to 5 s."""
ALIKE = [
    Nim(),
    Twenty48(),
    Pig(10),
    Pacman.on("wide", scared_time=9),
    ring(64),
    Riskless.on("islands", estimate="strategic"),
    ConnectFour(8, 7, 5, pairs=2),
    Twenty48(None),
    Riskless(Map.load("islands")),
    Riskless(Map.load("duel")),
    Riskless.on("earth"),
    with_chance(ConnectFour(), MINNIE, (1, 2, 3, 4, 3, 2, 0)),
    with_chance(Twenty48(64), MAXIE),
]
"""Games that differ from those above, or from that of test_features, only by constants or by a
transform."""


def in_long_runs(games: list[Any]) -> list[Any]:
    return [pytest.param(game, marks=pytest.mark.long) for game in games]


def named(game: Game[Any, Any]) -> str:
    return repr(game)[:40]


@pytest.mark.parametrize("game", [*OTHERS, *in_long_runs([*SEARCHED, *ALIKE])], ids=named)
def test_both_engines_agree_on_the_rules(game: Game[Any, Any]) -> None:
    assert rules_agree(game)


@pytest.mark.parametrize("game", [*SEARCHED, *in_long_runs([*OTHERS, *ALIKE])], ids=named)
def test_both_engines_count_play_and_search_alike(game: Game[Any, Any]) -> None:
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
