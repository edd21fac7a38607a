"""A Ctrl-C that Python discards still ends the search."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import weakref
from collections import defaultdict
from contextlib import suppress
from time import sleep
from typing import Any

import pytest
from dask import threaded
from dask.callbacks import Callback

from games import ConnectFour, TicTacToe
from strategies import alphabeta, mcts, par_list, search
from strategies.native.memory.cells import Stop
from strategies.running.runtime import aside
from strategies.running.runtime.cancellation import check_interrupt, interrupts
from strategies.running.runtime.deadline import run_with_deadline


class Dies:
    """An object that supports weak references."""


def lose_one(*_: Any) -> None:
    """Send Ctrl-C during a callback of the garbage collector, where Python discards it."""
    dying = Dies()
    kept = weakref.ref(dying, lambda _: signal.raise_signal(signal.SIGINT))
    del dying
    assert kept() is None


def block() -> None:
    with interrupts():
        check_interrupt()
        with interrupts():
            lose_one()
            with pytest.raises(KeyboardInterrupt):
                check_interrupt()
        check_interrupt()
        lose_one()


def test_a_lost_interrupt_is_noticed() -> None:
    before = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt):
        block()
    assert sys.unraisablehook is before


def test_other_errors_are_reported_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", told.append)
    with interrupts():
        dying = Dies()
        kept = weakref.ref(dying, lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
        del dying
    assert kept() is None
    assert [found.exc_type for found in told] == [ZeroDivisionError]


def test_a_lost_interrupt_ends_a_search() -> None:
    answer = search(ConnectFour(), alphabeta(40), using=par_list.to_ply(1))
    with Callback(start=lose_one), pytest.raises(KeyboardInterrupt):
        answer.compute(num_workers=2)
    assert not [t for t in threading.enumerate() if t.name.startswith("worker")]


@pytest.mark.parametrize("scheduler", ["sync", "threads", None])
def test_an_interrupt_while_a_thread_starts_ends_the_search(
    scheduler: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Dask keeps the threads of earlier tests. They would not start, so the search would never end.
    monkeypatch.setattr(threaded, "pools", defaultdict(dict))
    monkeypatch.setattr(aside, "_idle", [])
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        if thread.name.startswith(("search", "worker", "ThreadPool")):
            signal.raise_signal(signal.SIGINT)

    class Interrupted(aside._Helper):
        def __init__(self) -> None:
            super().__init__()
            signal.raise_signal(signal.SIGINT)

    tasks = search(ConnectFour(), alphabeta(40), using=par_list.to_ply(1))
    for answer in tasks, search(ConnectFour(), mcts(10**12)):
        answer.warm()
        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(threading.Thread, "start", interrupted)
            patched.setattr(aside, "_Helper", Interrupted)
            answer.compute(scheduler)
        assert not [t for t in threading.enumerate() if t.name.startswith(("worker", "search"))]


THREADS = """
import signal, threading
from concurrent.futures import ThreadPoolExecutor
from dask import threaded
from games import ConnectFour
from strategies import alphabeta, mcts, par_list, search
start = threading.Thread.start
def interrupted(thread):
    start(thread)
    if thread.name.startswith("ThreadPool"):
        signal.raise_signal(signal.SIGINT)
threading.Thread.start = interrupted
game = ConnectFour(4, 4)
tasks = search(game, alphabeta(3), using=par_list, engine="interpreted")
for answer in tasks, search(game, mcts(9), engine="interpreted"):
    for scheduler in "threads", "Threading", threaded.get, ThreadPoolExecutor(2):
        try:
            answer.compute(scheduler)
        except KeyboardInterrupt:
            print("interrupted")
"""


def test_a_process_ends_if_its_threads_were_interrupted_while_they_started() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", THREADS], check=True, timeout=60, capture_output=True, text=True
    )
    assert set(ran.stdout.split()) == {"interrupted"}


FOREIGN = """
import os, signal, threading
import dask
from dask.callbacks import Callback
from games import ConnectFour
from strategies import alphabeta, mcts, search
game = ConnectFour()
for algorithm in alphabeta(99), mcts(10**9):
    answer = search(game, algorithm, engine="interpreted")
    begun, caught = threading.Event(), threading.Event()
    def interrupt():
        begun.wait()
        while not caught.wait(0.1):  # Python may discard one
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
    try:
        with Callback(pretask=lambda *_: begun.set()):
            dask.compute(answer, scheduler="threads", num_workers=1)
    except KeyboardInterrupt:
        caught.set()
        print("interrupted")
"""


def test_a_process_ends_although_dask_searches_on_after_an_interrupt() -> None:
    """Only Dask knows of these searches while they run, so nothing ends them before."""
    ran = subprocess.run(
        [sys.executable, "-c", FOREIGN], check=True, timeout=60, capture_output=True, text=True
    )
    assert set(ran.stdout.split()) == {"interrupted"}


def test_a_users_signal_handler_is_called() -> None:
    heard: list[int] = []

    def own(number: int, _frame: Any) -> None:
        heard.append(number)
        if len(heard) > 1:
            raise TimeoutError("twice")

    usual = signal.signal(signal.SIGINT, own)
    try:
        stop, begun = Stop(), threading.Event()

        def work() -> None:
            begun.set()
            while not stop.is_set:
                sleep(0.001)

        def tick() -> None:
            begun.wait()
            signal.raise_signal(signal.SIGINT)

        with pytest.raises(TimeoutError, match="twice"):
            run_with_deadline(work, stop, tick=tick)
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, usual)
    assert len(heard) == 2


def test_other_threads_do_not_change_signal_handlers() -> None:
    found: list[Any] = []

    def work() -> None:
        answer = search(TicTacToe(), alphabeta(3), using=par_list.to_ply(1))
        found.append(answer.compute(num_workers=2).value)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [3]


WORDS = """
import signal, threading, time
from games import ConnectFour
from strategies import engine_for
from strategies.native.kernels.steps import child
engine, armed, heard = engine_for(ConnectFour()), False, 0
state, main = engine.game.start(), threading.main_thread().ident
engine.prepare(state, child)
def handler(*_):
    if armed:
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, handler)
def send():
    for _ in range(200):
        signal.pthread_kill(main, signal.SIGINT)
        time.sleep(0.001)
sender = threading.Thread(target=send)
sender.start()
while sender.is_alive():
    try:
        armed = True
        for _ in range(300):
            engine.call(child, state, 3)
        armed = False
    except KeyboardInterrupt:
        armed, heard = False, heard + 1
assert heard > 9, heard
"""


def test_an_interrupt_while_machine_code_returns_u64_does_not_crash() -> None:
    subprocess.run([sys.executable, "-c", WORDS], check=True, timeout=60)
