"""A player or a status that is none is reported by every engine and strategy, never searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from games import Game, RandomAgent, Status, play
from graphs.errors import ArgumentError
from strategies import (
    RuleFailed,
    abdada,
    alphabeta,
    endgame_table,
    mcts,
    minimax,
    par_list,
    perft,
    pvs,
    search,
    solve,
)
from strategies.rules.language.messages import RuleError
from tests.properties import DEEP


@frozen
class Pile:
    stones: int
    turn: int


@frozen
class Takeaway(Game[Pile, int]):
    """Take one to three stones; where `wrong[0]` are left, a rule returns `wrong[1]`."""

    rule: str = "player"
    wrong: tuple[int, int] = (3, 2)

    def start(self) -> Pile:
        return Pile(8, 0)

    def status(self, state: Pile) -> int:
        if self.rule == "status" and state.stones == self.wrong[0]:
            return self.wrong[1]
        return Status.OVER if state.stones == 0 else Status.IN_PLAY

    def player(self, state: Pile) -> int:
        if self.rule == "player" and state.stones == self.wrong[0]:
            return self.wrong[1]
        return state.turn

    def moves(self, state: Pile) -> Iterator[int]:
        yield from range(1, min(3, state.stones) + 1)

    def make_move(self, state: Pile, move: int) -> Pile:
        return Pile(state.stones - move, 1 - state.turn)

    def estimate(self, state: Pile) -> int:
        return state.stones

    def utility(self, state: Pile) -> int:
        return 1 if state.turn else -1


Way = Callable[[Takeaway, str], Any]
WAYS: tuple[Way, ...] = (
    lambda game, engine: search(game, minimax(depth=6), engine=engine),
    lambda game, engine: search(game, minimax(depth=6), using=par_list, engine=engine),
    lambda game, engine: search(game, alphabeta(depth=8), engine=engine),
    lambda game, engine: search(game, alphabeta(depth=8, table="1MB"), engine=engine),
    lambda game, engine: search(game, pvs(depth=8), using=par_list.to_ply(2), engine=engine),
    lambda game, engine: search(game, alphabeta(depth=8), using=abdada(2), engine=engine),
    lambda game, engine: search(game, mcts(500), engine=engine),
)


@given(
    sampled_from(WAYS),
    sampled_from(["native", "interpreted"]),
    sampled_from([("player", 2), ("player", 7), ("player", -2), ("status", 5), ("status", -1)]),
    integers(3, 5),
)
def test_a_wrong_number_is_reported_with_its_rule(
    way: Way, engine: str, fault: tuple[str, int], stones: int
) -> None:
    rule, number = fault
    if engine == "native" and not DEEP:
        way = WAYS[0]  # each way has a kernel, and each rule all of them once more
    with pytest.raises(RuleFailed, match=f"{rule} failed after .*it returned {number}, not a"):
        way(Takeaway(rule, (stones, number)), engine).compute()


@pytest.mark.parametrize(
    ("way", "engine"),
    [
        (WAYS[0], "native"),
        *(pytest.param(way, "native", marks=pytest.mark.long) for way in WAYS[1:]),
        *((way, "interpreted") for way in WAYS),
    ],
)
def test_chance_without_outcomes_is_reported(way: Way, engine: str) -> None:
    with pytest.raises(RuleFailed, match=r"outcomes failed after .* needs outcomes\(state\)"):
        way(Takeaway("player", (3, -1)), engine).compute()


def test_solve_reports_it() -> None:
    with pytest.raises(RuleFailed, match="player failed"):
        solve(Takeaway("player", (3, 2)))


def test_right_numbers_are_searched() -> None:
    right = search(Takeaway("player", (99, 0)), minimax(depth=8)).compute().value
    for engine in "native", "interpreted":
        game = Takeaway("player", (8, 0))  # which is the right player there
        assert search(game, alphabeta(depth=8), engine=engine).compute().value == right


@frozen
class Below(Takeaway):
    """The same rules, where so many stones or fewer are left: every play comes there."""

    wrong: Any = (3, 2)

    def status(self, state: Pile) -> Any:
        if self.rule == "status" and state.stones <= self.wrong[0]:
            return self.wrong[1]
        return Status.OVER if state.stones == 0 else Status.IN_PLAY

    def player(self, state: Pile) -> Any:
        if self.rule == "player" and state.stones <= self.wrong[0]:
            return self.wrong[1]
        return state.turn


def counted(game: Any) -> Any:
    """Count positions; machine code need not know who moves, except at the first."""
    always = game.rule == "player"
    return perft(evolve(game, wrong=(8, game.wrong[1])) if always else game, 8)


EVERYWHERE: tuple[Callable[[Any], Any], ...] = (
    lambda game: search(game, alphabeta(8)).compute(),
    lambda game: search(game, mcts(500)).compute(),
    solve,
    endgame_table,
    counted,
    lambda game: play(game, RandomAgent(1), RandomAgent(2)),
)
NEITHER = sampled_from([
    ("status", True), ("status", False), ("status", np.True_), ("status", 5), ("status", 2.5),
    ("status", "in play"), ("status", None), ("status", []), ("player", 2), ("player", "Maxie"),
    ("player", 0.5), ("player", None),
])  # fmt: skip


@given(sampled_from(EVERYWHERE), NEITHER, integers(0, 8), sampled_from([False, None]))
def test_what_is_no_status_or_player_is_refused_everywhere(
    ask: Callable[[Any], Any], fault: tuple[str, Any], stones: int, native: bool | None
) -> None:
    rule, found = fault
    wanted = "a Status, such as Status.IN_PLAY" if rule == "status" else "a player from 0 to 1"
    told = re.escape(f"it returned {found!r}, not {wanted}")
    kind = type("Below", (Below,), {"native": False}) if native is False else Below
    with pytest.raises(RuleFailed, match=f"{rule} failed .*{told}"):
        ask(kind(rule, (stones if rule == "status" else max(stones, 3), found)))


class Truth(Takeaway):
    def status(self, state: Pile) -> Any:
        return Status.IN_PLAY if state.stones else True


def test_machine_code_refuses_a_status_of_truth() -> None:
    with pytest.raises(RuleError, match="it returns bool or Status, not a Status"):
        search(Truth(), minimax(depth=6), engine="native").compute()


class Forgets(Below):
    """Its `make_move` forgets a position where so few stones are left."""

    native = False

    def make_move(self, state: Pile, move: int) -> Any:
        return super().make_move(state, move) if state.stones > self.wrong[0] else None


@given(sampled_from(EVERYWHERE), integers(3, 8))
def test_a_move_to_nothing_is_told_everywhere(ask: Callable[[Any], Any], stones: int) -> None:
    told = r"make_move failed .*it returned None, not a Pile; does a path of it end without"
    with pytest.raises(RuleFailed, match=told):
        ask(Forgets("make_move", (stones, 0)))


@pytest.mark.parametrize("players", [0, -1, 1.5])
def test_a_game_without_players_is_refused(players: Any) -> None:
    game = type("Nobody", (Takeaway,), {"players": players})()
    for ask in EVERYWHERE:
        with pytest.raises(ArgumentError, match=r"Nobody.players must be"):
            ask(game)
