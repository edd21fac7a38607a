"""Games of one class whose states are of other sizes: each is read by code for its own."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from attrs import frozen

from games import Game, Status
from strategies.native.compiler import build
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import mixed


@frozen
class Place:
    plies: int
    row: tuple[int, ...]
    names: frozenset[int]


@frozen
class Sized(Game[Place, int]):
    """Only the start reads the size, so that the rules of all games of this class are alike."""

    size: int = 1

    def start(self) -> Place:
        return Place(0, (1,) * self.size, frozenset({3}))

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY

    def player(self, state: Place) -> int:
        return state.plies & 1

    def moves(self, state: Place) -> Iterator[int]:
        yield from range(3)

    def make_move(self, state: Place, move: int) -> Place:
        first = state.row[0] * 3 + move + len(state.names)
        return Place(state.plies + 1, (first, *state.row[1:]), state.names)

    def estimate(self, state: Place) -> int:
        return sum(state.row) % 1001


@pytest.mark.parametrize("sizes", [(1, 16, 1), (16, 2, 3), (2, 1, 40)])
def test_games_of_other_sizes_are_searched_by_their_own_code(sizes: tuple[int, ...]) -> None:
    for size in sizes:
        game = Sized(size)
        fast, slow = (engine_for(game, how) for how in ("native", "interpreted"))
        assert fast.call(mixed, game.start(), 3) == slow.call(mixed, game.start(), 3)


def test_states_of_more_kinds_are_compiled_for_once() -> None:
    @frozen
    class Fresh(Sized):
        """A game whose states no other test has widened."""

    fast, slow = (engine_for(Fresh(1), how) for how in ("native", "interpreted"))
    fast.call(mixed, Sized(1).start(), 2)
    with patch.object(build, "kernel_dispatcher", wraps=build.kernel_dispatcher) as built:
        for size in (20, 2, 20, 30, 2):
            state = Sized(size).start()
            assert fast.call(mixed, state, 2) == slow.call(mixed, state, 2)
    assert built.call_count == 1
