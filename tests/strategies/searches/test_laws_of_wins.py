"""Mate-distance pruning: with wins at any ply, deep searches find what minimax finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import MINNIE, WIN, Game, Status, TicTacToe, with_chance
from strategies import abdada, alphabeta, lazy_smp, minimax, mtdf, pvs, search, seq
from strategies.native.calls.alphabeta import search_alphabeta, within_wins
from strategies.native.kept_engines import engine_for
from strategies.native.memory.transposition_table import Table
from tests.properties import examples
from tests.strategies.given import searches


@frozen
class Duel(Game[Any, int]):
    """A graph of random positions, of which some end the game: with a win, a loss or a draw.

    A state is its ply, the player, a place, a seed, and of how many positions one ends the game.
    """

    value_range = (-WIN, WIN)

    def start(self) -> Any:
        return 0, 0, 0, 0, 4

    def drawn(self, state: Any) -> int:
        return int(state[2] * 31 + state[0] * 17 + state[3]) * 48271 % 65537 // 7

    def status(self, state: Any) -> Status:
        over = state[0] > 0 and self.drawn(state) % state[4] == 0
        return Status.OVER if over or state[0] == 12 else Status.IN_PLAY

    def player(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Iterator[int]:
        yield from range(1 + self.drawn(state) % 3)

    def make_move(self, state: Any, move: int) -> Any:
        again = self.drawn(state) % 11 == 0
        turn = int(state[1]) if again else 1 - int(state[1])
        place = (state[2] * 5 + move * 29 + state[3]) % 97
        return state[0] + 1, turn, place, state[3], state[4]

    def utility(self, state: Any) -> int:
        return (WIN, -WIN, 0)[self.drawn(state) // 13 % 3]

    def estimate(self, state: Any) -> int:
        return self.drawn(state) // 5 % 7 - 3


GAME = Duel()
starts = st.tuples(
    st.just(0), st.just(0), st.integers(0, 96), st.integers(0, 10**4), st.integers(2, 9)
)


@given(
    state=starts,
    algorithm=st.sampled_from([pvs, mtdf]),
    depth=st.integers(1, 8),
    nearer=st.booleans(),
    engine=st.sampled_from(["native", "native", "interpreted"]),
    using=st.just(seq) | st.sampled_from([abdada(), lazy_smp()]) | searches(sized=True),
    table=st.sampled_from(["4kB", "1MB"]),
)
@examples(40)
def test_deep_searches_find_the_value_the_move_and_a_line_of_minimax(
    state: Any, algorithm: Any, depth: int, nearer: bool, engine: str, using: Any, table: str
) -> None:
    """Each position of the line has the value of the first."""
    how = algorithm(depth, nearer_wins=nearer, table=table)
    found = search(GAME, how, state=state, using=using, engine=engine).compute(num_workers=2)
    wanted = search(GAME, minimax(depth, nearer_wins=nearer), state=state).compute()
    assert (found.value, found.move) == (wanted.value, wanted.move)
    for left, move in zip(range(depth - 1, -1, -1), found.line, strict=False):
        state = GAME.make_move(state, move)
        below = search(GAME, minimax(left, nearer_wins=nearer), state=state)
        assert below.compute().value == found.value


@given(state=starts, depth=st.integers(1, 8), nearer=st.booleans())
@examples(20)
def test_null_windows_at_any_distance_from_a_win_are_answered_by_bounds(
    state: Any, depth: int, nearer: bool
) -> None:
    value = search(GAME, alphabeta(depth, nearer_wins=nearer), state=state).compute().value
    for alpha in (end + n for end in (-WIN, 0, WIN) for n in range(-depth - 1, depth + 2)):
        for engine in ("native", "interpreted") if alpha == value else ("native",):
            found = search_alphabeta(
                engine_for(GAME, engine), Table("64kB"), state, depth, alpha, alpha + 1,
                nearer=nearer, orders=True, leftmost=False,
            ).value  # fmt: skip
            assert value <= found if found <= alpha else value >= found


@frozen
class Ranged(Duel):
    """The same with any range."""

    value_range: Any


def test_pruning_needs_a_range_within_wins_and_no_chance() -> None:
    for known in (-WIN, WIN), (0, 1), (-0.5, 0.5):
        assert within_wins(Ranged(known))
    for known in None, (-WIN - 1, WIN), (0, float("nan")), (0, float("inf")), ("a", "b"), 3:
        assert not within_wins(Ranged(known))
    assert not within_wins(with_chance(TicTacToe(), MINNIE))
