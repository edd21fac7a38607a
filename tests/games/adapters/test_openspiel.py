"""The OpenSpiel adapter keeps the laws, and its games have the values of our own."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from games import CHANCE, WIN, ConnectFour, TicTacToe, find_game
from games.adapters.openspiel import OpenSpiel
from games.laws import check_laws
from strategies import alphabeta, expectimax, par_list, search


@pytest.fixture
def spiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")


GAMES = ("tic_tac_toe", "connect_four", "hex(board_size=3)", "pig(winscore=12)", "2048")


@pytest.mark.parametrize("name", GAMES)
def test_games_of_openspiel_keep_the_laws(spiel: Any, name: str) -> None:
    report = check_laws(OpenSpiel(name), max_plies=12)
    assert report.ok, str(report)


def same(theirs: OpenSpiel, ours: Any, moves: tuple[int, ...], depth: int) -> Any:
    """Return the value after moves; both games must find it with the same move and node count."""
    there, here = theirs.start(), ours.start()
    for move in moves:
        there, here = theirs.make_move(there, move), ours.make_move(here, move)
    found = search(theirs, alphabeta(depth), state=there).compute()
    wanted = search(ours, alphabeta(depth), state=here, engine="interpreted").compute()
    assert (found.value, found.line, found.nodes) == (wanted.value, wanted.line, wanted.nodes)
    return found.value


@pytest.mark.parametrize("moves", [(0, 4, 8, 1), (0, 8, 2), (4, 1, 3)])
def test_tic_tac_toe_is_equivalent_to_ours(spiel: Any, moves: tuple[int, ...]) -> None:
    same(OpenSpiel("tic_tac_toe"), TicTacToe(), moves, 9)


@pytest.mark.parametrize(
    ("moves", "depth", "wins"), [((), 4, False), ((0, 6, 0, 6, 0, 1), 3, True), ((3, 3), 4, False)]
)
def test_connect_four_is_equivalent_to_ours(
    spiel: Any, moves: tuple[int, ...], depth: int, wins: bool
) -> None:
    value = same(OpenSpiel("connect_four"), ConnectFour(), moves, depth)
    assert (value >= WIN) == wins


def test_outcomes_of_chance_are_weighted(spiel: Any) -> None:
    pig = OpenSpiel("pig(winscore=3)")
    rolled = pig.parse_state("roll")
    assert pig.player(rolled) == CHANCE
    assert sum(p for p, _ in pig.outcomes(rolled)) == pytest.approx(1)
    assert search(pig, expectimax(4)).compute().value > 0


def test_three_players_are_searched_by_maxn(spiel: Any) -> None:
    game = OpenSpiel("chinese_checkers(players=3)")
    assert game.players == 3
    assert game.estimate(game.start()) == (0, 0, 0)


def test_positions_can_be_pickled(spiel: Any) -> None:
    game = OpenSpiel()
    answer = search(game, alphabeta(3), using=par_list)
    assert answer.compute(scheduler="processes", num_workers=2).value == 0
    state = game.parse_state("x(0,0) o(1,1)")
    assert pickle.loads(pickle.dumps(state)) == state
    before = game.show(state)
    game.make_move(state, 1)
    assert game.show(state) == before


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("kuhn_poker", "kuhn_poker: players do not see everything; only games of perfect"),
        ("matrix_rps", "matrix_rps: players move at the same time"),
        ("goofspiel", "goofspiel: players move at the same time"),
        ("no_such", "OpenSpiel has no game 'no_such': Unknown game 'no_such'"),
        ("hex(size=", "OpenSpiel has no game"),
    ],
)
def test_games_that_cannot_be_searched_are_refused(
    spiel: Any, name: str, complaint: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=complaint.replace("(", r"\(")) as caught:
        OpenSpiel(name)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_the_catalogue_passes_parameters_on(spiel: Any) -> None:
    assert find_game("openspiel:hex(board_size=3)") == OpenSpiel("hex(board_size=3)")
    assert find_game("openspiel") == OpenSpiel("tic_tac_toe")
    with pytest.raises(ValueError, match="openspiel: OpenSpiel has no game 'hex\\(bored=3\\)'"):
        find_game("openspiel:hex(bored=3)")
