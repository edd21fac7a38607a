"""The faults, each of which is planted during a run."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from benchmarks.faults.processes import MEMORY, Processes
from benchmarks.faults.runs import lasting


class Place(NamedTuple):
    """The place of a fault."""

    processes: Processes
    client: Any
    """The client of the harness."""
    runner: Any
    """The client of the run."""
    random: Random
    victim: int
    """The process of a worker."""
    address: str


def kill(at: Place) -> None:
    """Kill a worker."""
    os.kill(at.victim, signal.SIGKILL)


def both(at: Place) -> None:
    """Kill all workers at once."""
    for pid in at.processes.workers(at.client).values():
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(pid, signal.SIGKILL)


def again(at: Place) -> None:
    """Kill each worker, and each that comes in its place, for a time."""
    end = time.monotonic() + at.random.uniform(2, 8)
    while time.monotonic() < end:
        both(at)
        time.sleep(0.1)


def cancel(at: Place) -> None:
    """Cancel a future of another search on the same workers, which would take minutes."""
    future = at.client.compute(lasting())
    time.sleep(at.random.uniform(0.1, 1))
    future.cancel()


def restart(at: Place) -> None:
    """Restart all workers."""
    at.client.restart(wait_for_workers=False)


def freeze(at: Place) -> None:
    """Freeze a worker for a time, so that it does nothing and sends nothing."""
    os.kill(at.victim, signal.SIGSTOP)
    try:
        time.sleep(at.random.uniform(0.5, 4))
    finally:
        os.kill(at.victim, signal.SIGCONT)


def slow(at: Place) -> None:
    """Slow a worker down to a tenth of its speed for a time."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        os.kill(at.victim, signal.SIGSTOP)
        time.sleep(0.09)
        os.kill(at.victim, signal.SIGCONT)
        time.sleep(0.01)


def network(at: Place) -> None:
    """Cut the network of a worker for a time; then its connections continue, or are broken as after
    a timeout of the system."""
    wires = at.processes.networks[at.address]
    wires.cut()
    try:
        time.sleep(at.random.uniform(0.5, 4))
    finally:
        wires.mend(drop=at.random.random() < 0.5)


def join(at: Place) -> None:
    """Add a worker."""
    at.processes.nannies.append(at.processes.worker())


def leave(at: Place) -> None:
    """Make a worker leave, without a nanny that replaces it."""
    if len(at.processes.nannies) > at.processes.least:
        at.processes.leave()
    else:
        at.client.retire_workers([at.address], close_workers=True)


def memory(at: Place) -> None:
    """Make a worker exceed its memory, so that its nanny kills it."""
    at.client.run(devour, workers=[at.address], on_error="ignore", wait=False)


def devour() -> None:
    """Allocate memory until the nanny notices it."""
    held = bytearray(2 * MEMORY * 10**6)
    for page in range(0, len(held), 4096):
        held[page] = 1
    time.sleep(5)


def close(at: Place) -> None:
    """Close the client of the run."""
    at.runner.close()


def cut(at: Place) -> None:
    """Break the connection of the run's client."""
    at.runner.loop.add_callback(at.runner.scheduler_comm.comm.abort)


def line(at: Place) -> None:
    """Cut the network of the run's client for a time; then its connection continues, or is
    broken."""
    wire = at.processes.wires_of(at.runner)
    wire.cut()
    try:
        time.sleep(at.random.uniform(0.5, 4))
        if at.random.random() < 0.5:
            wire.drop()
    finally:
        wire.mend()


def end(at: Place) -> None:
    """Kill the scheduler."""
    at.processes.scheduler.kill()
    at.processes.scheduler.wait()


FAULTS: dict[str, Callable[[Place], None]] = {
    fault.__name__: fault
    for fault in (
        kill,
        both,
        again,
        cancel,
        restart,
        freeze,
        slow,
        network,
        join,
        leave,
        memory,
        close,
        cut,
        line,
        end,
    )
}
TOLD = {"again", "close", "cut", "line", "restart", "end"}
"""Faults after which a clear line is as good as the answer."""
ENDS = {"end"}
"""Faults after which a new cluster is needed."""
