"""Perft with a transposition table counts what it counts without one; a stopped count is none."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Timer
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from games import MAXIE, ConnectFour, ExplicitGame, Game, Nim, Pig, Status, TicTacToe
from graphs.errors import ArgumentError
from strategies import par_list, perft, seq
from strategies.cli.group import jamboree as command
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.running.runtime.cancellation import heeding
from strategies.searches.counting import count_by_move
from tests.properties import DEEP, examples
from tests.strategies.given import trees

SIZES = ("4kB", "64kB", "1MB")
NATIVE: list[Any] = [ConnectFour(), Pig(target=6), *([TicTacToe(), Nim()] if DEEP else [])]


@given(trees(chance=True), st.integers(0, 5), st.booleans(), st.sampled_from([seq, par_list]))
@examples(40)
def test_trees_have_the_same_counts(
    game: ExplicitGame, depth: int, ended: bool, using: Any
) -> None:
    how: dict[str, Any] = {"ended": ended, "using": using, "engine": "interpreted"}
    assert perft(game, depth, table="4kB", **how) == perft(game, depth, **how)


@frozen
class Place:
    here: int
    there: int


@frozen
class Lanes(Game[Place, int]):
    """Two positions, from each of which so many moves lead to the other one, for ever."""

    def start(self) -> Place:
        return Place(10, 10)

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY

    def player(self, state: Place) -> int:
        return MAXIE

    def moves(self, state: Place) -> Iterator[int]:
        yield from range(state.here)

    def make_move(self, state: Place, move: int) -> Place:
        return Place(state.there, state.here)

    def estimate(self, state: Place) -> float:
        return 0


@given(st.integers(2, 20), st.integers(2, 20), st.integers(0, 40), st.sampled_from([1, 2]))
@examples(20)
@example(10, 10, 21, 1)  # wraps around to more than 0
@example(10, 10, 19, 1)  # the parts fit into 64 bits, and the total does not
def test_a_count_of_any_size_is_right_or_refused(
    here: int, there: int, depth: int, workers: int
) -> None:
    right = here ** ((depth + 1) // 2) * there ** (depth // 2)
    asked: Any = (Lanes(), depth, Place(here, there))
    how: dict[str, Any] = {"table": "64kB", "workers": workers}
    try:
        found: Any = perft(*asked, engine="native", **how).total
    except ArgumentError as error:
        found = str(error)
    assert found == right or (right >= 2**63 and "engine='interpreted'" in found)


def test_interpreted_rules_count_beyond_64_bits() -> None:
    assert perft(Lanes(), 19, table="64kB", engine="interpreted").total == 10**19


@given(
    st.sampled_from(NATIVE), st.integers(0, 6), st.integers(0, 8), st.integers(0, 2**32),
    st.booleans(), st.sampled_from(SIZES), st.sampled_from([1, 2]),
)  # fmt: skip
@examples(40)
def test_games_have_the_same_counts(
    game: Any, depth: int, plies: int, seed: int, ended: bool, size: str, workers: int
) -> None:
    state, _ = engine_for(game).playout(game.start(), seed, plies)
    how: dict[str, Any] = {"ended": ended, "workers": workers}
    assert perft(game, depth, state, table=size, **how) == perft(game, depth, state, **how)


def test_a_table_saves_counting_what_is_met_again() -> None:
    game = ConnectFour()
    engine, table = engine_for(game, "native"), Table("1MB")
    assert engine.perft(game.start(), 9, table=table) == 39_394_572
    assert table.full() > 0
    assert engine.perft(game.start(), 8, table=table) == 5_673_234
    assert engine.perft(game.start(), 9, ended=True, table=table) == 39_452_034


@pytest.mark.long
@pytest.mark.parametrize("size", ["1MB", "256MB"])
def test_deep_counts_are_the_same(size: str) -> None:
    game = ConnectFour()
    assert perft(game, 11, table=size) == perft(game, 11)


@pytest.mark.parametrize("choice", ["native", "interpreted"])
@pytest.mark.parametrize("table", [None, "4kB"])
def test_a_count_that_a_flag_above_stops_is_none(choice: str, table: str | None) -> None:
    above = Stop()
    above.set()
    engine, state = engine_for(TicTacToe(), choice), TicTacToe().start()
    memory = None if table is None else Table(table)
    with pytest.raises(Stopped):
        engine.perft(state, 5, Stop(above), table=memory)
    assert engine.perft(state, 5, table=memory) == 15_120  # nothing wrong was kept
    with heeding(above), pytest.raises(Stopped):
        perft(TicTacToe(), 8, engine=choice, table=table)


def test_nothing_is_kept_of_a_count_that_is_stopped() -> None:
    game = ConnectFour()
    engine, table, stop = engine_for(game, "native"), Table("16MB"), Stop()
    right = engine.perft(game.start(), 10, table=Table("16MB"))
    timer = Timer(0.01, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        engine.perft(game.start(), 10, stop, table=table)
    timer.join()
    assert engine.perft(game.start(), 10, table=table) == right


def test_a_count_that_takes_too_long_is_none() -> None:
    game = ConnectFour()
    with pytest.raises(TimeoutError, match=r"longer than 0\.05 seconds"):
        count_by_move(game, game.start(), 14, ended=False, seconds=0.05)


def test_the_command_takes_a_size() -> None:
    run = CliRunner().invoke(command, ["perft", "connect_four", "--depth", "8", "--memory", "1MB"])
    assert "5,673,234 positions" in run.stdout
    run = CliRunner().invoke(command, ["perft", "connect_four", "--depth", "8", "--memory", "1B"])
    assert (run.exit_code, run.stderr.count("\n")) == (2, 1)
    assert "--memory: a table needs 4kB or more, not '1B'" in run.stderr
