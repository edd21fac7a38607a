"""The faults: each is planted while a run is under way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from benchmarks.faults.processes import MEMORY, Processes


class Place(NamedTuple):
    """Where a fault is planted."""

    processes: Processes
    client: Any
    """Of the harness."""
    runner: Any
    """Of the run."""
    random: Random
    victim: int
    """The process of a worker."""
    address: str


def kill(at: Place) -> None:
    """A worker is killed."""
    os.kill(at.victim, signal.SIGKILL)


def both(at: Place) -> None:
    """All workers are killed at once."""
    for pid in at.processes.workers(at.client).values():
        os.kill(pid, signal.SIGKILL)


def restart(at: Place) -> None:
    """Somebody restarts all workers."""
    at.client.restart(wait_for_workers=False)


def freeze(at: Place) -> None:
    """A worker is frozen for a time: nobody hears of it, and it does nothing."""
    os.kill(at.victim, signal.SIGSTOP)
    try:
        time.sleep(at.random.uniform(0.5, 4))
    finally:
        os.kill(at.victim, signal.SIGCONT)


def slow(at: Place) -> None:
    """A worker runs at a tenth of its speed for a time."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        os.kill(at.victim, signal.SIGSTOP)
        time.sleep(0.09)
        os.kill(at.victim, signal.SIGCONT)
        time.sleep(0.01)


def network(at: Place) -> None:
    """The network of a worker is cut for a time; after that its connections go on, or are broken,
    as where a system has waited for too long."""
    wires = at.processes.networks[at.address]
    wires.cut()
    try:
        time.sleep(at.random.uniform(0.5, 4))
    finally:
        wires.mend(drop=at.random.random() < 0.5)


def join(at: Place) -> None:
    """A worker joins."""
    at.processes.nannies.append(at.processes.worker())


def leave(at: Place) -> None:
    """A worker is told to leave, and its nanny starts no other in its place."""
    if len(at.processes.nannies) > at.processes.least:
        at.processes.leave()
    else:
        at.client.retire_workers([at.address], close_workers=True)


def memory(at: Place) -> None:
    """A worker needs more memory than it may have: its nanny kills it."""
    at.client.run(devour, workers=[at.address], on_error="ignore", wait=False)


def devour() -> None:
    """Take memory, until the nanny sees it."""
    held = bytearray(2 * MEMORY * 10**6)
    for page in range(0, len(held), 4096):
        held[page] = 1
    time.sleep(5)


def close(at: Place) -> None:
    """The client of the run is closed."""
    at.runner.close()


def cut(at: Place) -> None:
    """The connection of the run's client breaks."""
    at.runner.loop.add_callback(at.runner.scheduler_comm.comm.abort)


def line(at: Place) -> None:
    """The network of the run's client is cut for a time; after that its connection goes on, or is
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
    """The scheduler is killed."""
    at.processes.scheduler.kill()
    at.processes.scheduler.wait()


FAULTS: dict[str, Callable[[Place], None]] = {
    fault.__name__: fault
    for fault in (
        kill,
        both,
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
TOLD = {"close", "cut", "line", "restart", "end"}
"""Faults after which one clear line is as good as the answer."""
ENDS = {"end"}
"""Faults after which the cluster is another one."""
