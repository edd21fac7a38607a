"""Places in which a collection runs: here, on the cluster of a client, or by a Dask scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import dask

from strategies.running.plans.dask_collection import DaskCollection
from strategies.running.runtime import cancellation
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.aside import run_in_pool
from strategies.running.runtime.process_pool import GUARD, PoolError
from strategies.running.runtime.schedulers import client_of
from strategies.support.logs import logger_of

_log = logger_of("search")


def run_at(
    scheduler: Any, collection: DaskCollection, here: Callable[[int | None], Any],
    on_cluster: Callable[..., Any], **options: Any,
) -> Any:  # fmt: skip
    """Run a collection where the chosen scheduler says, and return its result.

    Without a scheduler, call `here` with the number of workers, or None for all cores; on the
    cluster of a client, call `on_cluster` with the client and the options; else Dask runs the
    graph.  A graph that came from Dask is run as it is.
    Raises: KeyboardInterrupt, after what runs has been stopped; PoolError, one line; any error of
    the work.
    """
    if scheduler is None:
        workers = workers_of(options)
        if collection.given:
            graph, key = collection._lowered
            return runner.get(graph, key, num_workers=workers)
        return here(workers)
    client = None if collection.given else client_of(scheduler)
    _log.info("computing %r by the scheduler %s", collection, scheduler)
    try:
        if client is not None:
            return on_cluster(client, **options)
        return run_in_pool(collection.by_dask, scheduler, **options)
    except KeyboardInterrupt:
        cancellation.interrupt()
        raise
    except BrokenProcessPool:
        raise PoolError(GUARD) from None


def workers_of(options: dict[str, Any]) -> int | None:
    """Return the number of workers by the options of a call, or by Dask's configuration."""
    known: int | None = options.get("num_workers", dask.config.get("num_workers", None))
    return known
