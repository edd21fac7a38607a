"""What a client's cluster is given before it works: the game, once, and warm workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from attrs import field, frozen

from graphs.errors import JamboreeError
from strategies.native.fingerprint import fingerprint
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.shipping import ClusterError, Parcel, own_module
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
    """What a client's cluster is known to have."""

    parcels: dict[tuple[Any, ...], Parcel] = field(factory=dict)
    warmed: set[str] = field(factory=set)
    seconds: dict[Any, dict[int, float]] = field(factory=dict)
    """How long searches of each number of plies take, by game and depth."""


_delivered: WeakKeyDictionary[Any, Delivered] = WeakKeyDictionary()


def delivered(client: Any) -> Delivered:
    """Return what a client's cluster is known to have."""
    return _delivered.setdefault(client, Delivered())


def check_open(client: Any) -> None:
    """Check that a client was not closed.

    Raises: ClusterError, one line.
    """
    if client.status in ("closed", "closing"):
        raise ClusterError("the client was closed: connect again, and compute again")


def await_worker(client: Any, stop: Stop | None = None, seconds: float | None = None) -> None:
    """Wait until a client's cluster has a worker, or for so many seconds.

    A task asks for one: a cluster that grows with its work would start none otherwise.
    Raises: `Stopped`; ClusterError, one line, if the client is closed, or nobody came.
    """
    check_open(client)
    if not client.nthreads():
        gathered(client, [client.submit(len, "", pure=False)], stop, seconds)


def parcel_for(
    client: Any, values: tuple[Any, ...], checked: int | None = None, stop: Stop | None = None,
    seconds: float | None = None,
) -> Parcel:  # fmt: skip
    """Pickle what a run shares, once a client, so that all workers can load it: what they lack goes
    by value.  A cluster without workers is waited for, no longer than so many `seconds`.

    `checked` is of how many values, all unless it is said, the rules must be those that are here;
    the others are known again by being the same objects.
    Raises: ClusterError, one line, if the client is closed, or a worker cannot load them;
    `Stopped`.
    """
    from strategies.running.runtime.worker_side import Heeding

    await_worker(client, stop, seconds)
    parcels, prints = delivered(client).parcels, [fingerprint(value) for value in values[:checked]]
    rest = () if checked is None else values[checked:]
    kind = (*prints, *map(id, rest))  # a parcel keeps its values: no other gets the number of one
    parcel = parcels.get(kind)
    if parcel is None:
        while len(parcels) >= KEPT:
            del parcels[next(iter(parcels))]
        parcel = parcels[kind] = _shipped(client, values, prints)
        asked(client, partial(client.register_plugin, Heeding()))
    return parcel


def warm_workers(client: Any, parcel: Parcel, warming: Any) -> None:
    """Have each worker of now and later do something before it gets its first task, once a client;
    the `kinds` of `warming` tell what that is."""
    from strategies.running.runtime.worker_side import Warming

    name = f"jamboree-{fingerprint(warming.kinds)}"
    if name not in delivered(client).warmed:
        plugin = Warming(name, parcel.content, parcel.add(warming))
        asked(client, partial(client.register_plugin, plugin))
        delivered(client).warmed.add(name)


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
