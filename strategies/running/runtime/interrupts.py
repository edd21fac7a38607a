"""See to it that no Ctrl-C is lost.

Python runs the handler of Ctrl-C between two steps of the main thread, whatever these are.  Where
the garbage collector calls back just then, `KeyboardInterrupt` is printed and thrown away.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_lost = False
"""Whether a Ctrl-C was thrown away in the outermost block of `interrupts`."""
_hooks: list[Callable[[Any], Any]] = []
"""What else is told of errors that are thrown away, inside that block."""


def _told(thrown: Any) -> None:
    global _lost
    if issubclass(thrown.exc_type, KeyboardInterrupt):
        _lost = True
    else:
        _hooks[0](thrown)


def check_interrupt() -> None:
    """Raise the KeyboardInterrupt that was thrown away, if there was one."""
    global _lost
    if _lost and threading.get_ident() == threading.main_thread().ident:
        _lost = False
        raise KeyboardInterrupt


@contextmanager
def interrupts() -> Iterator[None]:
    """Take note, in a block of the main thread, of each Ctrl-C that Python throws away.

    Whoever waits in the block calls `check_interrupt` from time to time; so does its end.
    """
    global _lost
    if _hooks or threading.get_ident() != threading.main_thread().ident:
        yield
        return
    _lost = False
    _hooks.append(sys.unraisablehook)
    sys.unraisablehook = _told
    try:
        yield
    finally:
        sys.unraisablehook = _hooks.pop()
    check_interrupt()
