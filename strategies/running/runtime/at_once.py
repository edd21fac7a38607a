"""Makes calls at once, on threads, in the order of a strategy."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from strategies.algebra.strategy import Strategy, unfolded

T = TypeVar("T")
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
