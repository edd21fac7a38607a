"""Real tasks of a simulation, in threads that take turns and wait for virtual time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from time import get_clock_info, perf_counter, thread_time
from typing import Any

from strategies.algebra.strategy import Kind
from strategies.algorithms.fold import OPEN, Interval
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.execution.iteration import TooLarge
from strategies.running.execution.live_windows import Link, LiveWindows, Place
from strategies.running.runtime import cancellation

FINE = 1e-5
"""Seconds. A thread's own clock is used if its resolution is at least this fine."""

here = threading.local()
"""`turn`: the task that runs in the calling thread."""
clock = thread_time if get_clock_info("thread_time").resolution <= FINE else perf_counter


class Turn:
    """A task in its own thread, which runs only during `step`."""

    def __init__(
        self, call: Callable[[], Any], stop: Stop, threads: Executor,
        timer: Callable[[], float] | None = None,
    ) -> None:  # fmt: skip
        self.call, self.stop, self.threads, self.clock = call, stop, threads, timer or clock
        self.value: Any = None
        self.error: BaseException | None = None
        self.started = self.finished = False
        self.watched: Stop | None = None
        self.full = self.spent = self.seconds = self.since = 0.0
        self.go, self.back = threading.Semaphore(0), threading.Semaphore(0)

    @property
    def cut(self) -> bool:
        """Return whether the current search has become unnecessary."""
        return self.watched is not None and self.watched.is_set

    @property
    def share(self) -> float:
        """Return the share of its searches that was done before they were abandoned."""
        return self.spent / self.full if self.full else 1.0

    def step(self) -> float:
        """Run up to the next point where other tasks matter; return the seconds that it took."""
        if self.started:
            self.go.release()
        else:
            self.started = True
            self.threads.submit(self.run)
        self.back.acquire()
        if self.error is not None:
            raise self.error
        self.full += self.seconds
        self.spent += self.seconds
        return self.seconds

    def leave(self, share: float) -> None:
        """Record that the last stretch was abandoned after this share of it."""
        self.spent -= self.seconds * (1 - share)

    def run(self) -> None:
        """Run the task: the main function of the thread."""
        here.turn = self
        cancellation.enter_scope(self.stop)
        self.since = self.clock()
        try:
            self.value = self.call()
        except BaseException as error:  # raised again by `step`
            self.error = error
        self.seconds = self.clock() - self.since
        self.finished = True
        self.back.release()

    def pause(self) -> None:
        """Wait in the thread for virtual time to advance."""
        self.seconds = self.clock() - self.since
        self.back.release()
        self.go.acquire()
        if self.stop.is_set:
            raise Stopped("the simulation was stopped")
        self.since = self.clock()

    def abandon(self) -> None:
        """Set the task's stop, and let its thread end."""
        self.go.release()


class VirtualCells(LiveWindows):
    """Live windows that are read and written at a task's virtual time."""

    posting = False

    def __reduce__(self) -> tuple[Any, ...]:
        return LiveWindows, (tuple(self.best.items()),)

    def narrow(self, chain: Iterable[Link], window: Interval) -> Interval:
        if not self.posting:
            here.turn.pause()
        return super().narrow(chain, window)

    @property
    def incumbent(self) -> None:
        """Return none: what a task finds is known to others when it ends."""
        return None

    def post(
        self, cell: Place, kind: Kind, index: int, interval: Interval,
        above: tuple[Link, ...] = (),
    ) -> None:  # fmt: skip
        here.turn.pause()
        self.posting = True
        try:
            super().post(cell, kind, index, interval, above)
        finally:
            self.posting = False

    @contextmanager
    def watch(self, chain: tuple[Link, ...], stop: Stop, window: Interval = OPEN) -> Iterator[None]:
        """Watch as `LiveWindows` does; a search that would have been stopped is abandoned at its
        end."""
        with super().watch(chain, stop, window):
            try:
                yield
            except TooLarge:
                self.until_now(stop)
                raise
            self.until_now(stop)

    def until_now(self, stop: Stop) -> None:
        """Wait for the virtual time at which a search ends.

        Raises: `Stopped`, if it would have been stopped by then.
        """
        turn: Turn = here.turn
        turn.watched = stop
        turn.pause()
        turn.watched = None
        if stop.is_set:
            raise Stopped("a sibling closed the window")
