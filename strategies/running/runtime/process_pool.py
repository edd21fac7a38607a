"""A pool of processes that Ctrl-C ends at once, and without a word from them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children


@contextmanager
def processes(many: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many processes, which do not hear Ctrl-C: whatever ends the block kills them."""
    from dask.multiprocessing import get_context, initialize_worker_process

    others = set(active_children())
    pool = ProcessPoolExecutor(many, get_context(), initialize_worker_process)
    try:
        with deaf():
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
def deaf() -> Iterator[None]:
    """Inside the block this thread hears no Ctrl-C, but of it afterwards; processes that it starts
    never do."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
