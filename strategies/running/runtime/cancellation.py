"""Cancellation: stop running searches at an interrupt, or at the end of a run.

A thread's searches heed the flag of its scope.  Python runs the handler of Ctrl-C only in the main
thread, between two steps of the interpreter.  It does not run while machine code runs there, which
`aside` solves.  And if it runs in a callback of the garbage collector, `KeyboardInterrupt` is
printed and ignored, which `interrupts` solves.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from strategies.native.memory.cells import Stop, Stopped, cells

T = TypeVar("T")

_here = threading.local()
_everywhere = Stop()
_foreign = Stop(_everywhere)
"""The flag of tasks in the threads of pools; it is set when the process ends."""


def current_scope() -> Stop:
    """Return the flag that stops the searches of this thread: of its scheduler, or the process."""
    stop: Stop = getattr(_here, "stop", _everywhere)
    return stop


def scope_of_task() -> Stop:
    """Return the flag that stops a task in this thread.

    In a thread of a pool, as under `dask.compute`, it also stops once the main thread is over: no
    one else would end a long search, and Python waits for the threads of pools.
    """
    pooled = threading.current_thread().name.startswith("ThreadPoolExecutor")
    stop: Stop = getattr(_here, "stop", _foreign if pooled else _everywhere)
    return stop


def _end_of_process() -> None:
    _foreign.set()


# Not `atexit`, whose functions are called after Python has waited for the threads.
threading._register_atexit(_end_of_process)  # type: ignore[attr-defined]  # it is private


class TaskStop(Stop):
    """The flag of one task, whose run has the tables."""

    __slots__ = ("run",)

    def __init__(self, run: Stop) -> None:
        super().__init__(run)
        self.run = run


class CallStop(Stop):
    """The flag of one call of a search by its user."""

    __slots__ = ()


def scope_of_call() -> Stop | None:
    """Return the flag of the call whose search runs in this thread, if it is known."""
    scope = current_scope()
    return next((stop for stop in scope.and_above if isinstance(stop, CallStop)), None)


def scope_of_tables() -> Stop:
    """Return the flag of this thread's run, whose tables its tasks share."""
    stop = current_scope()
    if isinstance(stop, TaskStop):
        return stop.run
    return next(above for above in stop.and_above if not isinstance(above, CallStop))


def enter_scope(stop: Stop) -> None:
    """Enter a cancellation scope: from now on, this thread's searches heed `stop`."""
    _here.stop = stop


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Make this thread's searches heed `stop` inside the block."""
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
    """Stop every search of this process that runs under another scheduler than ours."""
    global _everywhere, _foreign
    _everywhere.set()
    _everywhere = Stop()
    _foreign = Stop(_everywhere)


@contextmanager
def polling(what: str) -> Iterator[Callable[[], None]]:
    """Yield a function that long-running Python code should call often.

    It raises `Stopped`, with the name `what`, once this thread's searches should end.

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
"""Whether a Ctrl-C was ignored in the outermost block of `interrupts`."""
_hooks: list[Callable[[Any], Any]] = []
"""The previous hook for ignored errors, inside that block."""


def _told(thrown: Any) -> None:
    global _lost
    if issubclass(thrown.exc_type, KeyboardInterrupt):
        _lost = True
    else:
        _hooks[0](thrown)


def check_interrupt() -> None:
    """Raise the KeyboardInterrupt that was ignored, if there was one."""
    global _lost
    if _lost and threading.get_ident() == threading.main_thread().ident:
        _lost = False
        raise KeyboardInterrupt


@contextmanager
def interrupts() -> Iterator[None]:
    """Note each Ctrl-C that Python ignores inside a block of the main thread.

    Code that waits in the block should call `check_interrupt` often; the end of the block does so.
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
