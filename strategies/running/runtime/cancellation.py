"""Cancellation: how an interrupt, or the end of a run, reaches what is running.

A thread's searches heed the flag of its scope.  Python runs the handler of Ctrl-C in the main
thread alone, between two of its steps, whatever these are: not while machine code runs there, which
`interruptible` is for; and where the garbage collector calls back just then, `KeyboardInterrupt` is
printed and thrown away, which `interrupts` is for.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.running.runtime.deadline import run_with_deadline

T = TypeVar("T")

_here = threading.local()
_everywhere = Stop()


def current_scope() -> Stop:
    """Return the flag that stops the searches of this thread: its scheduler's, or the process's."""
    stop: Stop = getattr(_here, "stop", _everywhere)
    return stop


def enter_scope(stop: Stop) -> None:
    """Enter a cancellation scope: from now on this thread's searches heed `stop`."""
    _here.stop = stop


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Inside the block this thread's searches heed `stop`."""
    before = getattr(_here, "stop", None)
    enter_scope(stop)
    try:
        yield
    finally:
        if before is None:
            del _here.stop
        else:
            enter_scope(before)


def interrupt() -> None:
    """Stop every search of this process that runs under a scheduler other than our own."""
    global _everywhere
    _everywhere.set()
    _everywhere = Stop()


@contextmanager
def polling(what: str) -> Iterator[Callable[[], None]]:
    """Gives Python code that takes long a function to call often, which heeds the stop.

    It raises `Stopped`, which says `what` was stopped, once this thread's searches are to end.

    >>> with polling("the count") as poll:
    ...     for _ in range(3):
    ...         poll()
    """
    row = cells(1)

    def poll() -> None:
        if row[0]:
            raise Stopped(f"{what} was stopped")

    with current_scope().watching(row):
        yield poll


_lost = False
"""Whether a Ctrl-C was thrown away in the outermost block of `interrupts`."""
_hooks: list[Callable[[Any], Any]] = []
"""What else is told of errors that are thrown away, inside that block."""


def _told(thrown: Any) -> None:
    global _lost
    if issubclass(thrown.exc_type, KeyboardInterrupt):
        _lost = True
    else:
        _hooks[0](thrown)


def check_interrupt() -> None:
    """Raise the KeyboardInterrupt that was thrown away, if there was one."""
    global _lost
    if _lost and threading.get_ident() == threading.main_thread().ident:
        _lost = False
        raise KeyboardInterrupt


@contextmanager
def interrupts() -> Iterator[None]:
    """Take note, in a block of the main thread, of each Ctrl-C that Python throws away.

    Whoever waits in the block calls `check_interrupt` from time to time; so does its end.
    """
    global _lost
    if _hooks or threading.get_ident() != threading.main_thread().ident:
        yield
        return
    _lost = False
    _hooks.append(sys.unraisablehook)
    sys.unraisablehook = _told
    try:
        yield
    finally:
        sys.unraisablehook = _hooks.pop()
    check_interrupt()


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


def interruptible(
    work: Callable[[], T], stop: Stop, spend: Callable[[Callable[[], T]], T] | None = None
) -> T:
    """Return the result of `work`, which runs machine code and heeds `stop`.

    Python hears Ctrl-C in the main thread alone, and not before machine code there has returned: in
    the main thread, `work` is done in another, where `spend` does it, who may count its time.
    Raises: what `work` raises; KeyboardInterrupt, after `stop` was set and heeded.
    """
    if _guard.on or threading.get_ident() != threading.main_thread().ident:
        return work()
    found: list[T] = []
    stopped: list[Stopped] = []

    def attempt() -> None:
        try:
            found.append(work() if spend is None else spend(work))
        except Stopped as error:
            stopped.append(error)

    if run_with_deadline(attempt, stop):
        raise KeyboardInterrupt
    if stopped:
        raise stopped[0]
    return found[0]
