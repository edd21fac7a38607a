"""A pool of processes that Ctrl-C ends at once and silently.

They end with the process that started them, however it ends, as by a signal that it cannot hear.
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
    """Processes that could not be started, or that ended before their work was done."""


GUARD: Final = (
    "a process ended before its work was done: it was killed, or a script starts processes as it "
    'is imported. There, call it below the line: if __name__ == "__main__":'
)


def check_main() -> None:
    """Leave a process that is to start processes while it imports the script that started it.

    The one that started it then says what to do, once; without this, each would with a traceback.
    """
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(1)


@contextmanager
def processes(many: int) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of so many processes, which ignore Ctrl-C; a failing block kills them.

    Ensures: none is left when this process ends, even by a signal.
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
    """End this process when the one that started it has ended, whatever it is doing.

    A process that runs machine code without the interpreter's lock lets this thread run.
    """
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C in this thread until the block ends; processes that it starts never hear it."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
