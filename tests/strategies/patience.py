"""Searches that a clock or an interrupt ends, where a busy machine may give them nothing first."""

import _thread
import threading
from collections.abc import Callable
from typing import TypeVar

from strategies.support.gc_pause import gc_paused

Found = TypeVar("Found")

SECONDS = (0.2, 1.0, 5.0, 25.0)
"""What a search is given: a little; where that was not enough, more and more."""


def patiently(found_in: Callable[[float], Found], enough: Callable[[Found], object]) -> Found:
    """What is found in the least time that gives enough.

    Raises: AssertionError if the longest does not.
    """
    for seconds in SECONDS:
        try:
            found = found_in(seconds)
        except KeyboardInterrupt:  # it came before the search had begun
            continue
        if enough(found):
            return found
    raise AssertionError(f"nothing was found in {SECONDS[-1]} seconds")


def interrupted(compute: Callable[[], Found], after: float) -> Found:
    """What is computed, if Ctrl-C comes after so many seconds.

    Python drops an interrupt that strikes in a callback of its garbage collector, and Hypothesis
    has one: so nothing is collected meanwhile.
    """
    timer = threading.Timer(after, _thread.interrupt_main)
    timer.start()
    try:
        with gc_paused():
            return compute()
    finally:
        timer.cancel()


def quiet() -> bool:
    """Whether no search goes on in a thread."""
    return not any(thread.name.startswith("search") for thread in threading.enumerate())
