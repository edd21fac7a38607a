"""What a client's cluster is given before it works: the game, once, and warm workers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary, finalize, ref

from attrs import field, frozen

from graphs.errors import JamboreeError
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.shipping import ClusterError, Parcel, own_module, parcel_name
from strategies.support.logs import logger_of

_log = logger_of("cluster")
T = TypeVar("T")

LOST: Final = (
    "the cluster lost the search, as it was closed, its scheduler ended or the connection to it "
    "broke: connect again, and compute again"
)
AGAIN: Final = 5
"""How often all workers are asked again, where some are lost as they answer."""
OFTEN: Final = 0.05
"""Seconds between looks at what stops a wait."""
ENDING: Final = 5.0
"""Seconds after Ctrl-C by which what was done so far has come."""
KEPT: Final = 16
"""Parcels that are kept for a client: a large one is tables of a game."""


@frozen(eq=False)
class Delivered:
    """What a cluster is known to have of a client, as long as the connection lasts."""

    parcels: dict[tuple[Any, ...], Parcel] = field(factory=dict)
    seconds: dict[Any, dict[int, float]] = field(factory=dict)
    """How long searches of each number of plies take, by game and depth."""


_delivered: WeakKeyDictionary[Any, Delivered] = WeakKeyDictionary()


def delivered(client: Any) -> Delivered:
    """Return what a client's cluster is known to have: after a break between them, nothing."""
    if client.scheduler_comm is None:
        raise ClusterError(LOST)
    return _delivered.setdefault(client.scheduler_comm, Delivered())


def check_open(client: Any) -> None:
    """Check that a client was not closed.

    Raises: ClusterError, one line.
    """
    if client.status in ("closed", "closing"):
        raise ClusterError("the client was closed: connect again, and compute again")


def await_worker(client: Any, stop: Stop | None = None, seconds: float | None = None) -> None:
    """Wait until a client's cluster has a worker, or for so many seconds.

    A task asks for one: a cluster that grows with its work would start none otherwise.  A client
    that lost its connection is waited for, as long as it tries to connect again.
    Raises: `Stopped`; ClusterError, one line, if the client is closed, or nobody came.
    """
    while client.status == "connecting":
        if stop is not None and stop.is_set:
            raise Stopped("the search was stopped")
        sleep(OFTEN)
    check_open(client)
    if not client.nthreads():
        gathered(client, [client.submit(len, "", pure=False)], stop, seconds)


def parcel_for(
    client: Any, values: tuple[Any, ...], checked: int | None = None, stop: Stop | None = None,
    seconds: float | None = None, warming: Any = None,
) -> Parcel:  # fmt: skip
    """Deliver what a run shares to all workers of now and later, once a client: what they lack goes
    by value.  A cluster without workers is waited for, no longer than so many `seconds`.

    `checked` is of how many values, all unless it is said, the rules must be those that are here;
    the others are known again by being the same objects.  `warming` is what each worker does before
    it gets its first task; its `kinds` tell what that is.
    Ensures: workers have it as long as somebody here has the parcel, or the client is there.
    Raises: ClusterError, one line, if the client is closed, or a worker cannot load them;
    `Stopped`.
    """
    from strategies.running.runtime.worker_side import Delivery, Heeding, Withdrawal, warmed

    await_worker(client, stop, seconds)
    parcels, prints = delivered(client).parcels, [fingerprint(value) for value in values[:checked]]
    rest = () if checked is None else values[checked:]
    warm = None if warming is None else fingerprint(warming.kinds)
    kind = (warm, *prints, *map(id, rest))  # a parcel keeps its values: no other gets such a number
    parcel = parcels.get(kind)
    if parcel is None:
        if not parcels:
            asked(client, partial(client.register_plugin, Heeding()))
            client.register_plugin(Withdrawal())
        while len(parcels) >= KEPT:
            del parcels[next(iter(parcels))]
        parcel = _shipped(client, values, prints)
        parcel.name = parcel_name(client.id, uuid.uuid4().hex)
        work, code = None, {}
        if warming is not None:  # one worker compiles, and all others get what it made
            work = parcel.add(warming)
            key = f"warm-{uuid.uuid4().hex}", 0
            first = client.submit(warmed, parcel.content, work, key=key, pure=False)
            (code,) = gathered(client, [first], stop, seconds)
        delivery = Delivery(parcel.name, parcel.content, work, code)
        asked(client, partial(client.register_plugin, delivery))
        finalize(parcel, _withdraw, ref(client), parcel.name).atexit = False
        parcels[kind] = parcel
    return parcel


def _withdraw(client: ref[Any], name: str) -> None:
    """Have a parcel taken back from all workers; nobody waits for it."""
    known = client()
    if known is not None and known.status == "running":
        known.loop.add_callback(_withdrawn, known, name)


async def _withdrawn(client: Any, name: str) -> None:
    with suppress(Exception):  # what is gone needs no withdrawal
        await client.scheduler.unregister_worker_plugin(name=name)


