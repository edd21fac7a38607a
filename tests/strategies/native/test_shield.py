"""Ctrl-C during compiling: the caller is interrupted at once, and no state is left inconsistent."""

from __future__ import annotations

import _thread
import threading
import time

import pytest

from strategies.native.shield import NAME, shielded
from tests.strategies.native.interrupting import AGAIN, FORK, LEAVE, interrupted, main, whole


def test_work_continues_when_its_caller_is_interrupted() -> None:
    begun, go = threading.Event(), threading.Event()
    made: list[str] = []

    def work() -> None:
        begun.set()
        go.wait(60)
        made.append("whole")

    def interrupt() -> None:
        begun.wait()
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        shielded(work)
    assert not made
    go.set()
    assert shielded(lambda: list(made)) == ["whole"]


def test_work_whose_caller_is_gone_is_not_started() -> None:
    begun, go = threading.Event(), threading.Event()
    made: list[str] = []

    def long() -> None:
        begun.set()
        go.wait(60)

    def interrupt() -> None:
        for _ in range(6000):
            if [thread.name for thread in threading.enumerate()].count(NAME) == 2:
                break
            time.sleep(0.01)
        _thread.interrupt_main()

    other = threading.Thread(target=shielded, args=(long,))
    other.start()
    begun.wait()
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        shielded(lambda: made.append("too late"))
    go.set()
    other.join()
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join()
    assert not made


def test_one_work_runs_at_a_time_and_nested_work_is_part_of_it() -> None:
    inside: list[int] = []

    def work() -> int:
        inside.append(0)
        assert len(inside) == 1
        found = shielded(lambda: threading.get_ident()) == threading.get_ident()
        inside.pop()
        return found

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(shielded(work))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
    assert NAME not in {thread.name for thread in threading.enumerate()}


def test_errors_of_work_are_raised_in_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        shielded(lambda: 1 // 0)
    assert shielded(lambda: 1) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after", "then"),
    [
        pytest.param((0.3, 0.3, 0.3), AGAIN, marks=pytest.mark.long),
        ((0.3, 0.3, 0.9), FORK),  # both processes search again
        ((1.0,), LEAVE),
    ],
    ids=["and searches again", "and forks", "and leaves"],
)
def test_a_process_that_was_interrupted_in_its_first_compilation(
    after: tuple[float, ...], then: str
) -> None:
    seen = interrupted(after, then)
    assert whole(seen, then), seen


@pytest.mark.long
@pytest.mark.parametrize(("many", "then"), [(25, "again"), (4, "fork"), (10, "leave")])
def test_processes_interrupted_at_any_moment(many: int, then: str) -> None:
    assert main(many, then, each=8 if then == "again" else 1) == 0
