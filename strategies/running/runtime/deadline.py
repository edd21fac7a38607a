"""Deadlines for long work, which runs in a thread while the caller watches the time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from strategies.native.memory.cells import Stop
from strategies.support.stacks import started

GRACE = 0.5
"""How long work may take to end in good order, in seconds."""

EVERY = 0.5
"""The seconds between two reports of progress."""

LOOK = 0.05
"""The seconds between two looks at a flag."""

_interrupts = 0


def interrupts() -> int:
    """Return how often Ctrl-C has ended work with a deadline, which may still have an answer."""
    return _interrupts


@contextmanager
def put_off(then: Callable[[], None]) -> Iterator[list[BaseException]]:
    """Defer the error that Ctrl-C or SIGTERM raises to the end of a block of the main thread.

    At each such signal, `then` is called at once.
    Yields: the deferred errors.
    Ensures: nothing is raised inside the block, whenever a signal comes.
    """
    raised: list[BaseException] = []
    if threading.get_ident() != threading.main_thread().ident:
        yield raised
        return
    both = signal.SIGINT, signal.SIGTERM
    usual: dict[int, Any] = {n: was for n in both if callable(was := signal.getsignal(n))}

    def heard(number: int, frame: FrameType | None) -> None:
        try:
            usual[number](number, frame)
        except BaseException as error:  # raised again after the block
            raised.append(error)
            then()

    for number in usual:
        signal.signal(number, heard)
    try:
        yield raised
    finally:
        for number, was in usual.items():
            signal.signal(number, was)


@contextmanager
def set_after(stop: Stop, seconds: float) -> Iterator[Stop]:
    """Return a flag for the block that is set some seconds after another one."""
    late, done = Stop(), threading.Event()

    def watch() -> None:
        while not done.wait(LOOK):
            if stop.is_set:
                if not done.wait(seconds):
                    late.set()
                return

    watching = started(watch, "late")
    try:
        yield late
    finally:
        done.set()
        watching.join()


def run_with_deadline(
    work: Callable[[], Any],
    stop: Stop,
    *,
    seconds: float | None = None,
    tick: Callable[[], None] | None = None,
    leave: Stop | None = None,
) -> bool:
    """Run `work` in a thread until it is done; return whether it was interrupted.

    After `seconds`, or at Ctrl-C, `stop` is set, upon which `work` should end soon.  Interpreted
    searches read the clock themselves before each leaf, by the deadline of `stop`.  Until then,
    `tick` is called each `EVERY` seconds.  If the work has not ended `GRACE` seconds later, `leave`
    is set, upon which it should end at once.
    Ensures: no thread is left running, whenever Ctrl-C comes.
    Raises: any error of `work`, of `tick`, or of a custom handler of Ctrl-C.
    """
    done = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # raised again below, in the caller's thread
            failed.append(error)
        finally:
            done.set()

    end = None if seconds is None else monotonic() + seconds
    before = stop.deadline
    if end is not None:
        stop.deadline = min(before, end)
    with put_off(stop.set) as raised:
        thread = started(run, "search")
        try:
            while not done.wait(EVERY if end is None else max(0.0, min(EVERY, end - monotonic()))):
                if raised or (end is not None and monotonic() >= end):
                    break
                if tick is not None:
                    tick()
        except KeyboardInterrupt as error:  # of `tick` itself
            raised.append(error)
        finally:
            if not done.is_set():
                stop.set()
                if leave is not None and not done.wait(GRACE):
                    leave.set()
            thread.join()
            stop.deadline = before
    global _interrupts
    _interrupts += bool(raised)
    failed += [error for error in raised if not isinstance(error, KeyboardInterrupt)]
    if failed:
        raise failed[0]
    return bool(raised)