def _shipped(client: Any, values: tuple[Any, ...], prints: list[str]) -> Parcel:
    from strategies.running.runtime.worker_side import lacking

    modules: dict[str, Any] = {}
    while True:
        parcel = Parcel(values, modules.values())
        try:
            given = parcel.content, [] if modules else prints
            told = asked(client, partial(client.run, lacking, *given))
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a worker lacks what Jamboree needs ({error}): install jamboree-search on all "
                "workers, in the version that this process has"
            ) from error
        faults = [(worker, *fault) for worker, fault in told.items() if fault]
        if not faults:
            return parcel
        worker, name, why = faults[0]
        module = own_module(name) if name and name not in modules else None
        if module is None:
            raise ClusterError(
                f"the worker {worker} cannot load the game ({why}): install there what defines it, "
                "in the same version"
            )
        _log.info("the module %s goes to the workers by value: %s", name, why)
        modules[module.__name__] = module


def asked(client: Any, question: Callable[[], T]) -> T:
    """Return the answer to a question that all workers are asked; again, where one is lost
    meanwhile."""
    from distributed.comm import CommClosedError

    for _ in range(AGAIN):
        try:
            return question()
        except CommClosedError:
            if client.status != "running":
                break
            sleep(OFTEN)  # the scheduler hears of it, too
    return question()


def gathered(
    client: Any, futures: list[Any], stop: Stop | None = None, seconds: float | None = None
) -> list[Any]:
    """Wait for futures, and return what they are; without a worker, no more than so many seconds.

    Unlike the client's own `gather`, it asks for nothing until all is there: so an interrupt leaves
    no question open, of which Dask would print that nobody heard the answer.
    Raises: `Stopped`, soon after `stop` is set; ClusterError, if nobody works for so long; what a
    future raises, as soon as it is over.
    """
    come: SimpleQueue[Any] = SimpleQueue()
    for future in futures:
        future.add_done_callback(come.put)
    left, absence = len(futures), Absence(client, seconds)
    while left:
        if stop is not None and stop.is_set:
            raise Stopped("the search was stopped")
        absence.look()
        left -= len(arrived(come))
    found: list[Any] = client.gather(futures)
    return found


def ended(client: Any, futures: list[Any], run: str) -> list[Any]:
    """Have the tasks of a run end early, and return what they are by then, None for each that has
    not ended within `ENDING` seconds."""
    limit, found = monotonic() + ENDING, list[Any]()
    client.loop.add_callback(tell_workers, client, run)
    while any(future.status == "pending" for future in futures) and monotonic() < limit:
        sleep(OFTEN)
    for future in futures:
        value = None
        if future.status == "finished":
            with suppress(Exception):  # its worker does not answer
                value = future.result(max(limit - monotonic(), OFTEN))
        found.append(value)
    return found


def left_over(client: Any, run: str) -> dict[int, Any]:
    """Return what workers have kept of a run, by the numbers of its tasks, as soon as a client that
    was cut off is connected again; nothing, if it gives that up.  Tasks that are under way end
    early, and are left out if they have not ended within `ENDING` seconds."""
    while client.status == "connecting":
        sleep(OFTEN)
    limit, found = monotonic() + ENDING, dict[int, Any]()
    while client.status == "running":
        with suppress(Exception):  # it is cut off again
            found = client.sync(_left_over, client, run)
        if None not in found.values() or monotonic() > limit:
            break
        sleep(OFTEN)
    return {number: made for number, made in found.items() if made is not None}


async def _left_over(client: Any, run: str) -> dict[int, Any]:
    from strategies.running.runtime.worker_side import results_here

    async def told(address: str) -> dict[int, Any]:
        with suppress(Exception):  # it is lost, or does not answer
            asking = client._run(results_here, run, workers=[address], on_error="ignore")
            answers: list[dict[int, Any]] = [*(await asyncio.wait_for(asking, ENDING)).values()]
            return answers[0]
        return {}

    addresses = await client.scheduler.ncores(workers=None)
    found: dict[int, Any] = {}
    for some in await asyncio.gather(*map(told, addresses)):
        found |= some
    return found


async def tell_workers(client: Any, run: str) -> None:
    """Tell the workers to end a run early; nobody waits for it, as a worker may be frozen."""
    from strategies.running.runtime.worker_side import end_early

    with suppress(Exception):  # what is gone need not be told
        await client._run(end_early, run, on_error="ignore")


def arrived(come: SimpleQueue[Any]) -> list[Any]:
    """Return the next future that comes and has a result; none, if there is none for a time.

    A result may be lost with its worker as soon as it is told of: another worker then makes it
    again, and the future comes back into the queue.
    Raises: ClusterError if the cluster has lost it; what its task raised.
    """
    with suppress(Empty):
        future = come.get(timeout=OFTEN)
        status = future.status
        if status in ("lost", "pending"):
            sleep(OFTEN)
            come.put(future)
        elif status == "error":
            future.result()
        elif status != "finished":
            raise ClusterError(LOST)
        else:
            return [future]
    return []


@contextmanager
def faults_told(client: Any) -> Iterator[None]:
    """In the block, what Dask says of a cluster that is gone, or whose workers die, is told in one
    line.

    Raises: ClusterError; what the block raises.
    """
    from distributed.client import ClosedClientError, FutureCancelledError, FuturesCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"{error.allowed_failures + 1} workers died one after the other at the same part of "
            "the search: look into their logs; often their memory is too small"
        ) from error
    except (
        FutureCancelledError, FuturesCancelledError, ClosedClientError, CommClosedError,
    ) as error:  # fmt: skip
        raise ClusterError(LOST) from error
    except (OSError, RuntimeError) as error:  # what a client that is closed meets, here or there
        if isinstance(error, JamboreeError) or client.status == "running":
            raise
        raise ClusterError(LOST) from error
