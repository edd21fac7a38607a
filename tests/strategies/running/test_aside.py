"""Work beside its caller: what it gives and raises, and what it leaves behind."""

from __future__ import annotations

import _thread
import os
import signal
import threading
import weakref
from time import sleep
from typing import Any

import pytest

from games import ConnectFour
from strategies.native.engine import engine_for
from strategies.native.memory.cells import Stop
from strategies.running.runtime import aside
from strategies.running.runtime.aside import run_aside, run_heard
from strategies.running.runtime.cancellation import current_scope

MAIN = threading.main_thread().ident


class Mark:
    """Something whose end can be seen."""


def test_it_is_done_elsewhere_by_one_thread_that_keeps_nothing() -> None:
    stops = [Stop() for _ in range(3)]
    seen = [run_aside(lambda: (threading.get_ident(), current_scope()), stop) for stop in stops]
    assert [stop for _, stop in seen] == stops
    assert len({ident for ident, _ in seen}) == 1
    assert seen[0][0] != MAIN
    del stops, seen
    mark, stop = Mark(), Stop()
    ends: list[weakref.ref[Any]] = [weakref.ref(mark), weakref.ref(stop)]
    run_aside(lambda mark=mark: mark, stop)  # type: ignore[misc]
    del mark, stop
    assert [end() for end in ends] == [None, None]


def test_another_thread_does_it_itself() -> None:
    seen: list[int] = []
    stop = Stop()
    other = threading.Thread(
        target=lambda: seen.append(run_aside(lambda: threading.get_ident(), stop))
    )
    other.start()
    other.join()
    assert seen == [other.ident]


@pytest.mark.parametrize(
    ("raised", "told"), [(KeyError("x"), KeyError), (SystemExit(3), RuntimeError)]
)
def test_what_it_raises_comes_home(raised: BaseException, told: type[BaseException]) -> None:
    def fails() -> None:
        raise raised

    with pytest.raises(told):
        run_aside(fails, Stop())
    assert run_aside(lambda: 7, Stop()) == 7


def test_an_interrupt_stops_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, begun = Stop(), threading.Event()

    def long() -> None:
        begun.set()
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.is_set:
            pass

    run_aside(int, Stop())
    threads = _thread._count()
    with pytest.raises(KeyboardInterrupt):
        run_aside(long, stop)
    assert begun.is_set()
    assert stop.is_set
    assert aside._idle == []
    while _thread._count() != threads - 1:  # as long as that thread takes to end
        sleep(0.001)


def test_an_interrupt_as_the_work_ends_is_not_waited_for() -> None:
    class Told:
        """A lock whose taking is interrupted as soon as it has been taken."""

        def __init__(self, lock: Any) -> None:
            self.lock, self.release, self.waits = lock, lock.release, 0

        def acquire(self, timeout: float) -> None:
            self.waits += 1
            self.lock.acquire(timeout=5)
            raise KeyboardInterrupt

    run_aside(int, Stop())
    (helper,) = aside._idle
    told = Told(helper.done)
    helper.done = told  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        run_aside(int, Stop())
    assert told.waits == 1


def endless(stop: Stop, number: int, again: float | None = None) -> Any:
    """A search in machine code that only `stop` ends, while a signal comes, or several."""
    begun, over = threading.Event(), threading.Event()
    found: list[int] = []

    def kill() -> None:
        begun.wait()
        os.kill(os.getpid(), number)
        while again and not over.wait(again):  # the first may come before the machine code runs
            os.kill(os.getpid(), number)

    game = ConnectFour()
    engine = engine_for(game, "native")
    engine.search(game.start(), 2)  # compiled
    killer = threading.Thread(target=kill)
    killer.start()

    def work() -> tuple[int, int | None]:
        found.append(0)
        if len(found) == 1:
            begun.set()
            engine.search(game.start(), 40, stop=stop)
        over.set()
        return len(found), threading.get_ident()

    return work


def test_a_light_work_is_done_by_the_caller() -> None:
    stop = Stop()
    assert run_heard(lambda: (threading.get_ident(), current_scope()), stop) == (MAIN, stop)
    assert not stop.is_set
    with pytest.raises(KeyError):
        run_heard(lambda: {}["x"], Stop())
    assert signal.set_wakeup_fd(-1) == -1


def test_an_interrupt_ends_machine_code_in_the_callers_thread() -> None:
    for _ in range(3):
        stop = Stop()
        with pytest.raises(KeyboardInterrupt):
            run_heard(endless(stop, signal.SIGINT), stop)
        assert stop.is_set
        assert signal.set_wakeup_fd(-1) == -1


def test_after_a_signal_that_ends_nothing_the_work_is_done_aside() -> None:
    heard: list[int] = []

    def handler(number: int, _: object) -> None:
        heard.append(run_heard(lambda: number, Stop()))  # which watches, too

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        stop = Stop()
        many, who = run_heard(endless(stop, signal.SIGUSR1, again=0.2), stop)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (many, set(heard), stop.is_set) == (2, {signal.SIGUSR1}, False)
    assert who != MAIN


def test_where_another_program_reads_the_signals_they_are_left_to_it() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    try:
        assert run_heard(threading.get_ident, Stop()) != MAIN
        assert signal.set_wakeup_fd(-1) == writer
    finally:
        signal.set_wakeup_fd(-1)
        os.close(reader)
        os.close(writer)


def test_a_forked_process_hears_for_itself() -> None:
    run_heard(lambda: 7, Stop())
    child = os.fork()
    if not child:
        stop = Stop()
        try:
            run_heard(endless(stop, signal.SIGINT), stop)
        except KeyboardInterrupt:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
