"""What the records of a run on a cluster lack: the tasks lost with a worker, and one clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, TypeVar, cast

from attrs import evolve
from dask.task_spec import Task

from strategies.running.records.clocks import Call, Reading, set_clocks, shown
from strategies.running.records.record import Loss, RecordKey, by_task
from strategies.running.records.search_run import SearchRun

R = TypeVar("R")

KINDS: Final = ("search", "merge", "row")
"""The kinds of a cluster's tasks that are part of a search; others deliver shared data."""


def read_losses(
    client: Any, run: str, tasks: Callable[[int], Iterable[RecordKey]]
) -> tuple[Loss, ...]:  # fmt: skip
    """Return the workers that were lost during a run, with their tasks, in order of time.

    `tasks` returns the tasks of the search in a task of the cluster, by its number in the run.
    Cost: one round trip to the scheduler.
    """
    if client.status != "running":
        return ()
    before = perf_counter()
    told: list[tuple[float, str, list[int]]] = []
    with suppress(Exception):  # the scheduler may be gone
        told = client.run_on_scheduler(losses_of, run)
    now = (before + perf_counter()) / 2
    return tuple(
        Loss(now - age, worker, tuple(key for n in numbers for key in tasks(n)))
        for age, worker, numbers in told
    )


def record_key(task: Task, graph: int = 0) -> RecordKey:
    """Return the key of the record of a search's task."""
    kind, place = cast("tuple[str, tuple[Any, ...]]", task.key)
    return graph, (kind.rpartition("-")[0], place)


def losses_of(run: str, dask_scheduler: Any) -> list[tuple[float, str, list[int]]]:
    """Return, on the scheduler, the workers that were lost with tasks of a run: the seconds since
    then, the address, and the numbers of the tasks."""
    from distributed.metrics import time

    now, found = time(), []
    names = {f"{kind}-{run}" for kind in KINDS}
    for at, event in dask_scheduler.get_events("all"):
        if isinstance(event, dict) and event.get("action") == "remove-worker":
            had = {*event["processing-tasks"], *event["lost-computed-tasks"]}
            numbers = sorted(key[1] for key in had if isinstance(key, tuple) and key[0] in names)
            if numbers:
                found.append((now - at, event["worker"], numbers))
    return found


def with_losses(result: R, losses: tuple[Loss, ...]) -> R:
    """Return a result with the losses in its records and in its ledger."""
    if not losses:
        return result
    from strategies.running.records.sparks import lost_and_repeated

    known: Any = result
    times = Counter(key for loss in losses for key in loss.tasks)
    records = tuple(
        r._replace(lost=times[r.graph, r.key]) if (r.graph, r.key) in times else r
        for r in known.records
    )
    changed: R = evolve(
        known, records=records, losses=losses, sparks=lost_and_repeated(known.sparks, records)
    )
    return changed


def on_one_clock(result: SearchRun, call: Call, tasks: Mapping[Any, Any], client: Any) -> SearchRun:
    """Put the times of a run on the caller's clock, by the order of tasks and clock readings."""
    recorded = by_task(tasks, result.records)
    before = (
        (recorded[d], recorded[key]) for key, task in tasks.items() for d in task.dependencies
        if d in recorded and key in recorded
    )  # fmt: skip
    records, clocks = set_clocks(result.records, before, call, read_clocks(client))
    return evolve(result, records=records, clocks=clocks, sparks=result.sparks.of(records))


def read_clocks(client: Any) -> tuple[Reading, ...]:
    """Read the clock of each worker process of a client's cluster, all at the same time.

    The result is empty without a client, and without the workers that are lost.
    Cost: one round trip, some milliseconds.
    """
    if client is None or client.status != "running":
        return ()
    with suppress(Exception):
        found: tuple[Reading, ...] = client.sync(_read, client)
        return found
    return ()


async def _read(client: Any) -> tuple[Reading, ...]:
    addresses = await client.scheduler.ncores(workers=None)
    import asyncio  # only clusters need it, and it takes long to load

    made = await asyncio.gather(*(_one(client, address) for address in addresses))
    return tuple(reading for reading in made if reading is not None)


async def _one(client: Any, address: str) -> Reading | None:
    before = perf_counter()
    told = await client._run(shown, workers=[address], on_error="ignore")
    after = perf_counter()
    if address not in told:
        return None
    process, time = told[address]
    return Reading(before, process, time, after)
