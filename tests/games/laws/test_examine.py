"""The verdict on a law: repeatable, with the shortest play, and open about what was not tried."""

from __future__ import annotations

from itertools import count
from time import sleep
from typing import Any

import pytest

from games import HANDOUT_FIRST, NoEstimate, TicTacToe
from games.laws import LAWS, Broken, Law, Trace, Verdict, law_of_states, law_of_traces
from games.laws.examine import examine
from games.laws.law import AnyGame, over
from games.laws.plays import SECONDS, Plays
from tests.games.laws.faults import MoveChangesTheState, MovesChangeTheirOrder
from tests.games.laws.given import Heap, Pile


def verdict_on(law: Law, game: AnyGame, **how: Any) -> Verdict:
    defaults: dict[str, Any] = {"profile": "dev", "seed": 0, "max_plies": 40}
    return examine(law, Plays(game, **(defaults | how)))


@law_of_states()
def is_never_3_1_2(game: AnyGame, state: Heap) -> None:
    """Nobody plays 3, 1, 2."""
    if state.past == (3, 1, 2):
        raise Broken("another play", f"{state.past}")


@law_of_states(over)
def is_never_over(game: AnyGame, state: Heap) -> None:
    """Play goes on."""
    raise Broken("a position in play", "the end")


@law_of_traces()
def is_random(game: AnyGame, trace: Trace) -> int:
    """The law holds every other time."""
    if next(TIMES) % 2:
        raise Broken("nothing", "something")
    return 1


TIMES = count()


@law_of_traces()
def is_faulty(game: AnyGame, trace: Trace) -> int:
    """The law itself raises, from ply 2 on."""
    return 1 if trace.plies < 2 else 1 // 0


SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3, 4)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fault_deep_in_a_play_is_shown_by_its_shortest_moves(seed: int) -> None:
    verdict = verdict_on(is_never_3_1_2, Pile(40), seed=seed)
    assert verdict.moves == ("3", "1", "2")
    assert verdict.replay == "replay(Pile(size=40), [3, 1, 2])"
    assert verdict.position == "Heap(left=34, turn=1, past=(3, 1, 2))"
    assert (verdict.expected, verdict.got) == ("another play", "(3, 1, 2)")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_of_a_game_is_shown_by_the_shortest_play(seed: int) -> None:
    assert verdict_on(is_never_over, Pile(12), seed=seed).moves == ("3", "3", "3", "3")


def test_a_law_whose_positions_are_not_reached_is_reported_as_untested() -> None:
    verdict = verdict_on(is_never_over, Pile(300))
    assert verdict.result == "not met"
    assert verdict.reason == "no position to which it applies was reached in 40 plies"


def test_a_law_that_fails_only_sometimes_is_broken() -> None:
    assert verdict_on(is_random, Pile(3)).result == "broken"


def test_moves_that_change_while_a_play_is_drawn_break_a_law() -> None:
    plays = Plays(MovesChangeTheirOrder(), "dev", seed=0, max_plies=40)
    for law in LAWS:
        if law.name == "answers_keep_in_a_fresh_process":  # it draws nothing, but takes a second
            continue
        assert examine(law, plays).result in (
            "pass",
            "broken",
            "not applicable",
            "not met",
        )


def test_an_error_in_a_law_is_reported_with_the_moves() -> None:
    verdict = verdict_on(is_faulty, Pile(9))
    assert verdict.moves == ("1", "1")
    assert verdict.got == "ZeroDivisionError: integer division or modulo by zero"


def test_the_same_seed_gives_the_same_verdict() -> None:
    assert verdict_on(is_never_3_1_2, Pile(12)) == verdict_on(is_never_3_1_2, Pile(12))
    moves_are_distinct = next(law for law in LAWS if law.name == "moves_are_distinct")
    tested = [verdict_on(moves_are_distinct, TicTacToe(), seed=s).positions for s in (1, 1, 2)]
    assert tested[0] == tested[1] != tested[2]


def test_a_law_of_states_is_checked_once_in_each_position() -> None:
    asked: list[Any] = []

    @law_of_states()
    def is_asked(game: AnyGame, state: Any) -> None:
        """It is asked."""
        asked.append(state)

    plays = Plays(TicTacToe(), "dev", seed=0, max_plies=40)
    drawn: list[Trace] = []
    plays.each(drawn.append)
    passed = [state for trace in drawn for state in trace.states]
    assert examine(is_asked, plays).positions == len(asked) == len(set(asked))
    assert set(asked) >= set(passed)  # random plays are added
    assert len(asked) < len(passed)


