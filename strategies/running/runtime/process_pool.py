"""A pool of processes that Ctrl-C ends at once and silently.

The processes end with the one that started them, however that ends, even if it is killed.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, current_process, parent_process
from multiprocessing.connection import wait
from typing import Final

from graphs.errors import JamboreeError


class PoolError(JamboreeError, RuntimeError):
    """The processes could not be started, or ended before their work was done."""


GUARD: Final = (
    "a process ended before its work was done: it was killed, or a script starts processes when "
    'it is imported; such a script must start them below the line: if __name__ == "__main__":'
)


def check_main() -> None:
    """Exit if this process of a pool starts processes while it imports the main script.

    The parent process then says what to do, once; else each child would print a traceback.
    """
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(1)


@contextmanager
def processes(many: int) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of `many` processes, which ignore Ctrl-C and are killed if the block fails.

    Ensures: none is left when this process ends, even if it is killed.
    Raises: PoolError, one line, if one of them ends early.
    """
    from dask.multiprocessing import get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(many, get_context(), begin)
    try:
        with ignoring_interrupts():
            for _ in range(many):  # each starts a process
                pool.submit(abs, 0)
        yield pool
    except BaseException as error:
        for process in set(active_children()) - others:
            process.kill()
        if isinstance(error, BrokenProcessPool):
            raise PoolError(GUARD) from None
        raise
    finally:
        pool.shutdown()


def begin() -> None:
    """Prepare a process of a pool for its work."""
    from dask.multiprocessing import initialize_worker_process

    threading.Thread(target=_follow, name="follow the parent", daemon=True).start()
    initialize_worker_process()


def _follow() -> None:
    """End this process as soon as its parent has ended, whatever it is doing.

    This thread also runs during machine code, which releases the interpreter's lock.
    """
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C in this thread inside the block; processes started there always ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # for example on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
