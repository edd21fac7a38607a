"""The choice between moves does not depend on the unit of the rewards."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, Game, Status
from strategies import mcts, search

pytestmark = pytest.mark.usefixtures("any_length")


@frozen
class Turn:
    kind: int
    """0 to choose, 1 the lottery, 2 over."""
    points: int
    sure: int = 2
    factor: float = 1.0
    offset: float = 0.0
    mover: int = int(MAXIE)

    def then(self, kind: int, points: int = 0) -> Turn:
        return evolve(self, kind=kind, points=points)


@frozen
class Lottery(Game[Turn, int]):
    """A choice between a lottery, which rarely pays, and a sure reward.

    Its parameters are in its states, so that it is compiled once.
    """

    odds: float = 0.01
    prize: int = 1000
    value_range: Any = None

    def start(self) -> Turn:
        return Turn(0, 0)

    def status(self, state: Turn) -> Status:
        return Status.OVER if state.kind == 2 else Status.IN_PLAY

    def player(self, state: Turn) -> int:
        return CHANCE if state.kind == 1 else state.mover

    def moves(self, state: Turn) -> Iterator[int]:
        if state.kind == 0:
            yield 0
            yield 1

    def make_move(self, state: Turn, move: int) -> Turn:
        return state.then(1) if move == 0 else state.then(2, state.sure)

    def outcomes(self, state: Turn) -> Iterator[tuple[float, Turn]]:
        yield self.odds, state.then(2, self.prize)
        yield 1 - self.odds, state.then(2)

    def estimate(self, state: Turn) -> float:
        return 0.0

    def utility(self, state: Turn) -> float:
        worth = state.offset + state.factor * state.points
        return worth if state.mover == MAXIE else -worth

    def ranged(self, state: Turn) -> Lottery:
        """Return the game with the range of its values declared."""
        ends = self.utility(state.then(2)), self.utility(state.then(2, self.prize))
        return evolve(self, value_range=(min(ends), max(ends)))


def right(game: Lottery, state: Turn, seed: int, threads: int = 1) -> bool:
    asked = mcts(20_000, seed=seed, threads=threads)
    found = search(game, asked, state=state, engine="native").compute()
    return found.move == (0 if state.sure < game.odds * game.prize else 1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mover", [MAXIE, MINNIE])
def test_a_rare_prize_is_chosen_if_it_is_worth_it(mover: int, threads: int) -> None:
    for seed, factor, offset in ((1, 1.0, 0.0), (2, 1e-3, 7.0), (3, 1e6, -1e9), (4, 0.7, 0.1)):
        for sure in (2, 50):
            state = Turn(0, 0, sure, factor, offset, int(mover))
            assert right(Lottery(), state, seed, threads)


def test_a_rare_prize_is_chosen_within_a_declared_range() -> None:
    state = Turn(0, 0)
    assert all(right(Lottery().ranged(state), state, seed) for seed in range(20))


SCALES = st.tuples(st.sampled_from([1, 2, 3, 10, Fraction(1, 8), 1000]), st.integers(-500, 500))


@settings(max_examples=30)
@given(SCALES, st.integers(0, 99), st.sampled_from([MAXIE, MINNIE]), st.booleans())
def test_an_affine_change_of_rewards_changes_no_visit(
    scale: Any, seed: int, mover: int, declared: bool
) -> None:
    factor, offset = map(float, scale)
    visits = []
    changes: list[Any] = [{}, {"factor": factor, "offset": offset}]
    for changed in changes:
        game, state = Lottery(0.25, 9), Turn(0, 0, mover=int(mover), **changed)
        game = game.ranged(state) if declared else game
        asked = mcts(60, seed=seed)
        found = search(game, asked, state=state, engine="interpreted").compute()
        visits.append((found.move, found.visits))
    assert visits[0] == visits[1]


def test_both_engines_choose_alike() -> None:
    for state in (Turn(0, 0), Turn(0, 0, mover=int(MINNIE))):
        native, interpreted = (
            search(Lottery(), mcts(300, seed=5), state=state, engine=engine).compute()
            for engine in ("native", "interpreted")
        )
        assert native.moves == interpreted.moves


def test_a_loose_range_does_not_make_all_moves_look_alike() -> None:
    loose = Lottery(0.5, 9, (0, 10**9))
    found = search(loose, mcts(1_000), engine="interpreted").compute()
    assert found.visits[0] > 2 * found.visits[1]


@frozen
class Lock(Game[tuple[int, int], int]):
    """One of four moves is right each time; six right ones win, a wrong one ends in a draw."""

    players = 1

    def start(self) -> tuple[int, int]:
        return 0, 0

    def status(self, state: tuple[int, int]) -> Status:
        if state[1]:
            return Status.DRAW
        return Status.MAXIE_WINS if state[0] == 6 else Status.IN_PLAY

    def player(self, state: tuple[int, int]) -> int:
        return MAXIE

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            for move in range(4):  # noqa: UP028
                yield move

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] + 1, int(move != state[0] % 4)


@pytest.mark.parametrize("simulations", [5, 200, 5_000])
def test_a_win_counts_1_also_if_no_random_play_of_the_sample_wins(simulations: int) -> None:
    found = search(Lock(), mcts(simulations), engine="interpreted").compute()
    assert all(-1 <= m.value <= 1 for m in found.moves if m.value is not None and not m.proven)
    assert found.proven or -1 <= found.value <= 1
