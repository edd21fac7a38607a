"""React to signals while machine code runs in the main thread.

Python runs signal handlers, such as that of Ctrl-C, in the main thread between steps of the
interpreter, so not before machine code has returned.  But at a signal it writes a byte to its
wake-up file at once: a thread that waits for that byte ends the searches, and then the handler
runs.
"""

from __future__ import annotations

import _thread
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from strategies.native.memory.cells import Stop


class Watch:
    """The pipe to which signals are written, and the thread that reads it."""

    def __init__(self) -> None:
        self.stop: Stop | None = None
        """The stop of the searches that are watched now."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        _thread.start_new_thread(self.serve, ())

    def serve(self) -> None:
        """Run the thread's main loop, until the process ends."""
        while os.read(self.reader, 64):
            stop = self.stop
            if stop is not None:
                stop.nudge()


_watches: list[Watch] = []
"""The watch of this process, if it has been created."""


@contextmanager
def watched(stop: Stop) -> Iterator[bool]:
    """Watch for signals in a block of the main thread whose searches heed `stop`.

    Ensures: a signal ends the search that runs in the block, without setting `stop`.
    Yields: True; False if no watch is possible, because other code reads the signals.
    """
    if not hasattr(os, "register_at_fork"):  # Windows has no such pipes
        yield False
        return
    if not _watches:
        _watches.append(Watch())
    watch = _watches[0]
    before = signal.set_wakeup_fd(watch.writer, warn_on_full_buffer=False)
    if before not in (-1, watch.writer):
        signal.set_wakeup_fd(before)
        yield False
        return
    outer, watch.stop = watch.stop, stop  # outer: that of a search which a handler interrupted
    try:
        yield True
    finally:
        watch.stop = outer
        if outer is None:
            signal.set_wakeup_fd(-1)


def _forget() -> None:
    """Drop the watch in a forked process, which has its parent's pipe and no thread."""
    for watch in _watches:
        if watch.stop is not None:
            signal.set_wakeup_fd(-1)
        os.close(watch.reader)
        os.close(watch.writer)
    _watches.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
