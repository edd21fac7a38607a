"""Deadlines and interrupts for long work: the work in a thread, a watch outside."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.interrupts import check_interrupt, interrupts

T = TypeVar("T")

STACK = 64 << 20
"""Bytes of stack of the thread: deep searches recurse deeply."""


_starting = threading.Lock()


def started(work: Callable[[], Any], name: str) -> threading.Thread:
    """Start a thread that runs `work`, with room for a deep search on its stack."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    with _starting:
        usual = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


def run_with_deadline(
    work: Callable[[], Any],
    stop: Stop,
    *,
    seconds: float | None = None,
    tick: Callable[[], None] | None = None,
    every: float = 0.5,
) -> bool:
    """Run `work` in a thread until it is done; return whether it was interrupted.

    After `seconds`, or at Ctrl-C, `stop` is set and `work` is waited for: it should end at once.
    Until then `tick` is called from time to time.
    Ensures: no thread is left.
    Raises: what `work` or `tick` raises.
    """
    done, failed = threading.Event(), []
    interrupted = False

    def run() -> None:
        try:
            work()
        except BaseException as error:  # raised again below, in the caller's thread
            failed.append(error)
        finally:
            done.set()

    end = None if seconds is None else monotonic() + seconds
    thread = started(run, "search")
    try:
        with interrupts():
            while not done.wait(every if end is None else max(0.0, min(every, end - monotonic()))):
                check_interrupt()
                if end is not None and monotonic() >= end:
                    break
                if tick is not None:
                    tick()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if not done.is_set():
            stop.set()
        while not done.is_set():
            try:
                done.wait()
            except KeyboardInterrupt:
                interrupted = True
        thread.join()
    if failed:
        raise failed[0]
    return interrupted


class _Guard(threading.local):
    on = False


_guard = _Guard()


@contextmanager
def guarded() -> Iterator[None]:
    """Say that in the block someone else sees to it that this thread's searches end at Ctrl-C."""
    before, _guard.on = _guard.on, True
    try:
        yield
    finally:
        _guard.on = before


def interruptible(work: Callable[[], T], stop: Stop) -> T:
    """Return the result of `work`, which runs machine code and heeds `stop`.

    Python hears Ctrl-C in the main thread alone, and not before machine code there has returned: in
    the main thread, `work` is done in another.
    Raises: what `work` raises; KeyboardInterrupt, after `stop` was set and heeded.
    """
    if _guard.on or threading.get_ident() != threading.main_thread().ident:
        return work()
    found: list[T] = []
    stopped: list[Stopped] = []

    def attempt() -> None:
        try:
            found.append(work())
        except Stopped as error:
            stopped.append(error)

    if run_with_deadline(attempt, stop):
        raise KeyboardInterrupt
    if stopped:
        raise stopped[0]
    return found[0]
