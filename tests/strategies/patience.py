"""Tests of searches that a time limit or an interrupt ends, on machines that may be busy."""

import _thread
import threading
from collections.abc import Callable
from typing import TypeVar

from strategies.support.stacks import gc_paused

Found = TypeVar("Found")

SECONDS = (0.1, 0.4, 1.6, 6.4, 25.6)
"""The time limits to try, in seconds: a short one, then longer ones if the machine is busy."""


def patiently(found_in: Callable[[float], Found], enough: Callable[[Found], object]) -> Found:
    """Return the result for the shortest time limit that suffices.

    Raises: AssertionError if the longest one does not.
    """
    for seconds in SECONDS:
        try:
            found = found_in(seconds)
        except KeyboardInterrupt:  # the interrupt came before the search had started
            continue
        if enough(found):
            return found
    raise AssertionError(f"nothing was found in {SECONDS[-1]} seconds")


def interrupted(compute: Callable[[], Found], after: float) -> Found:
    """Return the result of a computation that Ctrl-C interrupts after some seconds.

    Python drops an interrupt that arrives in a callback of the garbage collector, and Hypothesis
    installs one. Therefore the collector is paused meanwhile.
    """
    timer = threading.Timer(after, _thread.interrupt_main)
    timer.start()
    try:
        with gc_paused():
            return compute()
    finally:
        timer.cancel()


def quiet() -> bool:
    """Say whether no thread runs a search."""
    return not any(thread.name.startswith("search") for thread in threading.enumerate())
