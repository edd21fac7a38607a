"""Stopping: how an interrupt, or the end of a run, reaches the kernels that are running."""

from __future__ import annotations

import threading

from strategies.native.memory.cells import Stop

_here = threading.local()
_everywhere = Stop()


def current() -> Stop:
    """The flag that stops the searches of this thread: its runner's, or the process's."""
    stop: Stop = getattr(_here, "stop", _everywhere)
    return stop


def adopt(stop: Stop) -> None:
    """From now on this thread's searches heed `stop`."""
    _here.stop = stop


def interrupt() -> None:
    """Stop every search of this process that runs under a scheduler other than our own."""
    global _everywhere
    _everywhere.set()
    _everywhere = Stop()
