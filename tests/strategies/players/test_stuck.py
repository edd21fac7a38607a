"""A position in play without moves is named wherever games are played, with the moves there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from games import CHANCE, Game, NTuples, RandomAgent, Status, play
from games.failed import RuleFailed
from games.laws.examine import examine
from games.laws.of_play import moves_exactly_when_a_player_moves
from games.laws.plays import Plays
from games.networks.learned import dense_for
from strategies import engine_for, learn, minimax, search, tournament
from strategies.native.engine import Engine
from strategies.players.game_loop import play_out


@frozen
class Bits:
    ply: int
    path: int
    turn: int


@frozen
class Stuck(Game[Bits, int]):
    """Each move is a bit; the position after the bits of `path` is in play and has no moves."""

    value_range = (-1, 1)
    plies: int = 3
    path: int = 5
    tossed: int = -1
    """The ply at which chance draws the bit."""

    def start(self) -> Bits:
        return Bits(0, 0, 0)

    def status(self, state: Bits) -> Status:
        return Status.IN_PLAY if state.ply < 6 else Status.DRAW

    def player(self, state: Bits) -> int:
        return CHANCE if state.ply == self.tossed else state.turn

    def moves(self, state: Bits) -> Iterator[int]:
        stuck = state.ply == self.plies and state.path == self.path
        if state.ply < 6 and state.ply != self.tossed and not stuck:
            yield 0
            yield 1

    def make_move(self, state: Bits, move: int) -> Bits:
        return Bits(state.ply + 1, state.path * 2 + move, 1 - state.turn)

    def outcomes(self, state: Bits) -> Iterator[tuple[float, Bits]]:
        yield 0.5, Bits(state.ply + 1, state.path * 2, 1 - state.turn)
        yield 0.5, Bits(state.ply + 1, state.path * 2 + 1, 1 - state.turn)

    def estimate(self, state: Bits) -> float:
        return 0

    def cell(self, state: Bits, k: int) -> int:
        return state.ply

    def network(self) -> NTuples:
        return NTuples(7, ((0,),))


@frozen
class Interpreted(Stuck):
    """The same game, never compiled."""

    native = False


def told(game: Stuck) -> str:
    bits = f"{game.path:0{game.plies}b}" if game.plies else ""
    texts = [f"outcome {b}" if ply == game.tossed else b for ply, b in enumerate(bits)]
    after = f"after the moves {' '.join(texts)}, " if bits else ""
    return f"moves failed {after}in Bits(ply={game.plies}, path={game.path}, turn={game.plies % 2})"


@frozen
class Bit:
    """An agent that follows a path."""

    path: str

    def next_move(self, game: Any, state: Bits) -> int:
        return int(self.path[state.ply])


def says(game: Stuck, call: Callable[[], Any]) -> None:
    with pytest.raises(RuleFailed) as caught:
        call()
    assert str(caught.value) == f"{told(game)}: it returned none, but status is Status.IN_PLAY"


@settings(max_examples=15)
@given(st.integers(0, 5), st.data())
def test_the_moves_to_a_position_without_moves_are_named(plies: int, data: Any) -> None:
    game = Stuck(plies, data.draw(st.integers(0, 2**plies - 1)), data.draw(st.integers(-1, 4)))
    if game.tossed == plies:
        return
    engine = engine_for(game, "interpreted")
    start, path = game.start(), f"{game.path:06b}"[-plies:] if plies else ""
    agents = [Bit(path + "000000")] * 2
    for count in (engine.perft, engine.complete_games):
        says(game, lambda count=count: count(start, plies + 1))
    says(game, lambda: [engine.playout(start, seed) for seed in range(999)])
    says(game, lambda: [play_out(game, agents, seed, engine="interpreted") for seed in range(999)])
    says(game, lambda: [play(game, *agents, seed=seed) for seed in range(999)])
    says(game, lambda: learn(game, games=999, engine="interpreted", epsilon=0.9))
    back: dict[str, Any] = {"depth": 2, "trace": 0.5}
    says(game, lambda: learn(game, games=999, engine="interpreted", epsilon=0.9, **back))
    if game.tossed < 0:
        says(game, lambda: search(game, minimax(6), engine="interpreted").compute())


def test_machine_code_names_them_too() -> None:
    game = Stuck()
    engine = Engine(game, "native")
    start = game.start()
    says(game, lambda: engine.perft(start, 6))
    says(game, lambda: engine.complete_games(start))
    says(game, lambda: [engine.playout(start, seed) for seed in range(99)])
    says(game, lambda: learn(game, games=999, engine="native"))
    assert [engine.perft(start, depth) for depth in range(4)] == [1, 2, 4, 8]


@pytest.mark.parametrize("how", [{}, {"trace": 0.5, "depth": 2}])
def test_learning_names_the_moves_that_it_chose(how: dict[str, Any]) -> None:
    @frozen
    class Ones(Stuck):
        """Who moves gains by a 1, so no best move is the first."""

        def secured(self, state: Bits) -> int:
            gained = 0
            for back in range(state.ply):
                bit = state.path >> back & 1
                gained += bit if (state.ply - 1 - back) % 2 == 0 else -bit
            return gained

    game = Ones(3, 7)
    says(game, lambda: learn(game, games=9, epsilon=0, opening=0, engine="interpreted", **how))


def test_a_tournament_names_them_from_the_start_of_the_game() -> None:
    game = Interpreted()

    def first(game: Any, state: Bits) -> int:
        return next(game.moves(state))

    for plies in (0, 2, 4):
        players = [RandomAgent(1), first]
        says(game, lambda n=plies, p=players: tournament(game, p, rounds=40, plies=n))
    searches = ["alphabeta(depth=3) using par_list.to_ply(1)", "random"]
    says(game, lambda: tournament(game, searches, rounds=9, plies=1))


def test_a_scale_is_not_measured_beyond_such_a_position() -> None:
    @frozen
    class Paid(Stuck):
        def utility(self, state: Bits) -> float:
            return 1

    with pytest.raises(RuleFailed, match=r"moves failed in .* it returned none"):
        dense_for(Paid(), 4)


def test_the_law_finds_them_with_every_seed() -> None:
    for seed in range(2):
        verdict = examine(moves_exactly_when_a_player_moves, Plays(Stuck(4, 14), "dev", seed, 40))
        assert verdict.moves == ("1", "1", "1", "0")
