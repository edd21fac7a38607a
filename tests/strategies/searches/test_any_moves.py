"""Moves may be any objects, including None, which can mean a pass."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

from games import Game, RandomAgent, Status, play
from strategies import alphabeta, jamboree, minimax, mtdf, par_list, pvs, search

MOVES = (None, 0, {"take": 1})


@frozen
class Place:
    x: int
    ply: int


@frozen
class AnyMoves(Game[Place, Any]):
    """A game with three moves, the first of which is None."""

    salt: int = 0

    def start(self) -> Place:
        return Place(3, 0)

    def status(self, state: Place) -> Status:
        return Status.OVER if state.ply == 5 else Status.IN_PLAY

    def player(self, state: Place) -> int:
        return state.ply % 2

    def moves(self, state: Place) -> Any:
        yield from MOVES if state.ply < 5 else ()

    def make_move(self, state: Place, move: Any) -> Place:
        return Place(3 * state.x + 1 + MOVES.index(move), state.ply + 1)

    def estimate(self, state: Place) -> int:
        return self.utility(state)

    def utility(self, state: Place) -> int:
        return state.x * (37 + self.salt) % 11


@pytest.mark.parametrize("salt", range(2))
@pytest.mark.parametrize(
    ("algorithm", "using"),
    [
        (alphabeta(5), jamboree(0.5).to_ply(2)),
        (pvs(5), par_list.to_ply(1)),
        (mtdf(5), par_list.to_ply(1)),
    ],
    ids=repr,
)
def test_a_move_may_be_none(salt: int, algorithm: Any, using: Any) -> None:
    game = AnyMoves(salt)
    plain = search(game, minimax(5), engine="interpreted").compute()
    found = search(game, algorithm, using=using, engine="interpreted").compute()
    assert (found.move, found.value) == (plain.move, plain.value)


def test_none_is_read_and_played() -> None:
    game = AnyMoves()
    assert game.parse_move(game.start(), "None") is None
    record = play(game, RandomAgent(3), RandomAgent(4))
    assert "None" in record.turns
    assert record.status == Status.OVER
