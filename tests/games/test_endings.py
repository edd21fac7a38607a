"""Plays of games with cycles end by repetition or a limit of plies, and their records say so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Game, Record, Status, play, with_chance
from games.endings import Ending, utility_of
from graphs.errors import ArgumentError
from tests.games.cyclic import Cycle, Mover, Token, cycles

RING = Cycle(((1,), (2,), (0,)))


@given(cycles(), st.lists(st.integers(0, 5), min_size=3, max_size=3), st.integers(1, 60))
def test_a_play_ends_at_the_first_third_occurrence_or_at_the_limit(
    game: Cycle, numbers: list[int], limit: int
) -> None:
    agents = [Mover(n) for n in numbers[: game.players]]
    record = play(game, *agents, seed=1, ply_limit=limit)
    times, since = list[int](), list[Any]()
    for state, turn in zip(record.replay(), ("", *record.turns), strict=True):
        since = [] if type(turn) is int else since
        since.append(state)
        times.append(since.count(state))
    assert max(times[:-1], default=0) < 3
    assert record.ended == ("repetition" if times[-1] == 3 else "limit of plies")
    assert record.ended == "repetition" or len(record.turns) == limit
    assert record.status == (Status.DRAW if game.players > 1 else Status.OVER)
    assert Record.from_json(record.to_json(), game) == record


def test_a_draw_is_worth_the_same_to_all() -> None:
    @frozen
    class Shared(Cycle):
        value_sum = 6

    last = Token()
    assert [utility_of(evolve(RING, players=n), last, "repetition") for n in (1, 2, 3)] == [
        1, 0, (0, 0, 0),
    ]  # fmt: skip
    assert utility_of(Shared(RING.ways, players=3), last, "limit of plies") == (2, 2, 2)
    assert utility_of(RING, last, "left") is None


def test_a_game_says_when_its_plays_end() -> None:
    @frozen
    class Patient(Cycle):
        repetition_limit = None
        ply_limit = 50

    @frozen
    class Bounded(Patient):
        max_plies = 70

    for game, plies in ((Patient(RING.ways), 50), (Bounded(RING.ways), 70)):
        for same in (game, with_chance(game, 1)):
            record = play(same, Mover(0), Mover(0))
            assert (len(record.turns), record.ended) == (plies, "limit of plies")
    assert play(RING, Mover(0), Mover(0)).ended == "repetition"


@pytest.mark.parametrize("hook", [False, True])
def test_positions_without_a_hash_are_compared(hook: bool) -> None:
    class Rows(Game[list[int], int]):
        def status(self, state: list[int]) -> Status:
            return Status.IN_PLAY

        def player(self, state: list[int]) -> int:
            return 0

    if hook:
        Rows.key = lambda self, state: state[0]  # type: ignore[attr-defined]
    ending = Ending(Rows())
    assert [ending.goes_on([k % 2]) for k in range(5)] == [True] * 4 + [False]
    assert ending.ended == "repetition"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"ended": "rules", "status": "IN_PLAY"}, "ended by 'rules'; its moves lead to a position"),
        ({"ended": "boredom", "status": "IN_PLAY"}, "ended by 'boredom'"),
        ({"ended": 3}, "'ended' is not a text"),
        ({"turns": ["0"]}, "no position is repeated"),
    ],
)
def test_a_forged_ending_is_refused(changes: dict[str, Any], complaint: str) -> None:
    fields = json.loads(play(RING, Mover(0), Mover(0)).to_json()) | changes
    with pytest.raises(ValueError, match=complaint):
        Record.from_json(json.dumps(fields), RING)


def test_a_record_without_an_ending_was_left_or_ended_by_the_rules() -> None:
    fields = json.loads(Record(RING, ("0",), ended="left").to_json())
    del fields["ended"]
    assert Record.from_json(json.dumps(fields), RING).ended == "left"


def test_a_wrong_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="ply_limit must be a whole number, 1 or more"):
        play(RING, Mover(0), Mover(0), ply_limit=0)


@pytest.mark.parametrize(
    ("limit", "wrong"),
    [("ply_limit", 0), ("ply_limit", "ten"), ("max_plies", 2.5), ("repetition_limit", 1)],
)
def test_a_wrong_limit_of_a_game_is_refused_by_its_name(limit: str, wrong: object) -> None:
    limited = type("Limited", (Cycle,), {limit: wrong})
    with pytest.raises(ArgumentError, match=f"Limited.{limit} must be a whole number"):
        play(limited(((1,), (0,))), Mover(0), Mover(0))
