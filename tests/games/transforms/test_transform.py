"""A transform delegates every method of a game, except chance and the hooks of searches."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given

from games import CHANCE, PigForMany, TicTacToe, Twenty48, against_all, with_chance
from games.game import Game
from games.transforms.transform import Transform
from tests.games.given import positions


@frozen
class Same(Transform[Any, Any]):
    """A transform that changes nothing."""


NOT_PASSED_ON = {"outcomes", "played", "read_turns"}
"""Methods that are not delegated: chance, and methods defined by others."""


def test_every_method_of_the_interface_is_delegated() -> None:
    signature = {name for name, part in vars(Game).items() if callable(part)}
    passed = {name for name in signature if name in vars(Transform)}
    assert signature - passed - {n for n in signature if n.startswith("__")} == NOT_PASSED_ON


@given(positions(TicTacToe()))
def test_it_gives_the_results_of_its_game(state: Any) -> None:
    game, same = TicTacToe(), Same(TicTacToe())
    assert same.start() == game.start()
    assert (same.status(state), same.player(state)) == (game.status(state), game.player(state))
    moves = list(game.moves(state))
    assert list(same.moves(state)) == moves
    for move in moves:
        assert same.make_move(state, move) == game.make_move(state, move)
        text = game.move_text(state, move)
        assert same.move_text(state, move) == text
        assert same.parse_move(state, text) == move
    value = same.estimate if moves else same.utility
    assert value(state) == (game.estimate if moves else game.utility)(state)
    assert (same.show(state), same.label(state)) == (game.show(state), game.label(state))
    assert same.parse_state(game.show(state)) == state


def test_metrics_and_ranges_are_delegated() -> None:
    game = Twenty48()
    last = game.parse_state("2 2 . .  . . . .  4 . 4 .  . . . 2")
    for view in (Same(game), with_chance(game, 0)):
        assert view.metrics(game.start(), last, 2) == game.metrics(game.start(), last, 2)
        assert (view.value_range, view.native) == (game.value_range, game.native)


def test_a_coalition_is_one_player_and_chance_nodes_stay() -> None:
    game = PigForMany(20)
    view = against_all(game, 2)
    state = game.parse_state("0 7 4, Player2 has brought 5 and rolls")
    assert view.player(state) == CHANCE
    assert list(view.outcomes(state)) == list(game.outcomes(state))
    turns = [game.parse_state(f"0 7 4, {name} has brought 5") for name in ("Maxie", "Player2")]
    assert [view.player(turn) for turn in turns] == [1, 0]


@pytest.mark.parametrize("player", [-1, 3])
def test_a_coalition_against_nobody_is_refused(player: int) -> None:
    with pytest.raises(ValueError, match=f"there is no player {player}; players: 0 to 2"):
        against_all(PigForMany(20), player)
