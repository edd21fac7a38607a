"""Clusters and pools on this machine, which several test processes can start at once."""

import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import dask

LIMIT = 60
"""Seconds after which a test fails because something hangs."""
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.multiprocessing-method": "forkserver",
}
"""Settings that take two thirds off what an idle cluster does, because it watches itself less
often, and half off its start, because its processes are copies of one that has imported Dask."""


def until(holds: Callable[[], Any]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def cluster(
    workers: int = 2, threads: int = 1, processes: bool = False, protocol: str | None = None,
    **options: Any,
) -> Iterator[Any]:  # fmt: skip
    """Yield a client of a cluster that listens on free ports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distributed import Client, LocalCluster

        with (
            dask.config.set(QUIET),
            LocalCluster(
                n_workers=workers, threads_per_worker=threads, processes=processes,
                protocol=protocol, dashboard_address=":0",  # None means the default port
            ) as here,
            Client(here, **options) as client,
        ):  # fmt: skip
            yield client


@contextmanager
def two_processes() -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of two processes for several computations; Dask would start one for each."""
    from dask.multiprocessing import get_context, initialize_worker_process

    with ProcessPoolExecutor(2, get_context(), initialize_worker_process) as pool:
        yield pool
