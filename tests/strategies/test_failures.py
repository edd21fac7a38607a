"""A rule that fails is reported with the position and the moves that led there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import frozen

from games import MAXIE, Game, Status
from strategies import RuleFailed, alphabeta, engine_for, jamboree, par_list, search, seq
from strategies.strategy import Strategy


@frozen
class Pile:
    stones: int


@frozen
class Fragile(Game[Pile, int]):
    """Take one or two stones; a rule fails where `bad` stones are left."""

    rule: int = 0
    bad: int = 3
    players = 1

    def start(self) -> Pile:
        return Pile(8)

    def status(self, state: Pile) -> Status:
        if self.rule == 0 and state.stones == self.bad:
            raise ValueError("status is lost")
        return Status.OVER if state.stones <= 0 else Status.IN_PLAY

    def player(self, state: Pile) -> int:
        return MAXIE

    def moves(self, state: Pile) -> Iterator[int]:
        if self.rule == 1 and state.stones == self.bad:
            raise ValueError("moves are lost")
        yield 1
        if state.stones > 1:
            yield 2

    def make_move(self, state: Pile, move: int) -> Pile:
        if self.rule == 2 and state.stones == self.bad:
            raise ValueError("the move is lost")
        return Pile(state.stones - move)

    def estimate(self, state: Pile) -> int:
        return state.stones

    def utility(self, state: Pile) -> int:
        return 0


@pytest.mark.parametrize("engine", ["native", "interpreted"])
@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("bad", [8, 7, 6, 5, 3])
@pytest.mark.parametrize(
    "using",
    [
        seq,
        par_list,
        par_list.to_ply(2),
        jamboree(0.5).everywhere.grain(plies=1),
        par_list.everywhere,
    ],
)
def test_the_moves_that_led_to_the_failure_are_told(
    engine: str, rule: int, bad: int, using: Strategy
) -> None:
    game = Fragile(rule, bad)
    with pytest.raises(RuleFailed) as error:
        search(game, alphabeta(7), using=using, engine=engine).compute(num_workers=1)
    failed = error.value
    assert failed.rule.split()[0] == ("status", "moves", "make_move")[rule]
    assert "is lost" in failed.error or "are lost" in failed.error
    state = game.start()
    for move in failed.moves:
        if state.stones == bad:
            break  # the move that could not be made is told too
        state = Pile(state.stones - int(move))
    assert state == failed.state == Pile(bad)


def test_the_engine_is_native() -> None:
    assert engine_for(Fragile(9)).native
