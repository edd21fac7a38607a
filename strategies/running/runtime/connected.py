"""The scheduler that is meant: the one that is named, else the one that is current."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_here = threading.local()


@contextmanager
def serving() -> Iterator[None]:
    """Inside the block this thread does a cluster's work: its searches run here, and ask no other
    worker, who may wait for this one."""
    before, _here.serving = getattr(_here, "serving", False), True
    try:
        yield
    finally:
        _here.serving = before


def chosen_scheduler(scheduler: Any = None) -> Any:
    """Return the scheduler that is named, or the one of Dask's configuration, as that of a client
    that is current; None for this machine."""
    if scheduler is not None:
        return scheduler
    import dask

    return None if getattr(_here, "serving", False) else dask.config.get("scheduler", None)


def client_of(scheduler: Any) -> Any:
    """Return the client of a cluster that a scheduler stands for; None for any other."""
    if "distributed" not in sys.modules or scheduler is None:
        return None
    from dask.base import get_scheduler
    from distributed import Client

    client = getattr(get_scheduler(scheduler=scheduler), "__self__", None)
    return client if isinstance(client, Client) else None
