"""A game with outcomes has one solution, wherever chance moves and whatever was compiled before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, WIN, ExplicitGame, Game, Status, win_in
from strategies import endgame_table, solve
from tests.properties import examples
from tests.strategies.given import trees

PLACES = 8


@frozen
class At:
    """A place, and who moves and what status is there, at the next place, and so on: by digits in
    base 4."""

    place: int
    movers: int
    results: int

    def moved(self, step: int) -> At:
        return At(self.place + step, self.movers >> 2 * step, self.results >> 2 * step)


class Path(Game[At, int]):
    """A token moves on by one place or two; the last two places are ends."""

    def start(self) -> At:
        return At(0, 0, 1)

    def status(self, state: At) -> Status:
        return Status(state.results & 3)

    def player(self, state: At) -> int:
        return (state.movers & 3) - 1

    def moves(self, state: At) -> Iterator[int]:
        if state.movers & 3:
            yield 1
            yield 2

    def make_move(self, state: At, move: int) -> At:
        return state.moved(move)

    def outcomes(self, state: At) -> Iterator[tuple[float, At]]:
        yield 0.25, state.moved(1)
        yield 0.75, state.moved(2)


class ScoredPath(Path):
    """The same with scores, which proofs can find beside chance."""

    value_range = (-5, 5)

    def status(self, state: At) -> Status:
        return Status.OVER if state.results & 3 else Status.IN_PLAY

    def utility(self, state: At) -> float:
        return 2 * (state.results & 3) - 5


def value_of(game: Path, state: At) -> float:
    """Return the value of a position by its definition; a win counts 1."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state) if isinstance(game, ScoredPath) else game.utility(state) / WIN
    below = [value_of(game, state.moved(step)) for step in (1, 2)]
    if game.player(state) == CHANCE:
        return 0.25 * below[0] + 0.75 * below[1]
    return min(below) if game.player(state) else max(below)


def in_base_4(digits: list[int]) -> int:
    return sum(digit << 2 * k for k, digit in enumerate(digits))


PLAYERS = st.lists(st.integers(0, 2), min_size=PLACES, max_size=PLACES).map(in_base_4)
INNER = st.lists(st.sampled_from([0, 0, 0, 1, 2, 3]), min_size=PLACES - 2, max_size=PLACES - 2)
RESULTS = st.builds(
    lambda inner, ends: in_base_4(inner + ends),
    INNER, st.lists(st.integers(1, 3), min_size=2, max_size=2),
)  # fmt: skip


@pytest.mark.parametrize(
    ("game", "engine"),
    [
        (Path(), "interpreted"),
        (ScoredPath(), "interpreted"),
        (Path(), "native"),
        pytest.param(ScoredPath(), "native", marks=pytest.mark.long),
    ],
)
def test_a_solution_is_that_of_the_table_whatever_was_asked_before(game: Path, engine: str) -> None:
    @given(st.lists(st.builds(At, st.just(0), PLAYERS, RESULTS), min_size=1, max_size=3))
    @examples(40)
    def check(states: list[At]) -> None:
        for state in (*states, states[0]):
            found = solve(game, state, engine=engine, memory="64kB")
            table = endgame_table(game, state, engine=engine)
            assert found.value == pytest.approx(value_of(game, state), abs=1e-9)
            assert (found.value, found.plies) == (table.value(state), None)
            assert found.move == next(iter(table.moves(state)), None)

    check()


@given(trees(depth=3, wins=True))
@examples(40)
def test_a_tree_without_chance_counts_the_plies_to_a_win(game: ExplicitGame) -> None:
    found, table = solve(game, engine="interpreted"), endgame_table(game, engine="interpreted")
    assert found.value == table.value(game.start())
    if abs(found.value) >= WIN:
        plies = found.plies or 0
        assert abs(found.value) == win_in(plies)
        assert plies == table.plies(game.start())
