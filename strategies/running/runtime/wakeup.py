"""Hear a signal while machine code runs in the main thread.

Python runs its handlers of signals, as that of Ctrl-C, in the main thread between its own steps, so
not before machine code has returned.  But as soon as a signal comes it writes a byte to a file, if
it was given one: a thread that waits for that byte ends the searches, and the handler runs then.
"""

from __future__ import annotations

import _thread
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from strategies.native.memory.cells import Stop


class Watch:
    """A pipe that signals are written to, and the thread that reads them there."""

    def __init__(self) -> None:
        self.stop: Stop | None = None
        """What the searches heed that are watched now."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        _thread.start_new_thread(self.serve, ())

    def serve(self) -> None:
        """The life of the thread: it ends with the process."""
        while os.read(self.reader, 64):
            stop = self.stop
            if stop is not None:
                stop.nudge()


_watches: list[Watch] = []
"""The watch of this process, once there is one."""


@contextmanager
def watched(stop: Stop) -> Iterator[bool]:
    """Watch for signals in a block of the main thread, whose searches heed `stop`.

    Ensures: a signal ends the search that runs in the block, without setting `stop`.
    Gives: True; False where there can be no watch, for another program reads the signals.
    """
    if not hasattr(os, "register_at_fork"):  # Windows has no pipes for that
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
    outer, watch.stop = watch.stop, stop  # outer: of what a handler of signals interrupted
    try:
        yield True
    finally:
        watch.stop = outer
        if outer is None:
            signal.set_wakeup_fd(-1)


def _forget() -> None:
    """In a forked process the thread is not there, and the pipe is its parent's."""
    for watch in _watches:
        if watch.stop is not None:
            signal.set_wakeup_fd(-1)
        os.close(watch.reader)
        os.close(watch.writer)
    _watches.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
