"""The choice between moves does not depend on the unit of the rewards."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, WIN, Game, Status, TicTacToe, with_chance
from strategies import mcts, search
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.mcts_tree import LOST, WON
from strategies.searches.monte_carlo.counted import Counts, Scale, statistics_of
from strategies.searches.monte_carlo.job import Job
from strategies.searches.monte_carlo.tree import Tree, scale_of

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


@frozen
class Code:
    step: int = 0
    right: bool = True
    tossed: int = 0
    jackpot: int = 0


@frozen
class Vault(Game[Code, int]):
    """Six digits and a coin: 1 or 2 for a wrong code, 1 or the jackpot for the right one.

    Few random plays find the code.
    """

    players = 1
    digits: int = 6

    def start(self) -> Code:
        return Code()

    def status(self, state: Code) -> Status:
        return Status.OVER if state.tossed else Status.IN_PLAY

    def player(self, state: Code) -> int:
        return CHANCE if state.step == self.digits else MAXIE

    def moves(self, state: Code) -> Iterator[int]:
        if state.step < self.digits:
            yield 0
            yield 1

    def make_move(self, state: Code, move: int) -> Code:
        return evolve(state, step=state.step + 1, right=state.right and move == 1)

    def outcomes(self, state: Code) -> Iterator[tuple[float, Code]]:
        yield 0.5, evolve(state, tossed=1)
        yield 0.5, evolve(state, tossed=2)

    def estimate(self, state: Code) -> int:
        return 0

    def utility(self, state: Code) -> int:
        return state.jackpot if state.right and state.tossed == 2 else state.tossed


@pytest.mark.parametrize(
    ("jackpot", "mean"), [(10**7, 5e6), (-(10**9), 1.5), (10**14, 5e13), (WIN, 0.625)]
)
def test_a_value_far_from_all_of_the_sample_counts_in_full(jackpot: int, mean: float) -> None:
    game, state = Vault(), Code(jackpot=jackpot)
    sampled = scale_of(engine_for(game), Job(game, state, mcts(seed=2)))
    assert sampled.high == 2, "the sample has not met the jackpot"
    found = search(game, mcts(20_000, seed=2, threads=2), state=state).compute()
    assert found.value == pytest.approx(mean, rel=0.1)
    assert found.move == (jackpot > 0)


def test_both_engines_begin_again_alike() -> None:
    for jackpot in (10**7, WIN):
        asked, state = mcts(8_000, seed=2), Code(jackpot=jackpot)
        one, other = (
            search(Vault(), asked, state=state, engine=engine).compute()
            for engine in ("native", "interpreted")
        )
        assert one.moves == other.moves
        assert abs(one.value) > 1e6 or jackpot == WIN


def test_sums_of_rewards_stay_within_64_bits() -> None:
    game, state = Vault(), Code(jackpot=10**5)
    tree = Tree(engine_for(game), Job(game, state, mcts()), Scale(1, 2, False, adapts=True), 1, 0)
    tree.carried = 2**30
    tree.grow(1, 0, [])
    control = tree.controls[0]
    assert 2**60 <= control[WON] * 2**30 <= 2**62
    assert control[LOST] == -control[WON]


VALUES = st.lists(st.integers(-50, 50), min_size=1, max_size=6)
RANGES = st.tuples(st.integers(-99, -50), st.integers(50, 99), st.booleans())


@given(VALUES, VALUES, RANGES, RANGES, st.booleans())
def test_trees_with_several_scales_add_up(
    one: list[int], more: list[int], ours: Any, theirs: Any, mirrored: bool
) -> None:
    """As if all their results were in one tree with the wider scale."""

    def counted(values: list[int], scale: Scale) -> Counts:
        rewards = [round(scale.factor * (v - scale.low)) for v in values]
        rewards = [scale.top - r for r in rewards] if mirrored else rewards
        gaps = sum(float(r) * (scale.top - r) for r in rewards)
        return Counts(len(values), sum(rewards), gaps, None)

    scales = [Scale(low, high, decisive) for low, high, decisive in (ours, theirs)]
    widest = max(scales, key=lambda s: (s.decisive, s.high - s.low))
    mover = MINNIE if mirrored else MAXIE
    parts = [counted(values, scale) for values, scale in zip((one, more), scales, strict=True)]
    found = statistics_of(Lottery(), mover, parts, scales)
    whole = statistics_of(Lottery(), mover, [counted(one + more, widest)], [widest])
    assert found.visits == whole.visits
    assert found.value == pytest.approx(whole.value, abs=1e-4)
    assert found.deviation == pytest.approx(whole.deviation, abs=1e-2)


@given(st.integers(0, 10**6))
def test_a_mean_over_outcomes_counts_a_proven_win_1(seed: int) -> None:
    rules, random = TicTacToe(), Random(seed)
    game, state = with_chance(rules, MAXIE), rules.start()
    for _ in range(4):
        state = rules.make_move(state, random.choice(list(rules.moves(state))))
    found = search(game, mcts(40, seed=seed), state=state, engine="interpreted").compute()
    known = [max(-1, min(1, m.value)) for m in found.moves if m.value is not None]
    assert found.value == pytest.approx(sum(known) / len(known))  # all outcomes are equally likely
