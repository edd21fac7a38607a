"""Counts of positions and games, and playouts: which depths and numbers they accept."""

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, MINNIE, Game, Status, TicTacToe
from games.game import SEARCH_PLIES
from graphs.errors import ArgumentError
from strategies import engine_for
from strategies.native.kernels.control import WIDEST


@frozen
class Heap:
    left: int
    turn: int


@frozen
class Chain(Game[Heap, int]):
    """A game of one move a ply."""

    size: int = 501

    def start(self) -> Heap:
        return Heap(self.size, MAXIE)

    def status(self, state: Heap) -> Status:
        return Status.IN_PLAY if state.left > 0 else Status.DRAW

    def player(self, state: Heap) -> int:
        return state.turn

    def moves(self, state: Heap) -> Any:
        if state.left > 0:
            yield 1

    def make_move(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - move, MINNIE - state.turn)


NO_DEPTHS = (
    st.integers(max_value=-1)
    | st.integers(min_value=SEARCH_PLIES + 1)
    | st.floats()
    | st.booleans()
    | st.text()
)


@pytest.mark.parametrize("choice", ["native", "interpreted"])
@given(depth=NO_DEPTHS)
def test_only_whole_depths_that_a_stack_holds_are_accepted(choice: str, depth: Any) -> None:
    game = TicTacToe()
    engine = engine_for(game, choice)
    for count in (engine.perft, engine.complete_games):
        with pytest.raises(ArgumentError, match="depth must be a whole number, 0 to 1000000, not"):
            count(game.start(), depth)


@pytest.mark.parametrize("choice", ["native", "interpreted"])
def test_playouts_refuse_numbers_that_machine_code_cannot_hold(choice: str) -> None:
    game = TicTacToe()
    engine = engine_for(game, choice)
    for seed in (2**63, -(2**64), 0.5, True, "one"):
        with pytest.raises(ArgumentError, match="seed must be a whole number"):
            engine.playout(game.start(), seed)  # type: ignore[arg-type]
    for plies in (-1, 2**70, 2.5):
        with pytest.raises(ArgumentError, match="max_plies must be a whole number"):
            engine.playout(game.start(), 1, plies)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="index must be a whole number"):
        engine.branch(game.start(), -1)


def test_all_games_are_counted_however_long() -> None:
    for size in (1, WIDEST - 1, WIDEST, WIDEST + 1, 10 * WIDEST):
        engine = engine_for(Chain(size), "interpreted")
        assert engine.complete_games(engine.game.start()) == 1
        assert engine.perft(engine.game.start(), size) == 1
        assert engine.complete_games(engine.game.start(), size - 1) == 0
        assert engine.playout(engine.game.start(), 0)[1] == size


def test_games_without_end_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strategies.native.engine.SEARCH_PLIES", 2000)
    engine = engine_for(Chain(2001), "interpreted")
    with pytest.raises(ArgumentError, match="a game goes on after 2,000 plies"):
        engine.complete_games(engine.game.start())
