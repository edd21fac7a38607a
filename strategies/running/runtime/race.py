"""Race several pieces of work: the first that is done ends the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from strategies.native.memory.cells import Stop
from strategies.support.stacks import started

Work = Callable[[], None]


def race(works: Sequence[Work], over: Stop) -> None:
    """Run each piece of work in a thread, the first in the caller's, until one of them is done.

    Requires: the work heeds `over`, which is set when one piece is done.
    Ensures: no thread is left running.
    Raises: the first error.
    """
    errors: list[BaseException] = []

    def run(work: Work) -> None:
        try:
            work()
        except BaseException as error:  # raised again below, in the caller's thread
            errors.append(error)
        finally:
            over.set()

    threads = []
    try:
        for i, work in enumerate(works[1:], 1):
            threads.append(started(partial(run, work), f"search {i}"))
        run(works[0])
    finally:
        over.set()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
