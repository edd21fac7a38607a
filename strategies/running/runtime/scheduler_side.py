"""The side of a cluster's scheduler: watch the workers, and take back what a lost client left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from distributed import SchedulerPlugin
from distributed.comm import connect
from distributed.core import Status
from distributed.metrics import time

from strategies.running.runtime.shared_incumbent import HANDLER, Exchange
from strategies.running.runtime.shipping import parcel_name

ANSWERING: Final = 2.0
"""The seconds within which a nanny that lives accepts a connection."""
CLOSING: Final = 2.0
"""The seconds within which a cluster closes its workers, if it closes with its client."""


class Lost(NamedTuple):
    """A worker that was lost or left."""

    address: str
    age: float
    """The seconds since then."""
    left: bool
    """Whether it was closed on purpose."""
    memory: int
    """The memory limit that it exceeded, in bytes; 0 if it was not lost for that."""
    why: str


class Workers(NamedTuple):
    """The state of a cluster's workers."""

    number: int
    before: int
    """Their number at the beginning of the time that was asked about."""
    paused: tuple[str, ...]
    """Those that start no task, because their memory is almost full."""
    lost: tuple[Lost, ...]
    """Those that were lost, in order of time."""
    returns: bool
    """Whether one that was lost last has a nanny, which starts it again."""


class Overseer(SchedulerPlugin):  # type: ignore[misc]  # it has no types
    """A plugin that removes a client's parcels from the workers once the client is gone, lets a
    task whose worker was only preferred run elsewhere, and passes incumbents on.

    Dask ignores that a restriction is loose when it schedules a task again that no worker could
    run: the task would wait for the worker that was lost, while a new one is idle.
    """

    name = "jamboree"
    idempotent = True

    async def start(self, scheduler: Any) -> None:
        """Note the scheduler and its workers."""
        self.scheduler = scheduler
        scheduler.handlers[HANDLER] = Exchange().raised
        self.known: dict[str, tuple[str | None, int]] = {}
        for worker in tuple(scheduler.workers):
            self.add_worker(scheduler, worker)

    def add_worker(self, scheduler: Any, worker: str) -> None:
        """Note a worker's nanny and memory limit, which are unknown once it is lost."""
        state = scheduler.workers[worker]
        self.known[worker] = state.nanny, state.memory_limit or 0

    def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
        """Drop the loose restrictions of a task that no worker can run."""
        if finish == "no-worker":
            task = self.scheduler.tasks[key]
            if task.loose_restrictions:
                task.worker_restrictions = task.host_restrictions = None

    def remove_client(self, scheduler: Any, client: str) -> None:
        """Remove the parcels in the background, unless the cluster closes with the client.

        Workers that close remove them, too, and print an error if they are gone already.
        """
        for name in [n for n in scheduler.worker_plugins if n.startswith(parcel_name(client))]:
            later = scheduler.loop.add_callback, withdrawn, scheduler, name
            scheduler.loop.call_later(CLOSING, *later)


async def withdrawn(scheduler: Any, name: str) -> None:
    """Remove a parcel from all workers of a scheduler that is not closing, if possible."""
    if scheduler.status is not Status.running:
        return
    with suppress(Exception):  # a worker that is gone needs no withdrawal
        await scheduler.unregister_worker_plugin(None, name=name)


async def workers_now(seconds: float, dask_scheduler: Any) -> Workers:
    """Return, on the scheduler, the state of the workers, and those lost in the last seconds.

    Tasks that wait at a paused worker are sent to others that run.
    """
    lost = lost_since(seconds, dask_scheduler)
    paused = [w for w in dask_scheduler.workers.values() if w.status == Status.paused]
    if dask_scheduler.running:
        for worker in paused:
            for task in tuple(worker.processing):
                if task not in worker.executing:
                    dask_scheduler._reschedule(task.key, stimulus_id=f"jamboree-paused-{time()}")
    returns = False
    if lost and not dask_scheduler.workers:
        returns = await has_nanny(lost[-1].address, dask_scheduler)
    new = sum(event["action"] == "add-worker" for _, event in recent(seconds, dask_scheduler))
    count = len(dask_scheduler.workers)
    return Workers(count, count + len(lost) - new, tuple(w.address for w in paused), lost, returns)


def lost_since(seconds: float, dask_scheduler: Any) -> tuple[Lost, ...]:
    """Return, on the scheduler, the workers that were lost in the last seconds."""
    now, found = time(), []
    full = {told["worker"] for _, told in dask_scheduler.get_events("worker-restart-memory")}
    known = _overseer(dask_scheduler)
    for at, event in recent(seconds, dask_scheduler):
        if event["action"] == "remove-worker":
            worker, silent = event["worker"], "ttl" in event["stimulus_id"]
            closed = event["expected"] or closing(worker, dask_scheduler)
            memory = known.get(worker, (None, 0))[1] if worker in full else 0
            why = (
                "its nanny ended it, because its memory was full" if worker in full
                else "it was silent for too long" if silent
                else "it was closed" if closed
                else "its process ended or its connection broke"
            )  # fmt: skip
            found.append(Lost(worker, now - at, closed and worker not in full, memory, why))
    return tuple(reversed(found))


def recent(seconds: float, scheduler: Any) -> Iterator[tuple[float, Any]]:
    """Yield the events of the last seconds, with their times, the last one first."""
    since = time() - seconds
    for at, event in reversed(scheduler.get_events("all")):
        if at < since:
            break
        if isinstance(event, dict) and "action" in event:
            yield at, event


def closing(worker: str, scheduler: Any) -> bool:
    """Return whether a worker said that it closes."""
    told = (event for _, event in scheduler.get_events(worker))
    return any(str(event.get("status", "")).startswith("closing") for event in told)


async def has_nanny(worker: str, dask_scheduler: Any) -> bool:
    """Return whether the nanny of a worker that was lost accepts connections."""
    nanny = _overseer(dask_scheduler).get(worker, (None, 0))[0]
    if nanny is not None:
        with suppress(Exception):  # whatever a broken connection raises
            comm = await connect(nanny, timeout=ANSWERING)
            await comm.close()
            return True
    return False


def _overseer(scheduler: Any) -> dict[str, tuple[str | None, int]]:
    """Return the nanny and the memory limit of each worker so far."""
    known: dict[str, tuple[str | None, int]] = getattr(
        scheduler.plugins.get(Overseer.name), "known", {}
    )
    return known
