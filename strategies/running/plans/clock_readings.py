"""Read the clocks of a cluster's workers, so that all times of a run can be put on one clock."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import perf_counter
from typing import Any

from strategies.running.records.clocks import Reading, shown


def read_clocks(client: Any) -> tuple[Reading, ...]:
    """Read the clock of each worker process of a client's cluster, all at the same time.

    None is read where there is no client, and those of workers that are lost are left out.
    Cost: one question and its answer, some milliseconds.
    """
    if client is None or client.status != "running":
        return ()
    with suppress(Exception):
        found: tuple[Reading, ...] = client.sync(_read, client)
        return found
    return ()


async def _read(client: Any) -> tuple[Reading, ...]:
    addresses = await client.scheduler.ncores(workers=None)
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
