"""Positions as shown to people: board, turn and moves, as text and in a notebook."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import frozen

from games import (
    HANDOUT_SMALL,
    MAXIE,
    ConnectFour,
    ExplicitGame,
    Game,
    IllegalMove,
    Othello,
    PigForMany,
    Position,
    Status,
    TicTacToe,
    Twenty48,
)
from graphs.limits import MOVES_TOLD, TOLD_MOVE_LETTERS
from strategies import minimax, search

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(4, 4), Othello(), Twenty48(), HANDOUT_SMALL, PigForMany()]
)
def test_a_position_shows_board_turn_and_moves(game: Game[Any, Any]) -> None:
    state = game.start()
    found = Position(game)
    assert found == Position(game, state)
    moves = [game.move_text(state, move) for move in game.moves(state)]
    assert found.moves == moves
    assert str(found).startswith(game.show(state) + "\n" + found.turn)
    parts = ElementTree.fromstring(f"<div>{found._repr_html_()}</div>")
    svg = parts.find(f"{SVG}svg")
    shown = (parts.findtext("pre") if svg is None else svg.get("aria-label")) or ""
    assert shown.split() == game.show(state).split()
    assert (svg is None) == (game.picture(state) is None) == (found.svg == "")
    assert [code.text for code in parts.iter("code")] == moves


def test_it_shows_the_player_to_move_or_the_result() -> None:
    start = Position(TicTacToe())
    assert start.turn == "Maxie to move"
    assert start.after("1").turn == "Minnie to move"
    won = start.after("1 4 2 5 3")
    assert (won.turn, won.moves) == ("Maxie wins", [])
    assert str(won).endswith("\nMaxie wins")
    assert Position(Twenty48()).turn == "chance draws one of 32 outcomes"
    assert Position(HANDOUT_SMALL).after("left 0").turn.startswith("over, with ")


def test_moves_agree_with_the_game() -> None:
    game = TicTacToe()
    assert Position(game).after("5 1 9").state == game.parse_state("5 1 9")
    with pytest.raises(IllegalMove, match="5"):
        Position(game).after("5 5")


def test_play_makes_the_move_of_the_game() -> None:
    start = Position(TicTacToe())
    for move in start.game.moves(start.state):
        assert start.after(move) == start.after(start.game.move_text(start.state, move))
    for wrong in ([5, 1], None, 99):
        with pytest.raises(IllegalMove, match="give a move of the game, or a text of names"):
            start.after(wrong)


def test_states_of_other_games_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match=r"write Position\(game\)\.after\(\'5 1\'\)"):
        Position(TicTacToe(), "5 1")
    with pytest.raises(TypeError, match="a state of TicTacToe must be a"):
        Position(TicTacToe(), Twenty48().start())


@frozen
class Begun:
    """The state before the first move."""


class TwoKinds(Game[Begun | int, str]):
    """A game whose first state has another class."""

    def start(self) -> Begun:
        return Begun()

    def status(self, state: Begun | int) -> Status:
        return Status.IN_PLAY if isinstance(state, Begun) or state > 0 else Status.OVER

    def player(self, state: Begun | int) -> int:
        return MAXIE

    def moves(self, state: Begun | int) -> list[str]:
        return ["go"]

    def make_move(self, state: Begun | int, move: str) -> int:
        return 1 if isinstance(state, Begun) else state - 1


def test_states_may_be_of_several_classes() -> None:
    assert Position(TwoKinds()).after("go").state == 1
    assert Position(TwoKinds(), 1).turn == "Maxie to move"
    card = search(TwoKinds(), minimax(1), state=1, engine="interpreted").compute()._repr_html_()
    assert "<code>go</code>" in card
    with pytest.raises(TypeError, match="a state of TwoKinds must be a Begun, not 'go'"):
        Position(TwoKinds(), "go")


def test_it_says_why_no_move_can_be_played() -> None:
    over = Position(TicTacToe()).after("1 4 2 5 3")
    with pytest.raises(IllegalMove, match="the game is over, Maxie wins"):
        over.after("9")
    with pytest.raises(IllegalMove, match="is none of the 32 outcomes of chance: 0 "):
        Position(Twenty48()).after("left")


def test_long_texts_of_moves_are_cut() -> None:
    found = Position(ExplicitGame.from_nested([1, 2], names=("a" * 1000, "b" * TOLD_MOVE_LETTERS)))
    assert (
        str(found).splitlines()[-1]
        == f"Maxie to move: {'a' * (TOLD_MOVE_LETTERS - 1)}… {'b' * TOLD_MOVE_LETTERS}"
    )
    assert len(found.moves[0]) == 1000


def test_only_some_of_many_moves_are_listed() -> None:
    wide = ExplicitGame.from_nested(list(range(MOVES_TOLD + 3)))
    assert len(Position(wide).moves) == MOVES_TOLD + 3
    assert str(Position(wide)).endswith(f" {MOVES_TOLD - 1} … 3 more")
