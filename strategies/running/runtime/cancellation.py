"""Cancellation scopes: how an interrupt, or the end of a run, reaches running kernels."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from strategies.native.memory.cells import Stop, Stopped, cells

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


def engine_here(choice: str) -> str:
    """The engine that runs what this thread searches: in a trial, rules are interpreted."""
    return choice if current_scope().until is None else "interpreted"


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
