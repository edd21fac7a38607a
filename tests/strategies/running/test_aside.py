"""Work beside its caller: what it gives and raises, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import threading
import weakref
from typing import Any

import pytest

from strategies.native.memory.cells import Stop
from strategies.running.runtime import aside
from strategies.running.runtime.aside import run_aside
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

    with pytest.raises(KeyboardInterrupt):
        run_aside(long, stop)
    assert begun.is_set()
    assert stop.is_set
    assert len(aside._idle) == 1
