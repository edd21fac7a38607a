"""Clusters and pools on this machine, as many at once as there are processes of tests."""

import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

LIMIT = 60
"""Seconds after which a test says that something hangs."""


def until(holds: Callable[[], Any]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def cluster(
    workers: int = 2, threads: int = 1, processes: bool = False, **options: Any
) -> Iterator[Any]:
    """A client of a cluster that listens where nobody else does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distributed import Client, LocalCluster

        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=threads, processes=processes,
                dashboard_address=":0",  # None would ask for the port that every cluster asks for
            ) as here,
            Client(here, **options) as client,
        ):  # fmt: skip
            yield client


@contextmanager
def two_processes() -> Iterator[ProcessPoolExecutor]:
    """Processes for many computations, of the kind that Dask starts anew for each."""
    from dask.multiprocessing import get_context, initialize_worker_process

    with ProcessPoolExecutor(2, get_context(), initialize_worker_process) as pool:
        yield pool
