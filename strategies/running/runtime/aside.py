"""Run one piece of work in or beside the caller's thread, where Ctrl-C ends it.

Python runs signal handlers, such as that of Ctrl-C, in the main thread between steps of the
interpreter, so not before machine code has returned.  But at a signal it writes a byte to its
wake-up file at once: a thread that waits for that byte ends the searches, and then the handler
runs.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.cancellation import heeding, interrupt
from strategies.running.runtime.deadline import put_off
from strategies.running.runtime.ordered_scheduler import OFTEN, PATIENCE, as_raised
from strategies.running.runtime.process_pool import processes
from strategies.running.runtime.schedulers import function_of

T = TypeVar("T")


class _Watched(threading.local):
    """Whether a signal ends the searches of this thread, so that they need no other."""

    on = False


_watched = _Watched()


class _Helper:
    """A thread that waits for work and returns its result.

    It is started without the overhead of `threading.Thread`, and kept for the next search: starting
    and joining a thread takes as long as a search of ten thousand nodes.
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
        """Run the thread's main loop, until it is woken without work."""
        while self.begin.acquire() and self.work is not None:
            try:
                self.found = self.work()
            except BaseException as error:  # raised again in the caller's thread
                self.failed = as_raised(error)
            self.work = None  # releases the game, whose tables may be large
            self.done.release()

    def dismiss(self) -> None:
        """Wait up to `PATIENCE` for the end of the work; then the thread ends.

        Whether `done` was received is unknown, because an interrupt may come as the wait ends.
        """
        end = monotonic() + PATIENCE
        while self.work is not None and monotonic() < end:
            self.done.acquire(timeout=OFTEN)
        self.found = self.failed = None
        self.begin.release()


_idle: list[_Helper] = []
"""The idle helper, if there is one; only the main thread uses it."""


def run_interruptible(work: Callable[[], T], stop: Stop) -> T:
    """Return the result of `work` from the caller's thread, with Ctrl-C and other signals heard.

    Another thread would cost as much as a search of twenty thousand nodes.  A signal ends the
    search, so that its handler runs; if the handler returns, the work starts again, in another
    thread.
    Requires: the searches of `work` heed `stop`, and leave nothing behind for later searches.
    Raises: any error of `work`; any error of the signal handler, after `stop` is set.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return run_in_helper(work, stop)
    try:
        with watched(stop) as heard, heeding(stop):
            if heard:
                try:
                    return _as_watched(work)
                except Stopped:
                    if stop.is_set:
                        raise
        return run_in_helper(work, stop)  # a handler that is still pending runs here
    except BaseException:
        stop.set()
        raise


def _as_watched(work: Callable[[], T]) -> T:
    before, _watched.on = _watched.on, True
    try:
        return work()
    finally:
        _watched.on = before


def interruptible(
    work: Callable[[], T], stop: Stop, spend: Callable[[Callable[[], T]], T] | None = None
) -> T:
    """Return the result of `work`, which runs machine code and heeds `stop`.

    If the caller is the main thread, `work` runs in another one, by `spend`, which may count its
    time.
    Raises: as `run_in_helper`.
    """
    if _watched.on or threading.get_ident() != threading.main_thread().ident:
        return work()
    return _helped(work if spend is None else partial(spend, work), stop)


def run_in_helper(work: Callable[[], T], stop: Stop) -> T:
    """Return the result of `work`, run in another thread if the caller is the main thread.

    Python handles Ctrl-C only in the main thread, and not before machine code there has returned.
    Requires: the searches of `work` heed `stop`.
    Raises: any error of `work`; KeyboardInterrupt, after `stop` is set and the work has ended, or
    has not ended within `PATIENCE`.
    """

    def heeded() -> T:
        with heeding(stop):
            return work()

    if threading.get_ident() != threading.main_thread().ident:
        return heeded()
    return _helped(heeded, stop)


def _helped(work: Callable[[], T], stop: Stop) -> T:
    """Return the result of `work` from the idle helper, or from a new one."""
    done = False
    with put_off(stop.set) as raised:  # else the work could be handed over, and nobody wait for it
        helper = _idle.pop() if _idle else _Helper()
        helper.work = work
        helper.begin.release()
        try:
            while not done:
                done = helper.done.acquire(timeout=OFTEN)
                if raised:
                    raise raised[0]
        except BaseException:
            stop.set()
            helper.dismiss()
            raise
        found, failed = _freed(helper)
    if raised:
        raise raised[0]
    if failed is not None:
        raise failed
    return found  # type: ignore[no-any-return]  # helpers are kept for work of any type


class _Everything(Stop):
    """A stop for all searches of this process under Dask's schedulers, which enter no scope."""

    __slots__ = ()

    def set(self) -> None:
        super().set()
        interrupt()


