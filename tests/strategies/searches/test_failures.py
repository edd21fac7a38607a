"""A rule that fails is reported with the position and the moves that led there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from games import MAXIE, Game, Status
from strategies import (
    RuleFailed,
    abdada,
    alphabeta,
    engine_for,
    expectimax,
    jamboree,
    minimax,
    mtdf,
    par_list,
    perft,
    pvs,
    search,
    seq,
)
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.positions import branches_named
from strategies.insight.pictures.search_tree import draw_tree


@frozen
class Pile:
    stones: int


@frozen
class Fragile(Game[Pile, int]):
    """Take one or two stones; with `bad` stones left a rule raises, or there are no moves."""

    fault: tuple[int, int] = (0, 3)
    """The rule that fails, and where, as numbers in a tuple so that all games share one kernel."""
    players = 1
    value_range = (0, 8)

    def start(self) -> Pile:
        return Pile(8)

    def status(self, state: Pile) -> Status:
        if self.fault[0] == 0 and state.stones == self.fault[1]:
            raise ValueError("status is lost")
        return Status.OVER if state.stones <= 0 else Status.IN_PLAY

    def player(self, state: Pile) -> int:
        return MAXIE

    def moves(self, state: Pile) -> Iterator[int]:
        if self.fault[0] == 1 and state.stones == self.fault[1]:
            raise ValueError("moves are lost")
        if self.fault[0] != 3 or state.stones != self.fault[1]:
            yield 1
            if state.stones > 1:
                yield 2

    def make_move(self, state: Pile, move: int) -> Pile:
        if self.fault[0] == 2 and state.stones == self.fault[1]:
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
def test_the_error_lists_the_moves_that_led_to_the_failure(
    engine: str, rule: int, bad: int, using: Strategy
) -> None:
    game = Fragile((rule, bad))
    with pytest.raises(RuleFailed) as error:
        search(game, alphabeta(7), using=using, engine=engine).compute(num_workers=1)
    failed = error.value
    assert failed.rule.split()[0] == ("status", "moves", "make_move")[rule]
    assert "is lost" in failed.error or "are lost" in failed.error
    state = game.start()
    for move in failed.moves:
        if state.stones == bad:
            break  # the last move listed could not be made
        state = Pile(state.stones - int(move))
    assert state == failed.state == Pile(bad)


@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("table", [None, "4kB"])
@pytest.mark.parametrize("bad", [7, 5, 2])
def test_a_count_lists_all_moves_that_led_to_the_failure(
    rule: int, table: str | None, bad: int
) -> None:
    for workers in (1, 9):  # which are given parts of the tree
        with pytest.raises(RuleFailed) as error:
            perft(Fragile((rule, bad)), 7, engine="interpreted", table=table, workers=workers)
        assert 8 - sum(map(int, error.value.moves)) == error.value.state.stones == bad


class Announced(Fragile):
    """Its first position is a text, of another module than the others."""

    def start(self) -> Any:
        return "eight"

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state == "eight" else super().status(state)

    def moves(self, state: Any) -> Iterator[int]:
        yield from (0,) if state == "eight" else super().moves(state)

    def make_move(self, state: Any, move: int) -> Pile:
        return Pile(8) if state == "eight" else super().make_move(state, move)


@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("bad", [8, 6])
def test_no_class_is_blamed_where_states_are_of_several_modules(rule: int, bad: int) -> None:
    game = Announced((rule, bad))
    for state in ("eight", Pile(8), Pile(bad)):
        with pytest.raises(RuleFailed) as error:
            search(game, alphabeta(7), state=state, engine="interpreted").compute()
        assert error.value.rule.split()[0] == ("status", "moves", "make_move")[rule]
        assert error.value.state == Pile(bad)


def test_the_engine_is_native() -> None:
    assert engine_for(Fragile((9, 3))).native


ALGORITHMS = (
    minimax(10), alphabeta(4), alphabeta(9), alphabeta(10), alphabeta(10, table="64kB"), pvs(9),
    mtdf(10), expectimax(10, table="64kB"), expectimax(10, pruning="star2"),
)  # fmt: skip


SHARED = (seq, par_list.to_ply(2), jamboree(0.5).everywhere.grain(plies=2))


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("using", SHARED, ids=str)
def test_a_position_in_play_without_moves_is_reported(
    algorithm: Algorithm, using: Strategy
) -> None:
    means = algorithm.name == "expectimax"
    for engine in ("interpreted",) if means else ("native", "interpreted"):
        for bad in (5, 6) if algorithm.depth == 4 else (1, 2):
            with pytest.raises(RuleFailed, match="it returned none, but status is") as error:
                search(Fragile((3, bad)), algorithm, using=using, engine=engine).compute()
            assert (error.value.rule, error.value.state) == ("moves", Pile(bad))
            assert sum(map(int, error.value.moves)) == 8 - bad


def test_every_other_way_to_search_reports_it_too() -> None:
    game = Fragile((3, 3))
    ways: list[dict[str, Any]] = [{"time": 60}, {"nodes": 5000}, {"using": abdada(2)}]
    for how in ways:
        with pytest.raises(RuleFailed, match="it returned none, but status is"):
            search(game, pvs(20), **how).compute()
    answer = search(game, alphabeta(8))
    for called in (answer.trace, lambda: draw_tree(answer)):
        with pytest.raises(RuleFailed, match="it returned none, but status is"):
            called()


def test_failures_in_positions_that_are_not_searched_do_not_matter() -> None:
    for algorithm in ALGORITHMS:
        found = search(Fragile((3, 2)), algorithm.at_depth(3), engine="interpreted").compute()
        assert found.value == 5


def test_a_failure_is_reported_even_if_its_moves_cannot_be_named() -> None:
    """Impure rules may behave differently when they are called again for the texts of moves."""
    for branches in (0, 7), (0, 0):
        failed = RuleFailed("estimate", (), Pile(6), "it is lost", branches)
        named = branches_named(Fragile((2, 7)), Pile(8))
        with pytest.raises(RuleFailed, match="estimate failed") as told, named:
            raise failed
        assert told.value is failed


def test_only_moves_on_the_path_are_made_to_name_them() -> None:
    class Twice(Fragile):
        def make_move(self, state: Pile, move: int) -> Pile:
            if move == 1:
                raise ValueError("the move is lost")
            return super().make_move(state, move)

    named = branches_named(Twice(), Pile(8))
    with pytest.raises(RuleFailed, match="estimate failed after the moves 2 2, in"), named:
        raise RuleFailed("estimate", (), Pile(4), "it is lost", (1, 1))


NEEDED = ["start", "status", "player", "moves", "make_move", "estimate"]
"""The rules without which a game cannot be searched to a depth."""


@pytest.mark.parametrize("missing", NEEDED)
@pytest.mark.parametrize("engine", ["auto", "interpreted"])
def test_a_rule_that_is_missing_is_named_with_its_arguments(engine: str, missing: str) -> None:
    game = frozen(type("Unfinished", (Fragile,), {missing: getattr(Game, missing)}))()
    with pytest.raises((RuleFailed, NotImplementedError), match=rf"needs {missing}\("):
        search(game, alphabeta(1), engine=engine).compute(num_workers=1)


def test_a_message_shortens_what_is_long_and_keeps_the_position() -> None:
    state, text = (0,) * 9000, "long " * 20_000
    failure = RuleFailed("make_move 1", ("move " * 999,) * 3, state, text)
    message = str(failure)
    assert len(message) < 4000
    assert message.startswith("make_move 1 failed after the moves move move")
    assert "in (0, 0," in message
    assert message.endswith("… (100,000 characters in all)")
    assert (failure.state, failure.error) == (state, text)
