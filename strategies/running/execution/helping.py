"""Searches that several processes make together, over a table that they share.

One process has the task, and others help it: they search the same position, and each defers the
branches that another is searching (ABDADA).  The first to finish sets a flag in the shared memory,
which ends the others.  The task then reads its answer from the table, so a helper returns nothing,
and nothing is lost with it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from strategies.algorithms.fold import OPEN, UNKNOWN, Interval
from strategies.native.calls.alphabeta import Found, add_up
from strategies.native.calls.windows import bounds_of
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.records.record import Record, Tally, now, record
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.machine_memory import FLAGS, flags_for
from strategies.running.runtime.together import Ending

OFTEN: Final = 0.002
"""The seconds between looks at the flag."""


class SearchPart:
    """This process's part in a search that several processes make together.

    `number` identifies the search in the run; a helper has no task of its own.
    """

    def __init__(self, number: int, *, helps: bool) -> None:
        self.number, self.helps, self.ending = number, helps, Ending()
        self.start, self.tally = now(), Tally()
        self.window, self.bounds = OPEN, UNKNOWN

    def search(
        self, search: Callable[..., Found], window: Interval, stop: Stop | None
    ) -> Found:  # fmt: skip
        """Search a position, in part or as a whole; without the others once one of them is done.

        Raises: `Stopped`, if a helper is not needed any more.
        """
        with self.ending.stop(stop) as mine:
            found = search(stop=mine, marks=True)
        self.tally.count(found)
        self.window = window
        if found.finished:
            self.bounds = bounds_of(found.value, window)
            return found
        if not self.ending.why:
            return found
        if self.helps:
            raise Stopped("another process was first")
        return add_up(found, search(stop=stop))  # the answer is in the table

    def join(self, place: tuple[Any, ...]) -> Record:
        """Return the record of a helper, which ends now, for the task at a place in the tree."""
        why = self.ending.why
        bounds = UNKNOWN if why else self.bounds
        return record(
            ("join", place), "join", self.start, self.tally, self.window, "done", why, bounds
        )


_helpers: dict[tuple[str, int], SearchPart] = {}
"""The helpers of this process, by run and number of their task on the cluster."""


@contextmanager
def sharing(part: SearchPart) -> Iterator[None]:
    """End this process's part when another one is done; at the end of the block, end the others."""
    flags, at, done = flags_for(current_scope()), part.number % FLAGS, threading.Event()

    def watch() -> None:
        while flags[at] != part.number:
            if done.wait(OFTEN):
                return
        part.ending.end("another was first")

    if flags[at] == part.number:
        part.ending.end("another was first")
    watcher = threading.Thread(target=watch, name="watcher", daemon=True)
    watcher.start()
    try:
        yield
        if not part.ending.why:
            flags[at] = part.number
    finally:
        done.set()
        watcher.join()


@contextmanager
def callable_by(run: str, number: int, part: SearchPart) -> Iterator[None]:
    """Let `call_off` end a helper during the block."""
    _helpers[run, number] = part
    try:
        yield
    finally:
        del _helpers[run, number]


def call_off(run: str, number: int) -> None:
    """Call a helper to a task, if it still helps."""
    part = _helpers.get((run, number))
    if part is not None:
        part.ending.end("called to a task")
