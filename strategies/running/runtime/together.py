"""Calls at the same time: searches of which the first ends the others, and those of a strategy."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from strategies.algebra.strategy import Strategy, unfolded
from strategies.native.memory.cells import Stop
from strategies.support.stacks import started

T = TypeVar("T")
Search = Callable[[Stop], T | None]
"""A search that heeds a stop; it returns None if it was stopped before it had an answer."""
Helpers = Callable[[Stop, Callable[[Stop], None]], AbstractContextManager[None]]
"""Where helpers come from: a context in which workers call a function, each with a stop that is set
no later than the given one.  `threads` starts its own, `ordered_scheduler.joined` takes those of a
run that are idle."""


def together(
    search: Search[T], over: Stop, helpers: Helpers, help: Search[T] | None = None
) -> T | None:
    """Search in this thread while helpers search the same; return the first answer.

    Helpers call `help`, or `search` if that is None.
    Ensures: `over` is set by the first answer, and at the end; no helper searches on.
    Returns: None if nobody had an answer.
    Raises: the first error.
    """
    first: list[T] = []

    def work(search: Search[T], stop: Stop) -> None:
        found = search(stop)
        if found is not None:
            first.append(found)
            over.set()

    with helpers(over, lambda stop: work(help or search, stop)):
        work(search, over)
    return first[0] if first else None


def threads(count: int) -> Helpers:
    """Return a source of `count` helpers, each in a thread of its own.

    An error of a helper ends the search, and is raised at the end of the block.
    """

    @contextmanager
    def helpers(over: Stop, work: Callable[[Stop], None]) -> Iterator[None]:
        errors: list[BaseException] = []

        def run() -> None:
            try:
                work(over)
            except BaseException as error:  # raised below, in the caller's thread
                errors.append(error)
                over.set()

        running = []
        try:
            for number in range(count):
                running.append(started(run, f"search {number + 1}"))
            yield
        except BaseException as error:  # if it is not the first one, it comes from the others' end
            errors.append(error)
        finally:
            over.set()
            for thread in running:
                thread.join()
        if errors:
            raise errors[0]

    return helpers


class Ending:
    """The searches of one piece of work that run now, to end all of them for a reason."""

    def __init__(self) -> None:
        self.why = ""
        """The first reason; empty as long as they may go on."""
        self._running = set[Stop]()

    @contextmanager
    def stop(self, parent: Stop | None) -> Iterator[Stop]:
        """Yield a stop that `end` sets as long as the block runs."""
        stop = Stop(parent)
        self._running.add(stop)
        try:
            if self.why:
                stop.set()
            yield stop
        finally:
            self._running.discard(stop)

    def end(self, why: str) -> None:
        """End the searches, and those to come."""
        self.why = self.why or why
        for stop in tuple(self._running):
            stop.set()


Calls = Sequence[Callable[[], T]]


@contextmanager
def threads_for(
    using: Strategy, workers: int
) -> Iterator[Callable[[Calls[T]], Generator[T, None, None]]]:
    """Yield a function that makes calls as a strategy says, and generates their results in order.

    Each group of the strategy is a task; those that it waits for come before it, and so have those
    before them.  A strategy with one group makes the calls one after another, in the caller, when
    their results are asked for.  No tasks are made for Dask, of which each would take longer than
    a short call.
    Ensures: when the generator ends or is closed, no call runs.
    Raises: StrategyError if the strategy does not fit a list.

    >>> from strategies.algebra.combinators import par_list
    >>> with threads_for(par_list, 2) as at_once:
    ...     list(at_once([lambda: 1, lambda: 2]))
    [1, 2]
    """
    unfolded(using, "list", 2)
    with ThreadPoolExecutor(workers, "pieces") as pool:

        def at_once(calls: Calls[T]) -> Generator[T, None, None]:
            groups = unfolded(using, "list", len(calls)).groups
            if workers == 1 or len(groups) == 1:
                yield from (call() for call in calls)
                return
            tasks = list[Future[list[T]]]()
            taken = 0
            try:
                for group in groups:
                    while taken < len(tasks) and groups[taken].start < group.after:
                        yield from tasks[taken].result()
                        taken += 1
                    part = calls[group.start : group.stop]
                    tasks.append(pool.submit(_results, part))
                for task in tasks[taken:]:
                    yield from task.result()
            finally:
                for task in tasks:
                    task.cancel()
                wait(tasks)

        yield at_once


def _results(calls: Calls[T]) -> list[T]:
    return [call() for call in calls]
