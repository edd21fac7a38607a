"""One piece of work beside its caller: what the ordered runner does, for a run of a single task."""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar

from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.cancellation import (
    check_interrupt,
    guarded,
    heeding,
    interrupt,
    interrupts,
)
from strategies.running.runtime.ordered_scheduler import OFTEN, PATIENCE, as_raised
from strategies.running.runtime.schedulers import function_of
from strategies.running.runtime.wakeup import watched

T = TypeVar("T")


class _Helper:
    """A thread that waits for work, and gives it back done.

    It is started without what `threading.Thread` adds, and kept for the next search: to start one
    and to wait for its end takes as long as a search of ten thousand nodes.
    """

    def __init__(self) -> None:
        self.work: Callable[[], Any] | None = None
        self.found: Any = None
        self.failed: BaseException | None = None
        self.begin, self.done = _thread.allocate_lock(), _thread.allocate_lock()
        self.begin.acquire()
        self.done.acquire()
        _thread.start_new_thread(self.serve, ())

    def serve(self) -> None:
        """The life of the thread: it ends when it is given nothing to do."""
        while self.begin.acquire() and self.work is not None:
            try:
                self.found = self.work()
            except BaseException as error:  # raised again in the caller's thread
                self.failed = as_raised(error)
            self.work = None  # it holds a game, whose tables may be large
            self.done.release()

    def dismiss(self) -> None:
        """Wait for the end of the work, no longer than `PATIENCE`; the thread ends with it.

        Whether `done` was told is not known: an interrupt may come as the wait for it ends.
        """
        end = monotonic() + PATIENCE
        while self.work is not None and monotonic() < end:
            self.done.acquire(timeout=OFTEN)
        self.found = self.failed = None
        self.begin.release()


_idle: list[_Helper] = []
"""The helper that waits for work, if it is not at work: only the main thread asks for it."""


def run_heard(work: Callable[[], T], stop: Stop) -> T:
    """What `work` gives, whose searches heed `stop`, and which keeps nothing for later ones.

    It is done in the caller's thread: to hand it to another takes as long as a search of twenty
    thousand nodes.  A signal ends the search, so that its handler runs, as that of Ctrl-C; if the
    handler lets the work go on, it is begun again, aside.
    Raises: what `work` raises; what the handler of a signal raises, after `stop` was set.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return run_aside(work, stop)
    try:
        with watched(stop) as heard, heeding(stop), guarded():
            if heard:
                try:
                    return work()
                except Stopped:
                    if stop.is_set:
                        raise
        return run_aside(work, stop)  # a handler that is still to run does so here
    except BaseException:
        stop.set()
        raise


def run_aside(work: Callable[[], T], stop: Stop) -> T:
    """What `work` gives, whose searches heed `stop`.

    Python hears Ctrl-C in the main thread alone, and not before machine code there has returned:
    for the main thread, the work is done in another.
    Raises: what `work` raises; KeyboardInterrupt, after `stop` was set and heeded, or has not been
    within `PATIENCE`.
    """

    def heeded() -> T:
        with heeding(stop):
            return work()

    if threading.get_ident() != threading.main_thread().ident:
        return heeded()
    helper = _idle.pop() if _idle else _Helper()
    helper.work = heeded
    helper.begin.release()
    try:
        with interrupts():
            while not helper.done.acquire(timeout=OFTEN):
                check_interrupt()
    except BaseException:
        stop.set()
        helper.dismiss()
        raise
    found, failed = _freed(helper)
    if failed is not None:
        raise failed
    return found  # type: ignore[no-any-return]  # helpers are kept for work of any type


class _Everything(Stop):
    """Ends the searches of this process that a scheduler of Dask's runs, which enters no scope."""

    __slots__ = ()

    def set(self) -> None:
        super().set()
        interrupt()


def run_in_pool(scheduler: object, compute: Callable[[], T]) -> T:
    """What a scheduler of Dask's computes; where it has a pool of threads, not in the main thread.

    A Ctrl-C there while a thread of the pool begins would leave the thread unknown, and the process
    would wait for it at its end.
    """
    from dask.threaded import get

    pool = isinstance(scheduler, ThreadPoolExecutor) or function_of(scheduler) is get
    return run_aside(compute, _Everything()) if pool else compute()


def _freed(helper: _Helper) -> tuple[Any, BaseException | None]:
    """What a helper made; it waits for more work, or where another one does, it ends."""
    made = helper.found, helper.failed
    helper.found = helper.failed = None
    if _idle:
        helper.begin.release()
    else:
        _idle.append(helper)
    return made


if hasattr(os, "register_at_fork"):  # in a forked process its thread is not there
    os.register_at_fork(after_in_child=_idle.clear)
