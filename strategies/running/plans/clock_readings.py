"""Put all times of a run on one clock, with readings of the workers' clocks."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

from attrs import evolve

from strategies.running.records.clocks import Call, Reading, set_clocks, shown
from strategies.running.records.record import by_task
from strategies.running.records.search_run import SearchRun


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
