"""A game without the rule `estimate` is searched by whatever reaches the ends of its plays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from games import Game, Status
from games.laws import check_laws
from strategies import (
    RuleFailed,
    abdada,
    alphabeta,
    auto,
    engine_for,
    expectimax,
    minimax,
    mtdf,
    par_list,
    pvs,
    search,
    solve,
)


@frozen
class Ends(Game[tuple[int, int], int]):
    """Take one or two of four stones; the result is the number of turns."""

    def start(self) -> tuple[int, int]:
        return 4, 0

    def status(self, state: tuple[int, int]) -> Status:
        return Status.IN_PLAY if state[0] > 0 else Status.OVER

    def player(self, state: tuple[int, int]) -> int:
        return state[1] % 2

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        yield from range(1, min(2, state[0]) + 1)

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, state[1] + 1

    def utility(self, state: tuple[int, int]) -> int:
        return state[1]


class Interpreted(Ends):
    """The same, never compiled."""

    native = False


@pytest.mark.parametrize(
    ("algorithm", "engine", "how"),
    [
        *((algorithm, "interpreted", {}) for algorithm in (
            minimax(4), alphabeta(4), expectimax(4), pvs(4), mtdf(9),
        )),
        (alphabeta(4), "native", {}),
        pytest.param(pvs(4), "native", {}, marks=pytest.mark.long),
        *((pvs(4), "interpreted", how) for how in (
            {"time": 60}, {"nodes": 10**6}, {"using": par_list.to_ply(1)},
            {"using": abdada(2)}, {"using": auto(workers=2)},
        )),
    ],
)  # fmt: skip
def test_searches_to_the_ends(algorithm: Any, engine: str, how: dict[str, Any]) -> None:
    assert search(Ends(), algorithm, engine=engine, **how).compute(num_workers=2).value == 3


def test_a_search_that_stops_before_says_what_it_lacks() -> None:
    with pytest.raises(RuleFailed, match=r"above the ends of plays needs estimate\(state\)"):
        search(Ends(), alphabeta(2), engine="interpreted").compute()


def test_no_law_is_broken_and_the_game_is_solved() -> None:
    assert check_laws(Interpreted(), seed=1).ok
    assert solve(Ends(), engine="interpreted").value == 3


@frozen
class Circle(Game[int, int]):
    """One player walks around a circle of four places, and wants to reach place `wanted`."""

    wanted: int = 3
    players = 1

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.MAXIE_WINS if state == self.wanted else Status.IN_PLAY

    def player(self, state: int) -> int:
        return 0

    def moves(self, state: int) -> Iterator[int]:
        yield from (1, 2)

    def make_move(self, state: int, move: int) -> int:
        return (state + move) % 4


@pytest.mark.parametrize(("wanted", "text"), [(3, "solved in 2 plies"), (9, "no solution")])
def test_play_that_returns_to_positions_is_solved(wanted: int, text: str) -> None:
    assert str(solve(Circle(wanted), engine="interpreted")) == text


def test_few_positions_are_solved_sooner_than_rules_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Small(Circle):
        """A class whose rules nothing has compiled."""

    monkeypatch.setattr("strategies.searches.solving.TRIAL_SECONDS", 0.01)
    assert str(solve(Small(9))) == "no solution"
    assert engine_for(Small(9)).undecided