def run_in_pool(compute: Callable[..., T], scheduler: object, **options: Any) -> T:
    """Return the result of `compute`, a method of Dask's, by one of Dask's schedulers.

    A scheduler that uses threads runs outside the main thread: if Ctrl-C came there while a thread
    of the pool starts, that thread would be unknown, and the process would wait for it at exit.
    One that uses processes gets a pool that Ctrl-C ends at once, where Dask's own would wait for
    the tasks that run; a pool or initializer of the caller's stays.
    """
    from dask import config
    from dask.multiprocessing import get as processes_get
    from dask.system import CPU_COUNT
    from dask.threaded import get as threads_get

    chosen = function_of(scheduler)
    if isinstance(scheduler, ThreadPoolExecutor) or chosen is threads_get:
        return run_in_helper(partial(compute, scheduler=scheduler, **options), _Everything())
    own = options.get("pool") or config.get("pool", None)
    if chosen is not processes_get or own or config.get("multiprocessing.initializer", None):
        return compute(scheduler=scheduler, **options)
    many = options.get("num_workers") or config.get("num_workers", None) or CPU_COUNT
    with processes(many) as pool:
        return compute(scheduler=scheduler, pool=pool, **options)


def _freed(helper: _Helper) -> tuple[Any, BaseException | None]:
    """Return a helper's result and error; keep the helper, or end it if another one is idle."""
    made = helper.found, helper.failed
    helper.found = helper.failed = None
    if _idle:
        helper.begin.release()
    else:
        _idle.append(helper)
    return made


if hasattr(os, "register_at_fork"):  # a forked process does not have the thread
    os.register_at_fork(after_in_child=_idle.clear)


class Watch:
    """The pipe to which signals are written, and the thread that reads it."""

    def __init__(self) -> None:
        self.stop: Stop | None = None
        """The stop of the searches that are watched now."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        _thread.start_new_thread(self.serve, ())

    def serve(self) -> None:
        """Run the thread's main loop, until the process ends."""
        while os.read(self.reader, 64):
            stop = self.stop
            if stop is not None:
                stop.nudge()


_watches: list[Watch] = []
"""The watch of this process, if it has been created."""


@contextmanager
def watched(stop: Stop) -> Iterator[bool]:
    """Watch for signals in a block of the main thread whose searches heed `stop`.

    Ensures: a signal ends the search that runs in the block, without setting `stop`.
    Yields: True; False if no watch is possible, because other code reads the signals.
    """
    if not hasattr(os, "register_at_fork"):  # Windows has no such pipes
        yield False
        return
    if not _watches:
        _watches.append(Watch())
    watch = _watches[0]
    before = signal.set_wakeup_fd(watch.writer, warn_on_full_buffer=False)
    if before not in (-1, watch.writer):
        signal.set_wakeup_fd(before)
        yield False
        return
    outer, watch.stop = watch.stop, stop  # outer: that of a search which a handler interrupted
    try:
        yield True
    finally:
        watch.stop = outer
        if outer is None:
            signal.set_wakeup_fd(-1)


def _forget() -> None:
    """Drop the watch in a forked process, which has its parent's pipe and no thread."""
    for watch in _watches:
        if watch.stop is not None:
            signal.set_wakeup_fd(-1)
        os.close(watch.reader)
        os.close(watch.writer)
    _watches.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
