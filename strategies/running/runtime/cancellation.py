"""Cancellation scopes: how an interrupt, or the end of a run, reaches running kernels."""

from __future__ import annotations

import threading

from strategies.native.memory.cells import Stop

_here = threading.local()
_everywhere = Stop()


def current_scope() -> Stop:
    """Return the flag that stops the searches of this thread: its scheduler's, or the process's."""
    stop: Stop = getattr(_here, "stop", _everywhere)
    return stop


def enter_scope(stop: Stop) -> None:
    """Enter a cancellation scope: from now on this thread's searches heed `stop`."""
    _here.stop = stop


def interrupt() -> None:
    """Stop every search of this process that runs under a scheduler other than our own."""
    global _everywhere
    _everywhere.set()
    _everywhere = Stop()
