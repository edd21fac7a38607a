"""Each position is new once, and positions that a law could distinguish are never equated."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from attrs import field, frozen

from games.laws import Trace, replay
from games.laws.plays import Passed
from tests.games.laws.faults import MoveChangesTheState, MoveIsRandom, StatesEqualNothing
from tests.games.laws.given import Heap, Pile, WindyPile


def new_plies(game: Any, *plays: list[int]) -> list[tuple[int, ...]]:
    passed = Passed()
    return [passed.new_plies(replay(game, choices)) for choices in plays]


def test_a_position_is_new_once_however_play_reaches_it() -> None:
    plays = [1, 1, 1, 1], [1, 1, 2], [2, 3, 1, 1, 1], [2], []
    assert new_plies(Pile(9), *plays) == [(0, 1, 2, 3, 4), (3,), (1, 2, 3, 4, 5), (), ()]
    assert new_plies(Pile(9), [1, 2, 1, 2], [2, 2, 1, 2]) == [(0, 1, 2, 3, 4), (1, 2, 3, 4)]
    assert new_plies(WindyPile(9), [1, 0, 1], [1, 1, 1]) == [(0, 1, 2, 3), (2, 3)]


@frozen
class Noted(Heap):
    """A state with a note that ``==`` ignores."""

    note: Any = field(default=0, eq=False)


class Noting(Pile):
    """A game that notes in each state how it was reached, which ``==`` ignores."""

    def make_move(self, state: Heap, move: int) -> Heap:
        return Noted(state.left - move, 1 - state.turn, note=move)


def test_fields_that_equality_ignores_count_too() -> None:
    assert replay(Noting(9), [1, 2]).state == replay(Noting(9), [2, 1]).state
    assert new_plies(Noting(9), [1, 2], [2, 1], [1, 2]) == [(0, 1, 2), (1, 2), ()]


class NotPickled(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        return Noted(state.left - move, 1 - state.turn, note=lambda: 0)


class Uncomparable(Heap):
    def __eq__(self, other: object) -> bool:
        raise TypeError("not to be compared")

    __hash__ = Heap.__hash__


class NotCompared(Pile):
    def make_move(self, state: Heap, move: int) -> Heap:
        return Uncomparable(state.left - move, 1 - state.turn)


@pytest.mark.parametrize("game", [NotPickled(9), NotCompared(9)], ids=lambda g: type(g).__name__)
def test_states_that_cannot_be_compared_are_new(game: Pile) -> None:
    assert new_plies(game, [1, 2], [1, 2]) == [(0, 1, 2), (1, 2)]


def test_states_that_equal_nothing_are_new() -> None:
    assert new_plies(StatesEqualNothing(9), [1, 3, 1], [1, 3, 1]) == [(0, 1, 2, 3), (2,)]


def test_states_that_differ_each_time_are_new() -> None:
    assert new_plies(MoveIsRandom(9), [1, 3], [1, 3]) == [(0, 1, 2), (2,)]


def test_a_position_that_moves_change_stays_new() -> None:
    # Playing 3 changes the position after 1, so that no law can be tested in it afterwards.
    plays = [1, 3], [1, 3], [1, 2], [1]
    assert new_plies(MoveChangesTheState(9), *plays) == [(0, 1, 2), (1,), (1, 2), ()]


class AnswersForAWhile(Pile):
    times: ClassVar[list[int]] = []

    def make_move(self, state: Heap, move: int) -> Heap:
        self.times.append(move)
        if len(self.times) > 2:
            raise ValueError("enough")
        return super().make_move(state, move)


def test_all_plies_of_a_play_that_cannot_be_repeated_are_new() -> None:
    passed = Passed()
    trace = replay(AnswersForAWhile(9), [1, 2])
    assert passed.new_plies(trace) == (0, 1, 2)
    assert passed.new_plies(trace) == (0, 1, 2)


def test_a_position_is_remembered_as_it_was_before_its_rules_ran() -> None:
    class AskingSpoils(Pile):
        def player(self, state: Heap) -> int:
            object.__setattr__(state, "left", 1)
            return 0

        def make_move(self, state: Heap, move: int) -> Heap:
            return Heap(9 - move, 1)

    passed = Passed()
    trace = Trace(AskingSpoils(9), (1,), (Heap(9, 0), Heap(8, 1)))
    assert passed.new_plies(trace) == (0, 1)
    assert passed.new_plies(trace) == (0,)
