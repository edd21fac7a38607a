"""Work in another thread: its result, its errors, interrupts, and that it leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import weakref
from time import sleep
from typing import Any

import pytest

from games import ConnectFour
from strategies import alphabeta, search, young_brothers_wait
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.running.runtime import aside
from strategies.running.runtime.aside import interruptible, run_in_helper, run_interruptible
from strategies.running.runtime.cancellation import current_scope

MAIN = threading.main_thread().ident


class Mark:
    """An object whose end can be observed."""


def test_one_other_thread_does_the_work_and_keeps_no_reference() -> None:
    stops = [Stop() for _ in range(3)]
    seen = [run_in_helper(lambda: (threading.get_ident(), current_scope()), stop) for stop in stops]
    assert [stop for _, stop in seen] == stops
    assert len({ident for ident, _ in seen}) == 1
    assert seen[0][0] != MAIN
    del stops, seen
    mark, stop = Mark(), Stop()
    ends: list[weakref.ref[Any]] = [weakref.ref(mark), weakref.ref(stop)]
    run_in_helper(lambda mark=mark: mark, stop)  # type: ignore[misc]
    del mark, stop
    assert [end() for end in ends] == [None, None]


def test_threads_other_than_the_main_one_do_the_work_themselves() -> None:
    seen: list[int] = []
    stop = Stop()
    other = threading.Thread(
        target=lambda: seen.append(run_in_helper(lambda: threading.get_ident(), stop))
    )
    other.start()
    other.join()
    assert seen == [other.ident]


@pytest.mark.parametrize(
    ("raised", "told"), [(KeyError("x"), KeyError), (SystemExit(3), RuntimeError)]
)
def test_errors_are_raised_in_the_caller(raised: BaseException, told: type[BaseException]) -> None:
    def fails() -> None:
        raise raised

    with pytest.raises(told):
        run_in_helper(fails, Stop())
    assert run_in_helper(lambda: 7, Stop()) == 7


def test_an_interrupt_stops_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, idents = Stop(), list[int]()

    def long() -> None:
        idents.append(threading.get_ident())
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.is_set:
            pass

    with pytest.raises(KeyboardInterrupt):
        run_in_helper(long, stop)
    assert stop.is_set
    assert aside._idle == []
    for _ in range(500):  # the time that its thread takes to end
        if idents[0] not in sys._current_frames():
            break
        sleep(0.01)
    assert idents[0] not in sys._current_frames()


def test_an_interrupt_at_the_end_of_the_work_does_not_hang() -> None:
    class Told:
        """A lock that raises an interrupt as soon as it is acquired."""

        def __init__(self, lock: Any) -> None:
            self.lock, self.release, self.waits = lock, lock.release, 0

        def acquire(self, timeout: float) -> None:
            self.waits += 1
            self.lock.acquire(timeout=5)
            raise KeyboardInterrupt

    run_in_helper(int, Stop())
    (helper,) = aside._idle
    told = Told(helper.done)
    helper.done = told  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        run_in_helper(int, Stop())
    assert told.waits == 1


def endless(stop: Stop, number: int, again: float | None = None) -> Any:
    """Run a compiled search that only `stop` ends, while one or several signals arrive."""
    begun, over = threading.Event(), threading.Event()
    found: list[int] = []

    def kill() -> None:
        begun.wait()
        os.kill(os.getpid(), number)
        while again and not over.wait(again):  # the machine code may not run yet
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


def test_short_work_is_done_by_the_caller() -> None:
    stop = Stop()
    assert run_interruptible(lambda: (threading.get_ident(), current_scope()), stop) == (MAIN, stop)
    assert not stop.is_set
    with pytest.raises(KeyError):
        run_interruptible(lambda: {}["x"], Stop())
    assert signal.set_wakeup_fd(-1) == -1


def test_an_interrupt_ends_machine_code_in_the_callers_thread() -> None:
    for _ in range(3):
        stop = Stop()
        with pytest.raises(KeyboardInterrupt):
            run_interruptible(endless(stop, signal.SIGINT), stop)
        assert stop.is_set
        assert signal.set_wakeup_fd(-1) == -1


def test_after_a_signal_without_effect_the_work_moves_to_another_thread() -> None:
    heard: list[int] = []

    def handler(number: int, _: object) -> None:
        heard.append(run_interruptible(lambda: number, Stop()))  # which is also watched

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        stop = Stop()
        many, who = run_interruptible(endless(stop, signal.SIGUSR1, again=0.2), stop)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (many, set(heard), stop.is_set) == (2, {signal.SIGUSR1}, False)
    assert who != MAIN


def test_a_wakeup_file_descriptor_of_another_library_is_kept() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    try:
        assert run_interruptible(threading.get_ident, Stop()) != MAIN
        assert signal.set_wakeup_fd(-1) == writer
    finally:
        signal.set_wakeup_fd(-1)
        os.close(reader)
        os.close(writer)


def test_a_forked_process_receives_its_own_signals() -> None:
    run_interruptible(lambda: 7, Stop())
    child = os.fork()
    if not child:
        stop = Stop()
        try:
            run_interruptible(endless(stop, signal.SIGINT), stop)
        except KeyboardInterrupt:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3


def test_all_tasks_of_the_main_thread_share_one_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = search(ConnectFour(4, 4), alphabeta(6), using=young_brothers_wait.to_ply(2))
    expected = lazy.compute(num_workers=1)
    idents: set[int] = set()

    def seen(work: Any) -> Any:
        idents.add(threading.get_ident())
        return work()

    def start(thread: threading.Thread) -> None:
        raise AssertionError(f"{thread} was started")

    monkeypatch.setattr(threading.Thread, "start", start)
    for _ in range(3):
        assert interruptible(lambda: 7, Stop(), seen) == 7
        assert lazy.compute("synchronous").value == expected.value
    assert len(idents - {MAIN}) == len(idents) == 1


def test_an_interrupt_ends_a_task_of_the_main_thread() -> None:
    stop = Stop()
    with pytest.raises(KeyboardInterrupt):
        interruptible(endless(stop, signal.SIGINT), stop)
    assert stop.is_set
