"""Work that Ctrl-C does not reach: it is done in a thread, which its caller waits for.

Numba, LLVM and the modules being imported change tables that the whole process shares.  An
interrupt between two such changes leaves them broken for good, and Python raises one wherever the
main thread happens to be.  In another thread it raises none: the caller is interrupted while it
waits, and the work goes on to its end, so that what it makes is whole, and there for who asks next.
"""

from __future__ import annotations

import atexit
import logging  # for its hook on forks: see below
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

T = TypeVar("T")

NAME: Final = "compiler"
"""What the threads are called."""
OFTEN: Final = 0.1
"""Seconds between looks at what has come while a caller waits; some systems wake nobody."""

_turn = threading.RLock()
_here = threading.local()


class Leaving(BaseException):
    """The process ends, and nobody will use what is being made."""


def shielded(work: Callable[[], T]) -> T:
    """Does `work` where no interrupt reaches it, and gives what it gives.

    Requires: `work` keeps what it makes, since an interrupted caller is not there to take it.
    Ensures: one work is done at a time; inside another one, `work` is a part of it.  Work that has
    begun is done to its end, or to its next `leave` once the main thread is over.  If the caller is
    interrupted before it has begun, it is never done.  No fork happens during it.
    Raises: what `work` raises; KeyboardInterrupt, at once.

    >>> shielded(lambda: 6 * 7)
    42
    """
    main = threading.main_thread()
    if getattr(_here, "inside", False):
        return work()
    if threading.current_thread() is main and not main.is_alive():  # in what is done at exit
        with _turn:
            return work()
    given: list[T] = []
    failed: list[BaseException] = []
    over, gone = threading.Event(), threading.Event()

    def run() -> None:
        _here.inside = True
        try:
            with _turn:
                leave()
                if not gone.is_set():
                    given.append(work())
        except BaseException as error:  # raised again below, in the caller's thread
            failed.append(error)
        finally:
            over.set()

    # Not a daemon: the interpreter waits for it, as code under way must not outlive its tables.
    thread = threading.Thread(target=run, name=NAME, daemon=False)
    try:
        thread.start()
        while not over.wait(OFTEN):
            pass
        thread.join()
    except BaseException:
        gone.set()
        raise
    if failed:
        raise failed[0]
    return given[0]


def leave() -> None:
    """Ends shielded work if the process waits for nothing else.

    Requires: no table is half changed here.
    Raises: `Leaving`.
    """
    if getattr(_here, "inside", False) and not threading.main_thread().is_alive():
        raise Leaving


def _hold() -> None:
    """Waits until no work is under way: in a forked process, its thread would be gone.

    Ctrl-C is put off until the next one, since Python forgets what is raised here.
    """
    while not _turn._is_owned():  # type: ignore[attr-defined]
        with suppress(KeyboardInterrupt):
            _turn.acquire()


def _release() -> None:
    if not getattr(_here, "inside", False):
        while _turn._is_owned():  # type: ignore[attr-defined]
            _turn.release()


def _renew() -> None:
    """In a forked process: those that awaited their turn are not there."""
    global _turn
    _turn = threading.RLock()


# What is registered last is done first before a fork: `_hold` must wait before logging, which has
# registered its own hook by now, takes its lock, which Numba needs.
_ = logging
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_renew)
atexit.register(_hold)  # Python waits too, but not after another Ctrl-C
