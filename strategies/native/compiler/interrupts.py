"""Ctrl-C while the compiler runs, or code is loaded that it made."""

from __future__ import annotations

import signal
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from typing import Any, Final

AGAIN: Final = 0.2
"""Seconds after which an interrupt that ended nothing is repeated."""


@contextmanager
def heard() -> Iterator[None]:
    """Ctrl-C inside the block ends it.

    LLVM calls back into Python, and what such a call raises is printed and forgotten; so is a
    KeyboardInterrupt, if it comes then.  It is therefore repeated until the block has ended, and
    raised again if the block ends without it.
    """
    before: Any = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    again: list[Timer] = []

    def note(*how: Any) -> None:
        again.append(Timer(AGAIN, interrupt_main))
        again[-1].daemon = True
        again[-1].start()
        before(*how)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        for timer in again:
            timer.cancel()
        signal.signal(signal.SIGINT, before)
    if again:
        raise KeyboardInterrupt
