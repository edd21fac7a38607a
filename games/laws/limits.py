"""Limit the time of a rule, so that one that does not return breaks a law instead of hanging."""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, TypeVar

from graphs.arguments import shown

T = TypeVar("T")

LIMIT: Final = 10.0
"""The default limit of one call of a rule, in seconds."""

_POLLS: Final = 20
"""How often the clock is checked within the time of a limit."""


class TooLong(BaseException):
    """Raised inside a call that exceeds its limit; ``except Exception`` does not catch it."""


class Limit:
    """A time limit, which stops calls of one thread that take longer.

    Another thread checks the clock, and raises `TooLong` in the thread of the call, between two
    steps of its Python code.  A call that stays inside one step, such as ``sleep(10**6)``, cannot
    be stopped: `stuck` is called, if given, twice the limit after it began.  If a step lets no
    other thread run, such as ``sum(count())``, the process ends with a traceback, if `stuck` was
    given, because nothing else is possible.  It ends three times the limit after the step began,
    but not within 5 seconds, because on a busy machine any thread may wait for a while.
    """

    def __init__(self, seconds: float, stuck: Callable[[Any], None] | None = None) -> None:
        if not seconds > 0:
            raise ValueError(f"limit must be a number of seconds above 0, not {shown(seconds)}")
        self.seconds, self._stuck = seconds, stuck
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._began: float | None = None
        self._about: Any = None
        self._raised = self._told = False
        self._closed = threading.Event()
        self._quiet = ExitStack()

    def call(self, ask: Callable[[], T], about: Any = None) -> T:
        """Return the result of `ask`; `about` is passed on to `stuck`.

        Raises: `TooLong` if it takes longer than the limit.
        """
        if self._began is not None or threading.get_ident() != self._thread:
            return ask()  # inside another call, whose limit applies
        self._about, self._raised, self._told = about, False, False
        self._began = time.monotonic()
        try:
            return ask()
        finally:
            while self._began is not None:
                with suppress(TooLong), self._lock:  # it may be raised here too
                    if self._raised:  # perhaps not yet delivered; it must not be raised later
                        _withdraw()
                    self._began = None

    def _watch(self) -> None:
        while not self._closed.wait(self.seconds / _POLLS):
            with self._lock:
                if self._closed.is_set():  # while this thread waited for its turn
                    return
                if self._stuck:
                    with suppress(Exception):  # an error stream without a file, as in tests
                        faulthandler.dump_traceback_later(max(3 * self.seconds, 5), exit=True)
            began = self._began
            if began is None:
                continue
            taken = time.monotonic() - began
            with self._lock:
                if self._began != began:
                    continue
                if taken > self.seconds:
                    self._raised = True
                    _raise_in(self._thread, TooLong)
            if self._stuck and not self._told and taken > 2 * self.seconds:
                self._told = True
                self._stuck(self._about)

    def __enter__(self) -> Limit:
        self._thread = threading.get_ident()
        self._closed.clear()
        self._quiet.enter_context(_lost_without_a_word())
        threading.Thread(target=self._watch, name="limit of rules", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:  # the timer that ends the process must not be set again after this
            self._closed.set()
            if self._stuck:
                faulthandler.cancel_dump_traceback_later()
        self._quiet.close()


@contextmanager
def _lost_without_a_word() -> Iterator[None]:
    """Suppress reports of a `TooLong` raised in the block where Python drops errors.

    Such places are ``__del__`` and callbacks of the garbage collector, which any step of a rule may
    trigger.  Nothing is lost, because `TooLong` is raised again at the next check of the clock.
    """
    before = sys.unraisablehook

    def hook(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not TooLong:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        if sys.unraisablehook is hook:  # another thread may have replaced it
            sys.unraisablehook = before


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _withdraw() -> None:
    """Withdraw the exception that another thread raised in this one, if not delivered yet.

    Until an exception is delivered, Python checks for one at each call, and on Python 3.11 tracing
    by a debugger or a coverage tool hangs then.  So one is delivered here.
    """
    with suppress(TooLong):
        _raise_in(threading.get_ident(), TooLong)
        while True:
            pass


_limits = threading.local()


@contextmanager
def limited(limit: Limit) -> Iterator[None]:
    """Apply the limit to rules that this thread calls in the block."""
    before = getattr(_limits, "now", None)
    with limit:
        _limits.now = limit
        try:
            yield
        finally:
            _limits.now = before


def within_limit(ask: Callable[[], T], about: Any = None) -> T:
    """Return the result of `ask`, within the current limit, if any.

    Raises: `TooLong` if it does not return in time.
    """
    limit: Limit | None = getattr(_limits, "now", None)
    return ask() if limit is None else limit.call(ask, about)


def limit_here() -> float | None:
    """Return the current limit in seconds; None if there is no limit."""
    limit: Limit | None = getattr(_limits, "now", None)
    return None if limit is None else limit.seconds
