"""Find the scheduler to use, and check the options of `compute`.

A named scheduler is used, or else the current one.  Dask is not loaded before it is needed.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final

from graphs.arguments import MOST_THREADS, MOST_WORKERS, check_workers, shown
from graphs.errors import ArgumentError
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.process_pool import check_main

CLUSTERS: Final = ("distributed", "dask.distributed")
"""The names of the current client."""
DASKS: Final = ("scheduler", "num_workers", "optimize_graph", "traverse")
"""The options of Dask's own `compute`, and the one that all schedulers of one machine have."""
MEANT: Final = {"workers": "num_workers", "threads": "num_workers", "processes": "scheduler"}
"""Common mistakes, with the options that were probably meant."""
ADDRESS: Final = re.compile(r"[a-z]+://\S+|[\w.-]+:\d+")
"""The address of a cluster's scheduler."""
ASYNCHRONOUS: Final = (
    "the client is asynchronous, so compute cannot wait for its cluster: write "
    "await client.compute(answer), where answer is this search or value, or connect without "
    "asynchronous=True"
)

ASYNCHRONOUS_HERE: Final = (
    "the client is asynchronous, so this call cannot wait for its cluster: write "
    "scheduler='threads' to work on this machine, or connect without asynchronous=True"
)

_here = threading.local()


@contextmanager
def serving() -> Iterator[None]:
    """Mark this thread as a cluster's worker inside the block: its searches run on this machine,
    because other workers may be waiting for this one."""
    before, _here.serving = getattr(_here, "serving", False), True
    try:
        yield
    finally:
        _here.serving = before


def is_serving() -> bool:
    """Return whether this thread is a cluster's worker."""
    return getattr(_here, "serving", False)


def chosen_scheduler(scheduler: Any = None) -> Any:
    """Return the named scheduler, or the one in Dask's configuration, such as the current client;
    None for this machine."""
    if scheduler is not None:
        return scheduler
    import dask

    return None if is_serving() else dask.config.get("scheduler", None)


def function_of(chosen: Any) -> Any:
    """Return the scheduling function of this machine for any of its names; else the scheduler
    unchanged, such as a client."""
    from dask.base import named_schedulers

    if isinstance(chosen, str):
        return named_schedulers.get(chosen.lower())
    return runner.get if chosen is None else chosen


def is_here(chosen: Any) -> bool:
    """Return whether a scheduler runs tasks in this process."""
    from dask.local import get_sync
    from dask.threaded import get

    return function_of(chosen) in (runner.get, get, get_sync)


def client_of(scheduler: Any) -> Any:
    """Return the client of a cluster that a scheduler stands for; None for other schedulers.

    Raises: ClusterError, one line, for an asynchronous client, which cannot be waited for here.
    """
    if "distributed" not in sys.modules or scheduler is None:
        return None
    from dask.base import get_scheduler
    from distributed import Client

    from strategies.running.runtime.shipping import ClusterError

    client = scheduler
    if not isinstance(scheduler, Client):
        try:
            client = getattr(get_scheduler(scheduler=scheduler), "__self__", None)
        except RuntimeError as error:  # Dask raises it for an asynchronous client
            raise ClusterError(ASYNCHRONOUS) from error
    if not isinstance(client, Client):
        return None
    if client.asynchronous:
        raise ClusterError(ASYNCHRONOUS)
    return client


def waiting_client(scheduler: Any) -> Any:
    """Return the client that a scheduler stands for, for a call that nothing can await.

    Raises: ClusterError, one line, for an asynchronous client.
    """
    from strategies.running.runtime.shipping import ClusterError

    try:
        return client_of(scheduler)
    except ClusterError as error:
        raise ClusterError(ASYNCHRONOUS_HERE) from error


def workers_of(scheduler: Any = None, workers: int | None = None) -> int:
    """Return how many tasks a scheduler of Dask runs at once with so many workers, by default as
    many as Dask's configuration says; 1 if that is not known.

    >>> workers_of("threads", 3), workers_of("sync", 3)
    (3, 1)
    """
    import dask
    from dask.base import named_schedulers
    from dask.local import get_sync
    from dask.system import CPU_COUNT

    chosen = chosen_scheduler(scheduler)
    get, cores = function_of(chosen), CPU_COUNT
    if isinstance(chosen, Executor):
        return int(getattr(chosen, "_max_workers", 1))
    if chosen is None or (get is not get_sync and get in named_schedulers.values()):
        return int(workers or dask.config.get("num_workers", None) or cores)
    client = current_client(chosen)
    return 1 if client is None else max(1, threads_of(client))


