"""A rule that does not return breaks a law, with its position; interrupts report what they stop."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time

import pytest

from games import Status
from games.laws import LAWS, check_laws
from games.laws.examine import Verdict, examine
from games.laws.plays import Plays
from games.laws.rules import Hung, Limit, TooLong, ask, limited, within_limit
from strategies.native.verification.engine_laws import engines_agree
from tests.games.laws.faults import NeverEndsItsOutcomes
from tests.games.laws.given import Heap, Pile


def forever() -> None:
    while True:
        pass


class EstimateNeverAnswers(Pile):
    def estimate(self, state: Heap) -> float:
        while state.left == 5:
            pass
        return 0


class MoveNeverAnswers(Pile):
    """A move that catches all exceptions except an interrupt."""

    def make_move(self, state: Heap, move: int) -> Heap:
        while state.left == 5:
            try:
                sum(range(10))
            except Exception:
                continue
        return super().make_move(state, move)


class PictureNeverAnswers(Pile):
    def show(self, state: Heap) -> str:
        while state.left == 5:
            pass
        return ""


@pytest.mark.parametrize(
    ("game", "moves", "rule"),
    [
        (EstimateNeverAnswers(), ("1", "3"), "estimate"),
        (MoveNeverAnswers(), ("1", "3", "1"), "make_move(1)"),
        (PictureNeverAnswers(), ("1", "3"), "show"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Pile) else "",
)
def test_a_rule_that_never_returns_is_reported_once_with_its_position(
    game: Pile, moves: tuple[str, ...], rule: str
) -> None:
    plays = Plays(game, "dev", seed=0, max_plies=40, limit=0.2)
    first, *others = [examine(law, plays) for law in LAWS]
    assert (first.law, first.result, first.moves) == ("rules_answer", "broken", moves)
    assert "Heap(left=5" in first.position
    assert first.expected == f"{rule} to answer within 0.2 s"
    assert first.got.startswith("no answer; it was in ")
    assert {v.reason for v in others} == {"a rule does not return, see rules_answer"}


def test_outcomes_without_an_end_are_reported_once() -> None:
    plays = Plays(NeverEndsItsOutcomes(), "dev", seed=0, max_plies=40)
    first, *others = [examine(law, plays) for law in LAWS]
    assert (first.law, first.result, first.moves) == ("rules_answer", "broken", ("1",))
    assert {v.reason for v in others} == {"a rule does not return, see rules_answer"}


def test_comparing_engines_reports_a_rule_that_never_returns_deeper_in_the_tree() -> None:
    class Below(EstimateNeverAnswers):
        """A pile whose rules compile."""

        def utility(self, state: Heap) -> float:
            return 100 if self.status(state) == Status.MAXIE_WINS else -100

    plays = Plays(Below(8), "dev", seed=0, max_plies=0, limit=0.2)
    assert examine(LAWS[0], plays).result == "pass"  # position 8 alone
    verdict = examine(engines_agree, plays)
    assert (verdict.result, verdict.expected) == ("broken", "estimate to answer within 0.2 s")
    assert verdict.moves == ("1", "2")
    assert verdict.got.startswith("no answer; it was in estimate")
    assert "; the position is Heap(left=5," in verdict.got
    assert plays.hung == "engines_agree"


def test_a_slow_search_does_not_break_a_law() -> None:
    class Slow(Pile):
        def estimate(self, state: Heap) -> float:
            total = 0
            for i in range(300_000):
                total += i
            return total % 7

        def utility(self, state: Heap) -> float:
            return 100 if self.status(state) == Status.MAXIE_WINS else -100

    plays = Plays(Slow(8), "dev", seed=0, max_plies=0, limit=0.5)
    assert examine(engines_agree, plays).result == "pass"


@pytest.mark.usefixtures("only_new_garbage")
def test_a_limit_that_expires_in_the_garbage_collector_is_raised_again_silently(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported: list[type[BaseException] | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: reported.append(dropped.exc_type))
    struck: list[str] = []

    def collected(phase: str, info: dict[str, int]) -> None:
        if not struck:
            try:
                forever()
            except TooLong:
                struck.append(phase)
                raise

    def rule() -> None:
        gc.collect()
        forever()

    gc.callbacks.append(collected)
    try:
        with Limit(0.05) as limit, pytest.raises(TooLong):
            limit.call(rule)
    finally:
        gc.callbacks.remove(collected)
    assert (struck, reported) == (["start"], [])

    class Careless:
        def __del__(self) -> None:
            raise KeyError

    Careless()
    with Limit(0.05):
        Careless()
    assert reported == [KeyError, KeyError]


def test_a_limit_is_a_number_above_zero() -> None:
    for limit in (0, -1.0, float("nan"), "1"):
        with pytest.raises(ValueError, match="limit must be a number above 0"):
            check_laws(Pile(3), limit=limit)  # type: ignore[arg-type]


def test_a_limit_stops_the_call_that_exceeds_it_and_no_later_call() -> None:
    with limited(Limit(0.05)):
        for _ in range(3):
            with pytest.raises(TooLong):
                within_limit(forever)
            assert within_limit(lambda: sum(range(100))) == 4950
        for _ in range(200):  # a call that ends when its time is up is not stopped later
            try:
                within_limit(lambda: time.sleep(0.0005))
            except TooLong:  # the machine was busy
                continue
    sum(range(10**5))


def test_rules_have_no_limit_outside_the_laws() -> None:
    assert ask(Pile(3), "start") == Heap(3, 0)
    with limited(Limit(0.1)), pytest.raises(Hung, match=r"estimate to answer within 0\.1 s"):
        ask(EstimateNeverAnswers(5), "estimate", Heap(5, 0))


def test_another_thread_reports_a_rule_that_cannot_be_stopped() -> None:
    told: list[str] = []

    def sleeps() -> None:
        while not told:
            time.sleep(0.3)

    with limited(Limit(0.05, told.append)), pytest.raises(TooLong):
        within_limit(sleeps, "the call")
    assert told == ["the call"]


def test_the_process_is_not_ended_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watching thread may be at the end of its wait when the limit is left."""
    told: list[str] = []
    monkeypatch.setattr("faulthandler.dump_traceback_later", lambda *_, **__: told.append("ends"))
    monkeypatch.setattr("faulthandler.cancel_dump_traceback_later", lambda: told.append("goes on"))

    class LateWait(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            return super().wait() and len(told) > 1  # the first time, as if the time were up

    limit = Limit(0.1, lambda _: None)
    limit._closed = LateWait()
    with limit:
        [watcher] = [t for t in threading.enumerate() if t.name == "limit of rules"]
    watcher.join(10)
    assert (watcher.is_alive(), told) == (False, ["goes on"])


class Interrupted(Pile):
    def estimate(self, state: Heap) -> float:
        if state.left == 5:
            raise KeyboardInterrupt
        return 0


def test_an_interrupt_reports_the_rule_position_and_law_that_it_stopped() -> None:
    told: list[Verdict] = []
    with pytest.raises(KeyboardInterrupt) as stop:
        check_laws(Interrupted(), seed=0, tell=told.append)
    rule, law = stop.value.__notes__
    assert rule.startswith("rule estimate in Heap(left=5, ")
    assert law == "law rules_answer"
    assert told == []


TRACED = """
import sys
from games.laws.rules import Limit, TooLong

def forever():
    while True:
        pass

with Limit(0.05) as limit:
    try:
        limit.call(forever)
    except TooLong:
        sys.settrace(lambda *_: None)
        print((lambda: "traced")())
"""


def test_tracing_continues_after_a_limit() -> None:
    """Python 3.11 hangs there if it waits for an exception that nobody receives."""
    ran = subprocess.run(
        [sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == "traced\n"
