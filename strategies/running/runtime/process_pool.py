"""A pool of processes that Ctrl-C ends at once and silently."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children


@contextmanager
def processes(many: int) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of so many processes, which ignore Ctrl-C; a failing block kills them."""
    from dask.multiprocessing import get_context, initialize_worker_process

    others = set(active_children())
    pool = ProcessPoolExecutor(many, get_context(), initialize_worker_process)
    try:
        with ignoring_interrupts():
            for _ in range(many):  # each starts a process
                pool.submit(abs, 0)
        yield pool
    except BaseException:
        for process in set(active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown()


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