def threads_of(client: Any) -> int:
    """Return the threads of a client's cluster, as far as the client knows them."""
    if client.status == "closed":
        return 0
    if not client.asynchronous:
        return sum(client.nthreads().values())
    return sum(worker["nthreads"] for worker in client.scheduler_info()["workers"].values())


def current_client(chosen: Any) -> Any:
    """Return the client that a scheduler stands for, which may be asynchronous; None if none."""
    from strategies.running.runtime.shipping import ClusterError

    try:
        return client_of(chosen)
    except ClusterError:
        from distributed import Client, default_client

        return chosen if isinstance(chosen, Client) else default_client()


def check_options(scheduler: Any, options: Mapping[str, Any], more: Iterable[str] = ()) -> None:
    """Check the scheduler of a `compute`, and its options if it is a scheduler of this machine.

    `more` are options of the collection itself.
    Raises: ArgumentError for a scheduler that Dask does not know; for a `num_workers` that is not a
    positive integer, or is given with an executor; and for an unknown option, with the nearest one.
    SystemExit as `check_main`.

    >>> check_options(None, {"num_workers": 2})
    >>> check_options("threads", {"numworkers": 2})
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: compute has no option numworkers: did you mean num_workers?
    """
    from dask.base import named_schedulers

    chosen = chosen_scheduler(scheduler)
    _check_known(chosen)
    get = function_of(chosen)
    most = MOST_THREADS if get is runner.get else MOST_WORKERS
    check_workers(most, num_workers=options.get("num_workers"))
    if isinstance(chosen, Executor) and "num_workers" in options:
        raise ArgumentError(
            "num_workers: an executor has as many workers as it was created with, as in "
            "ThreadPoolExecutor(2): leave num_workers out"
        )
    if get is named_schedulers["processes"]:
        check_main()
    known = {*DASKS, *more}
    if get is not runner.get:
        if get not in named_schedulers.values():
            return  # a client, or another kind of scheduler
        known |= _local()
    for name in options:
        if name not in known:
            near = [MEANT[name]] if name in MEANT else get_close_matches(name, sorted(known), n=1)
            there = f"there are {', '.join((*DASKS, *more))}"
            hint = f"did you mean {near[0]}?" if near else there
            raise ArgumentError(f"compute has no option {name}: {hint}")


def _check_known(chosen: Any) -> None:
    from dask.base import named_schedulers

    if isinstance(chosen, str):
        known = chosen.lower() in named_schedulers or chosen.lower() in CLUSTERS
    else:
        known = chosen is None or callable(chosen) or isinstance(chosen, Executor)
        known = known or hasattr(chosen, "get")  # a client
        known = known and not isinstance(chosen, type)  # not a class, such as ThreadPoolExecutor
    if not known:
        raise ArgumentError(
            f"scheduler takes 'sync', 'threads', 'processes', a client, an executor, or None for "
            f"the scheduler of searches; not {shown(chosen)}{connect_hint(chosen)}"
        )


def connect_hint(chosen: Any) -> str:
    """Return what to write in place of a cluster, or of the address of one; empty for others.

    >>> connect_hint("tcp://head:8786"), connect_hint("thread")
    (": write scheduler=Client('tcp://head:8786')", '')
    """
    if isinstance(chosen, type):
        return ""
    if isinstance(chosen, str):
        where, known = repr(chosen), ADDRESS.fullmatch(chosen) is not None
    else:
        where, known = "cluster", isinstance(getattr(chosen, "scheduler_address", None), str)
    return f": write scheduler=Client({where})" if known else ""


@cache
def _local() -> frozenset[str]:
    """Return the options of Dask's schedulers for one machine."""
    from dask.base import named_schedulers
    from dask.local import get_async

    parameters = (
        signature(get).parameters.values() for get in {*named_schedulers.values(), get_async}
    )
    return frozenset(
        p.name for taken in parameters for p in taken if p.kind is not Parameter.VAR_KEYWORD
    )
