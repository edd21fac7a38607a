"""The law that hooks change no value: it holds for good hooks, and catches each kind of bad one."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from games import WIN, ConnectFour, Game, TicTacToe, win_in
from games.connect_four import Discs
from games.laws.examine import Verdict, examine
from games.laws.plays import Plays
from games.words import U64
from strategies.native.verification.engine_laws import hooks_change_no_value

SMALL = {"width": 4, "height": 3, "connect": 3, "pairs": 2}


def verdict(game: Game[Any, Any]) -> Verdict:
    return examine(hooks_change_no_value, Plays(game, "dev", 0, 12))


def test_the_hooks_of_connect_four_keep_the_law() -> None:
    assert verdict(ConnectFour(**SMALL)).result == "pass"


def test_it_does_not_apply_without_hooks() -> None:
    assert verdict(TicTacToe()).result == "not applicable"


@frozen
class KeysOfOnePlayer(ConnectFour):
    def key(self, state: Discs) -> U64:
        return state.mover


@frozen
class TooHopeful(ConnectFour):
    """Denies losses."""

    def bounds(self, state: Discs) -> tuple[int, int]:
        return (0, win_in(1)) if self.player(state) == 0 else (-win_in(1), 0)


@frozen
class WinsWithoutDistance(ConnectFour):
    """Says that a win is known, but not how far it is."""

    def bounds(self, state: Discs) -> tuple[int, int]:
        low, high = ConnectFour.bounds(self, state)
        return (WIN, WIN) if low == high == win_in(1) else (low, high)


@frozen
class FirstSafeMove(ConnectFour):
    """Leaves out good moves."""

    def candidates(self, state: Discs) -> Iterator[int]:
        for move in self.moves(state):
            yield move
            break


@pytest.mark.parametrize("fault", [KeysOfOnePlayer, TooHopeful, WinsWithoutDistance, FirstSafeMove])
def test_a_hook_that_breaks_its_promise_is_found(fault: type[ConnectFour]) -> None:
    assert verdict(fault(**SMALL)).result == "broken"
