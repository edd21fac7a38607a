"""A Ctrl-C that falls where Python throws it away still ends the search."""

from __future__ import annotations

import signal
import sys
import threading
import weakref
from typing import Any

import pytest
from dask.callbacks import Callback

from games import ConnectFour, TicTacToe
from strategies import alphabeta, par_list, search
from strategies.running.runtime.interrupts import check_interrupt, interrupts


class Dies:
    """Something that can be referred to weakly."""


def lose_one(*_: Any) -> None:
    """A Ctrl-C comes while the garbage collector calls back: Python throws it away."""
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


def test_other_errors_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_other_threads_leave_handlers_alone() -> None:
    found: list[Any] = []

    def work() -> None:
        answer = search(TicTacToe(), alphabeta(3), using=par_list.to_ply(1))
        found.append(answer.compute(num_workers=2).value)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [3]
