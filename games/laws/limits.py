"""A limit on how long a rule may take: one that does not return is a finding, not a hang."""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, TypeVar

T = TypeVar("T")

LIMIT: Final = 10.0
"""Seconds that a rule may take for one answer, unless said otherwise."""

_POLLS: Final = 20
"""How often in the time of a limit it is looked whether the limit has passed."""


class TooLong(BaseException):
    """Raised inside a call that ran over its limit; ``except Exception`` lets it through."""


class Limit:
    """Stops calls of one thread that take longer than so many seconds.

    A thread of its own looks at the clock, and raises `TooLong` in the thread that made the call,
    between two steps of its Python code.  A call that stays inside one step, as ``sleep(10**6)``
    does, cannot be stopped: `stuck` is told of it, if given, twice the limit after it began.  Where
    a step lets no other thread run, as ``sum(count())``, the process ends with a traceback, if
    `stuck` was given: nothing else is possible.  It ends three times the limit after the step
    began, and not within 5 seconds: on a busy machine any thread may wait for a while.
    """

    def __init__(self, seconds: float, stuck: Callable[[Any], None] | None = None) -> None:
        if not seconds > 0:
            raise ValueError(f"limit must be a number of seconds above 0, not {seconds!r}")
        self.seconds, self._stuck = seconds, stuck
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._began: float | None = None
        self._about: Any = None
        self._raised = self._told = False
        self._closed = threading.Event()
        self._quiet = ExitStack()

    def call(self, ask: Callable[[], T], about: Any = None) -> T:
        """What `ask` answers; `about` is passed on to `stuck`.

        Raises: `TooLong` if it takes longer than the limit.
        """
        if self._began is not None or threading.get_ident() != self._thread:
            return ask()  # inside another call, whose limit holds
        self._about, self._raised, self._told = about, False, False
        self._began = time.monotonic()
        try:
            return ask()
        finally:
            while self._began is not None:
                with suppress(TooLong), self._lock:  # which may strike here too
                    if self._raised:  # perhaps not yet delivered: it must not strike later
                        _withdraw()
                    self._began = None

    def _watch(self) -> None:
        while not self._closed.wait(self.seconds / _POLLS):
            with self._lock:
                if self._closed.is_set():  # as this thread awaited its turn
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
        with self._lock:  # what ends the process must not be set again after this
            self._closed.set()
            if self._stuck:
                faulthandler.cancel_dump_traceback_later()
        self._quiet.close()


@contextmanager
def _lost_without_a_word() -> Iterator[None]:
    """In the block, a `TooLong` that strikes where Python drops errors is not reported.

    Such places are ``__del__`` and the callbacks of the garbage collector, of which any step of a
    rule may be the occasion.  Nothing is lost: it is raised again at the next look at the clock.
    """
    before = sys.unraisablehook

    def hook(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not TooLong:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        if sys.unraisablehook is hook:  # another thread may have put its own over it
            sys.unraisablehook = before


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _withdraw() -> None:
    """Take back what another thread raised in this one, if it was not delivered yet.

    Until an exception is delivered, Python looks for one at each call; what a debugger or a
    measure of coverage traces stands still then, on Python 3.11.  So one is delivered here.
    """
    with suppress(TooLong):
        _raise_in(threading.get_ident(), TooLong)
        while True:
            pass


_limits = threading.local()


@contextmanager
def limited(limit: Limit) -> Iterator[None]:
    """Inside the block, rules that this thread asks keep the limit."""
    before = getattr(_limits, "now", None)
    with limit:
        _limits.now = limit
        try:
            yield
        finally:
            _limits.now = before


def within_limit(ask: Callable[[], T], about: Any = None) -> T:
    """What `ask` answers, within the limit that holds here, if any.

    Raises: `TooLong` if it does not answer in time.
    """
    limit: Limit | None = getattr(_limits, "now", None)
    return ask() if limit is None else limit.call(ask, about)


def limit_here() -> float | None:
    """The seconds that a rule may take here; None if there is no limit."""
    limit: Limit | None = getattr(_limits, "now", None)
    return None if limit is None else limit.seconds
