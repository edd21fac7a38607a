"""Runs work in a thread that Ctrl-C does not reach, while the caller waits for it.

Numba, LLVM and the modules being imported change tables that the whole process shares.  An
interrupt between two such changes would break them for good, and Python raises KeyboardInterrupt
wherever the main thread happens to be.  In another thread it raises none: the caller is interrupted
while it waits, and the work runs to its end, so that its result is complete and available to the
next caller.
"""

from __future__ import annotations

import atexit
import logging  # for its hook on forks: see below
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

T = TypeVar("T")

NAME: Final = "compiler"
"""The name of the threads."""
OFTEN: Final = 0.1
"""The seconds between two checks of a waiting caller for an interrupt; some systems do not wake
it."""

_turn = threading.RLock()
_here = threading.local()


class Leaving(BaseException):
    """The process ends, and nothing will use the result of the work."""


def shielded(work: Callable[[], T]) -> T:
    """Run `work` where no interrupt reaches it, and return its result.

    Requires: `work` stores what it makes, because an interrupted caller cannot take it.
    Ensures: one piece of work runs at a time; `work` started inside another one is a part of it.
    Work that has begun runs to its end, or to its next `leave` once the main thread is over.  If
    the caller is interrupted before the work begins, it never runs.  No fork happens during it.
    Raises: what `work` raises; KeyboardInterrupt, at once.

    >>> shielded(lambda: 6 * 7)
    42
    """
    main = threading.main_thread()
    if getattr(_here, "inside", False):
        return work()
    if threading.current_thread() is main and not main.is_alive():  # an exit handler calls it
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

    # Not a daemon: the interpreter waits for it, because running code must not outlive its tables.
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
    """End shielded work if the main thread is over.

    Requires: no table is half changed here.
    Raises: `Leaving`.
    """
    if getattr(_here, "inside", False) and not threading.main_thread().is_alive():
        raise Leaving


def _hold() -> None:
    """Wait until no work runs: in a forked process, its thread would be gone.

    A Ctrl-C has no effect here, because Python discards what is raised in such a hook.
    """
    while not _turn._is_owned():  # type: ignore[attr-defined]
        with suppress(KeyboardInterrupt):
            _turn.acquire()


def _release() -> None:
    if not getattr(_here, "inside", False):
        while _turn._is_owned():  # type: ignore[attr-defined]
            _turn.release()


def _renew() -> None:
    """Replace the lock in a forked process, where the threads that waited for it do not exist."""
    global _turn
    _turn = threading.RLock()


# The hook registered last runs first before a fork: `_hold` must wait before the hook of logging,
# registered by now, takes the lock of logging, which Numba needs.
_ = logging
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_renew)


def _ends_at_once() -> None:
    """Let Ctrl-C or SIGTERM end a process that is ending already, in place of an error that is
    printed and ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)


threading._register_atexit(_ends_at_once)  # type: ignore[attr-defined]  # before threads are awaited
atexit.register(_hold)  # Python waits as well, but not after a second Ctrl-C