def test_a_law_of_traces_is_checked_once_for_each_play() -> None:
    asked: list[Any] = []

    @law_of_traces()
    def is_asked(game: AnyGame, trace: Trace) -> int:
        """It is asked."""
        asked.append(trace.choices)
        return 1

    plays = Plays(Pile(5), "dev", seed=0, max_plies=40)
    drawn: list[Trace] = []
    plays.each(drawn.append)
    assert examine(is_asked, plays).positions == len(asked) == len(set(asked))
    assert set(asked) >= {trace.choices for trace in drawn}  # random plays are added
    assert len(asked) < len(drawn)


def test_a_law_may_examine_whole_plays() -> None:
    law = Law("four_tokens", "At least 4 tokens are left.", at_least_4_are_left)
    verdict = verdict_on(law, Pile(9))
    assert (verdict.moves, verdict.got) == (("3", "3"), "3")
    assert verdict_on(law, Pile(200), max_plies=9).result == "pass"


def at_least_4_are_left(game: AnyGame, trace: Trace) -> int:
    for ply, state in enumerate(trace.states):
        if state.left < 4:
            broken = Broken("at least 4", str(state.left))
            broken.ply = ply
            raise broken
    return len(trace.states)


class SpoiltLater(Pile):
    """Making a move changes the position, if that has 6 tokens."""

    def make_move(self, state: Heap, move: int) -> Heap:
        child = super().make_move(state, move)
        if state.left == 6:
            object.__setattr__(state, "left", 5)
        return child


@pytest.mark.parametrize("seed", SEEDS)
def test_a_position_that_moves_change_is_tested_in_a_play_that_ends_there(seed: int) -> None:
    purity = next(law for law in LAWS if law.name == "make_move_is_pure")
    assert verdict_on(purity, SpoiltLater(9), seed=seed).moves == ("3", "1")


class SaysNothingOfItsMoves(Pile):
    def moves(self, state: Heap) -> Any:
        if state.left == 5:
            raise NoEstimate("of a move")
        yield from super().moves(state)


def test_only_values_may_be_missing() -> None:
    rules_answer = next(law for law in LAWS if law.name == "rules_answer")
    verdict = verdict_on(rules_answer, SaysNothingOfItsMoves(9))
    assert (verdict.moves, verdict.got) == (("1", "3"), "NoEstimate: of a move")


def test_a_position_without_a_value_is_skipped() -> None:
    estimate = next(law for law in LAWS if law.name == "estimate_is_a_number")
    assert verdict_on(estimate, HANDOUT_FIRST).result == "not met"


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="no profile 'fast'; profiles: dev, ci, deep"):
        verdict_on(is_never_over, Pile(9), profile="fast")


def test_a_rule_that_changes_positions_does_not_affect_later_laws() -> None:
    plays = Plays(MoveChangesTheState(), "dev", seed=0, max_plies=40)
    verdicts = [examine(law, plays) for law in LAWS]
    assert [v.law for v in verdicts if v.result == "broken"] == ["make_move_is_pure"]


def test_plays_are_left_out_where_rules_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SECONDS, "dev", 0.0)
    plays = Plays(Pile(9), "dev", 0, 40)
    (law,) = [law for law in LAWS if law.name == "moves_are_distinct"]
    verdict = examine(law, plays)
    assert (verdict.result, verdict.positions > 0) == ("pass", True)
    left = len(plays.different) - 1
    assert f"the rules are slow: {left} of {left + 1} plays were left out" in str(verdict)
    monkeypatch.setitem(SECONDS, "dev", 20.0)
    assert "left out" not in str(examine(law, plays))
    assert examine(law, plays).positions > verdict.positions


def test_no_play_is_left_out_because_the_machine_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SECONDS, "dev", 0.2)

    @law_of_states
    def waits(game: AnyGame, state: Heap) -> None:
        """Other programs have the processor for a while."""
        sleep(0.01)

    plays = Plays(Pile(9), "dev", 0, 40)
    verdict = examine(waits, plays)
    assert (verdict.reason, verdict.seconds > 0.2) == ("", True), verdict
