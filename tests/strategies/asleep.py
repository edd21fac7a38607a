"""A search on a cluster whose rules sleep: its known result, and the state of workers meanwhile."""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import Any

from benchmarks.faults.runs import Asleep
from games import ConnectFour
from strategies import minimax, par_list, search
from tests.strategies.clusters import LIMIT, until


def answer(seconds: float = 0.01) -> Any:
    game = Asleep(4, 4, seconds=seconds)
    return search(game, minimax(4), using=par_list.to_ply(2), engine="interpreted")


SMALL = ConnectFour(4, 4)


RIGHT = search(SMALL, minimax(4), engine="interpreted").compute()


def right(run: Future[Any]) -> None:
    found = run.result(LIMIT)
    assert (found.value, found.move) == (RIGHT.value, RIGHT.move)
    assert found.sparks.balanced()
    assert len(found.records) == len(answer().tasks())


def begun(client: Any, run: Future[Any] | None = None) -> None:
    """Wait until workers run tasks."""
    until(lambda: (run is not None and run.done()) or working(client))


def working(client: Any) -> bool:
    return any(client.run(busy, on_error="ignore").values())


def pid_of(client: Any) -> int:
    """Return the process ID of a worker."""
    return next(iter(client.run(os.getpid, on_error="ignore").values()))


def busiest(client: Any) -> int:
    """Return the process ID of the worker that runs most tasks."""
    many = client.run(lambda dask_worker: (busy(dask_worker), os.getpid()), on_error="ignore")
    return max(many.values())[1]


def busy(dask_worker: Any) -> int:
    """Count the tasks that a worker runs, including those whose results nobody needs any more."""
    return len(dask_worker.state.executing) + sum(
        t.state == "cancelled" for t in dask_worker.state.tasks.values()
    )


def tasks_of(client: Any) -> list[Any]:
    """Return the keys of the tasks that the scheduler has sent to workers."""
    return [key for keys in client.processing().values() for key in keys]
