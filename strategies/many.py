"""Many independent pieces of work at once, each told of as soon as it is done."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any, Final

from strategies import runner

SCHEDULERS: Final = ("threads", "processes")


def run_each(
    work: Callable[..., Any], todo: Mapping[Hashable, tuple[Any, ...]],
    done: Callable[[Hashable, Any], None], *, workers: int | None = None,
    scheduler: str = "threads",
) -> None:  # fmt: skip
    """Calls ``work(*arguments)`` for each key of `todo`, as tasks of a Dask graph.

    With ``"threads"`` they are run by `strategies.runner`, in order; with ``"processes"`` by Dask's
    own scheduler, and work, arguments and results have to pickle; Ctrl-C then ends them at once.
    Ensures: ``done(key, result)`` is called once a key, one at a time, as soon as it is known.
    Raises: what work or `done` raises, and KeyboardInterrupt; what is running is stopped first.

    >>> found = {}
    >>> run_each(pow, {"a": (2, 3), "b": (3, 2)}, found.__setitem__, workers=1)
    >>> found
    {'a': 8, 'b': 9}
    """
    from dask.callbacks import Callback
    from dask.task_spec import Task

    if scheduler not in SCHEDULERS:
        raise ValueError(f"work runs in {' or '.join(SCHEDULERS)}, not in {scheduler!r}")
    if not todo:
        return
    names = {("each", id(done), number): key for number, key in enumerate(todo)}
    graph = {name: Task(name, work, *todo[key]) for name, key in names.items()}

    def after(name: Any, value: Any, *_: Any) -> None:
        if name in graph:  # the callbacks of Dask hear of searches inside the work, too
            done(names[name], value)

    with Callback(posttask=after):
        if scheduler == "threads":
            runner.get(graph, list(graph), num_workers=workers)
        else:
            from dask.multiprocessing import get

            with processes(min(len(graph), workers or os.cpu_count() or 1)) as pool:
                get(graph, list(graph), pool=pool, chunksize=1, optimize_graph=False)


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
