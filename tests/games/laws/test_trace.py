"""Random plays follow the rules, replay from their repr, and shrink to the shortest."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from games import CHANCE, Status
from games.laws import Broken, Trace, replay, state_and_move, states, traces
from tests.games.laws.faults import HasNoStart, RaisesInMakeMove
from tests.games.laws.given import Heap, Pile, ThreePile, WindyPile

games = st.sampled_from([Pile(9), WindyPile(9), ThreePile(9)])


@given(st.data(), games)
def test_the_repr_of_a_trace_recreates_it(data: st.DataObject, game: Pile) -> None:
    trace = data.draw(traces(game))
    names = {type(game).__name__: type(game), "replay": replay}
    assert eval(repr(trace), names) == trace


@given(st.data(), games)
def test_each_choice_of_a_trace_is_possible(data: st.DataObject, game: Pile) -> None:
    trace = data.draw(traces(game))
    for before, choice, after in zip(trace.states, trace.choices, trace.states[1:], strict=False):
        if game.player(before) == CHANCE:
            assert list(game.outcomes(before))[choice][1] == after
        else:
            assert choice in list(game.moves(before))
            assert game.make_move(before, choice) == after


@given(traces(Pile(60), max_plies=5))
def test_a_trace_is_at_most_as_long_as_asked(trace: Trace) -> None:
    assert trace.plies <= 5
    assert trace.up_to(2).choices == trace.choices[:2]
    assert trace.up_to(2).state == trace.states[min(2, trace.plies)]


@settings(derandomize=True)
@given(traces(RaisesInMakeMove()))
def test_a_trace_ends_before_the_position_whose_rule_raises(trace: Trace) -> None:
    assert all(state.left != 5 for state in trace.states)


def test_a_game_without_a_start_has_no_trace() -> None:
    with pytest.raises(Broken, match="expected start to answer, got NotImplementedError"):
        replay(HasNoStart())


@pytest.mark.long  # shrinking takes from one to a hundred seconds
@pytest.mark.parametrize("seed", range(5))
def test_plays_shrink_to_the_fewest_and_lowest_moves(seed: int) -> None:
    once = settings(database=None, deadline=None, max_examples=1000)
    game, random = Pile(40), Random(seed)
    trace = find(traces(game), lambda t: t.state.past == (3, 1, 2), settings=once, random=random)
    assert trace.choices == (3, 1, 2)


@pytest.mark.long  # shrinking takes from one to a hundred seconds
@pytest.mark.parametrize("seed", range(3))
def test_the_end_of_a_play_shrinks_to_the_shortest_play_that_ends(seed: int) -> None:
    once = settings(database=None, deadline=None)
    ends = traces(Pile(12))
    trace = find(ends, lambda t: t.state.left == 0, settings=once, random=Random(seed))
    assert trace.choices == (3, 3, 3, 3)


def test_a_failure_at_a_position_says_which_moves_lead_there() -> None:
    @settings(database=None, derandomize=True)
    @given(state_and_move(Pile(9)))
    def is_high(found: tuple[Heap, int]) -> None:
        assert found[0].left > 5

    with pytest.raises(AssertionError) as failed:
        is_high()
    assert "The position is that of replay(Pile(size=9), [1, 3])" in failed.value.__notes__


def test_positions_shrink_too() -> None:
    assert find(states(Pile(9)), lambda state: state.left == 8) == Heap(8, 1, (0, 0, 1))


@given(st.data(), games)
def test_a_position_comes_with_one_of_its_moves(data: st.DataObject, game: Pile) -> None:
    state, move = data.draw(state_and_move(game))
    assert game.status(state) == Status.IN_PLAY
    assert move in list(game.moves(state))


def test_long_plays_reach_the_end_often_enough() -> None:
    ended = []

    @settings(max_examples=60, derandomize=True)
    @given(traces(Pile(30)))
    def play(trace: Trace) -> None:
        ended.append(trace.state.left == 0)

    play()
    assert sum(ended) > 20
