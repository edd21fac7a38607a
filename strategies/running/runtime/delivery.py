"""Deliver to a client's cluster what it needs before it works: the game, once, and warm workers."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary, finalize, ref

from attrs import field, frozen

from graphs.errors import JamboreeError
from strategies.native.fingerprint import (
    copied_fingerprint,
    fingerprint,
    own_fingerprint,
    reached_modules,
)
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.absence import Absence, told_of
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.shipping import (
    DIFFER,
    ClusterError,
    Parcel,
    own_module,
    own_modules,
    parcel_name,
)
from strategies.support.logs import logger_of

_log = logger_of("cluster")
T = TypeVar("T")

LOST: Final = (
    "the cluster lost the search, because it was closed, its scheduler ended, or the connection "
    "broke: connect and compute again"
)
AGAIN: Final = 5
"""How often all workers are asked again if some are lost before they answer."""
OFTEN: Final = 0.05
"""The seconds between checks for a reason to end a wait."""
TELLING: Final = 0.5
"""The seconds after which workers are told again that a run ends early."""
ENDING: Final = 5.0
"""The seconds after Ctrl-C within which partial results must arrive."""
RECENT: Final = 600.0
"""The seconds for which a worker that died counts as a reason for an error."""
KEPT: Final = 16
"""The parcels kept per client; they may be large, with the tables of a game."""


@frozen(eq=False)
class Delivered:
    """The things that a cluster has from a client, as long as the connection lasts."""

    parcels: dict[tuple[Any, ...], Parcel] = field(factory=dict)
    seconds: dict[Any, dict[int, float]] = field(factory=dict)
    """The seconds of searches of each number of plies, by game and depth."""


_delivered: WeakKeyDictionary[Any, Delivered] = WeakKeyDictionary()


def delivered(client: Any) -> Delivered:
    """Return what a client's cluster has from it; nothing after the connection broke."""
    if client.scheduler_comm is None:
        raise ClusterError(LOST)
    return _delivered.setdefault(client.scheduler_comm, Delivered())


def check_open(client: Any) -> None:
    """Check that a client is open.

    Raises: ClusterError, one line, if it was closed.
    """
    if client.status in ("closed", "closing"):
        raise ClusterError("the client was closed: connect and compute again")


def await_worker(client: Any, stop: Stop | None = None, seconds: float | None = None) -> None:
    """Wait, at most `seconds`, until a client's cluster has a worker.

    A task is submitted, because an adaptive cluster starts workers only for tasks.  If the client
    has lost its connection, the wait lasts as long as it tries to reconnect.
    Raises: `Stopped`; ClusterError, one line, if the client is closed or no worker came.
    """
    while client.status == "connecting":
        check_stop(stop)
        sleep(OFTEN)
    check_open(client)
    if not client.nthreads():
        gathered(client, [client.submit(len, "", pure=False)], stop, seconds)


def parcel_for(
    client: Any, values: tuple[Any, ...], checked: int | None = None, stop: Stop | None = None,
    seconds: float | None = None, warming: Any = None,
) -> Parcel:  # fmt: skip
    """Deliver the values that a run shares to all present and future workers, once per client.

    Code that workers lack, or have in another version, is shipped by value.  A cluster without
    workers is awaited for at most `seconds`.  The first `checked` values, by default all, must mean
    the same there; of the others, that is checked of code of a user's own only.  Each worker runs
    `warming` before it gets its first task; `warming.kinds` identifies it.
    Ensures: the workers have the values as long as the parcel and the client exist here.
    Raises: ClusterError, one line, if the client is closed, or a worker cannot load the values;
    `Stopped`.
    """
    from strategies.running.runtime.scheduler_side import Overseer
    from strategies.running.runtime.worker_side import Delivery, Heeding, warmed

    await_worker(client, stop, seconds)
    parcels, prints = delivered(client).parcels, [fingerprint(value) for value in values[:checked]]
    rest = () if checked is None else values[checked:]
    own = [own_fingerprint(value)[0] for value in rest]
    warm = None if warming is None else fingerprint(warming.kinds)
    # A parcel keeps its values, so that no others have their ids.
    kind = warm, *prints, *own, *map(id, rest)
    parcel = parcels.get(kind)
    if parcel is None:
        if not parcels:
            ask_workers(client, partial(client.register_plugin, Heeding()), stop)
            client.register_plugin(Overseer())
        while len(parcels) >= KEPT:
            del parcels[next(iter(parcels))]
        parcel = _shipped(client, values, (prints, own), stop)
        parcel.name = parcel_name(client.id, uuid.uuid4().hex)
        work, code = None, {}
        if warming is not None:  # one worker compiles, and the others get its machine code
            work = parcel.add(warming)
            key = f"warm-{uuid.uuid4().hex}", 0
            first = client.submit(warmed, parcel.content, work, key=key, pure=False)
            (code,) = gathered(client, [first], stop, seconds)
        delivery = Delivery(parcel.name, parcel.content, work, code)
        ask_workers(client, partial(client.register_plugin, delivery), stop)
        parcel.withdraw = leaving = finalize(parcel, _withdraw, ref(client), parcel.name)
        leaving.atexit = False
        parcels[kind] = parcel
    return parcel


def _withdraw(client: ref[Any], name: str) -> None:
    """Remove a parcel from all workers, without waiting."""
    known = client()
    if known is not None and known.status == "running":
        known.loop.add_callback(_withdrawn, known, name)


async def _withdrawn(client: Any, name: str) -> None:
    with suppress(Exception):  # a cluster that is gone needs no withdrawal
        await client.scheduler.unregister_worker_plugin(name=name)


def _shipped(
    client: Any, values: tuple[Any, ...], prints: tuple[list[str], list[str]], stop: Stop | None
) -> Parcel:  # fmt: skip
    """Pickle values so that all workers load them with the rules that they have here.

    The modules that workers lack are pickled by value; the module of a game whose rules differ
    there, too; and if they still differ, all of the user's own modules that the rules reach.
    """
    from strategies.running.runtime.worker_side import lacking

    modules: dict[str, Any] = {}
    whole, absent = len(prints[0]), set[str]()
    while True:
        parcel = Parcel(values, modules.values())
        if modules:
            prints = (
                [copied_fingerprint(value, absent)[0] for value in values[:whole]],
                [own_fingerprint(value, absent)[0] for value in values[whole:]],
            )
        try:
            given = parcel.content, prints, absent if modules else None
            told = ask_workers(client, partial(client.run, lacking, *given), stop)
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a worker lacks what Jamboree needs ({error}): install the same version of "
                "jamboree-search on all workers as in this process"
            ) from error
        faults = [(worker, *fault) for worker, fault in told.items() if fault]
        if not faults:
            return parcel
        worker, name, why, advice, _ = faults[0]
        failed = {name for *_, names in faults for name in names} - absent
        found = [own_module(name)] if name and name not in modules else []
        new = [module for module in found if module is not None]
        if why == DIFFER and not new and not failed:  # it is a module that the rules reach
            reached = own_modules(*map(reached_modules, values))
            new = [module for module in reached if module.__name__ not in modules]
        if not new and not failed:
            raise ClusterError(f"the worker {worker} cannot load the game ({why}): {advice}")
        for module in new:
            _log.info("the module %s is shipped to the workers by value: %s", module.__name__, why)
            modules[module.__name__] = module
        absent |= failed


def ask_workers(client: Any, question: Callable[[], Any], stop: Stop | None = None) -> Any:
    """Return the result of a call to all workers; repeat the call if one is lost meanwhile.

    Raises: `Stopped`, soon after `stop` is set, even if a worker is frozen.
    """
    from distributed.comm import CommClosedError

    async def ask() -> Any:
        return await question()  # a client's methods do not wait in its own thread

    for _ in range(AGAIN):
        try:
            return answered(client, ask(), partial(check_stop, stop))
        except CommClosedError:
            if client.status != "running":
                break
            sleep(OFTEN)  # until the scheduler notices the loss, too
    return answered(client, ask(), partial(check_stop, stop))


def answered(client: Any, asked: Coroutine[Any, Any, T], check: Callable[[], None]) -> T:
    """Return the result of a coroutine of a client's loop; call `check` often meanwhile.

    Ensures: the coroutine is cancelled if `check` fails, and at an interrupt.
    """
    import asyncio  # only clusters need it, and it takes long to load

    answer = asyncio.run_coroutine_threadsafe(asked, client.loop.asyncio_loop)
    try:
        while not wait([answer], OFTEN).done:
            check()
        return answer.result()
    finally:
        answer.cancel()


def check_stop(stop: Stop | None) -> None:
    """Raise `Stopped` if a stop is set."""
    if stop is not None and stop.is_set:
        raise Stopped("the search was stopped")


def gathered(
    client: Any, futures: list[Any], stop: Stop | None = None, seconds: float | None = None
) -> list[Any]:
    """Wait for futures, and return their results; without any worker, wait at most `seconds`.

    Unlike the client's own `gather`, it requests nothing before all results are there, so that an
    interrupt leaves no request open, about which Dask would print a warning.
    Raises: `Stopped`, soon after `stop` is set; ClusterError if there was no worker for so long;
    the error of a future, as soon as it fails.
    """
    come: SimpleQueue[Any] = SimpleQueue()
    for future in futures:
        future.add_done_callback(come.put)
    left, absence = len(futures), Absence(client, seconds)

    def check() -> None:
        check_stop(stop)
        absence.look()

    while left:
        check()
        left -= len(arrived(come, absence))
    # A result may be lost with its worker even now, and take as long again.
    found: list[Any] = answered(client, client._gather(futures), check)
    return found


def got(client: Any, graph: Any, keys: list[Any], **options: Any) -> list[Any]:
    """Return the values of keys of a graph as `Client.get` does, whose parameters these are, but by
    `gathered`, so that an interrupt or a cancelled coroutine leaves no request open.

    Raises: as `gathered`.
    """
    futures = client.get(graph, keys, sync=False, **options)
    try:
        with lent_thread(client):
            return gathered(client, futures, Stop(current_scope()))
    finally:
        for future in futures:
            future.release()


def ended(client: Any, futures: list[Any], run: str) -> list[Any]:
    """End the tasks of a run early, and return their results so far; None for each task that has
    not ended within `ENDING` seconds."""
    from strategies.running.runtime.worker_side import end_early

    limit, told, found = monotonic() + ENDING, -inf, list[Any]()
    while any(future.status == "pending" for future in futures) and monotonic() < limit:
        if monotonic() - told > TELLING:  # also workers that come meanwhile
            told = monotonic()
            tell_workers(client, end_early, run)
        sleep(OFTEN)
    for future in futures:
        value = None
        if future.status == "finished":
            with suppress(Exception):  # the worker does not answer
                value = future.result(max(limit - monotonic(), OFTEN))
        found.append(value)
    return found


def left_over(client: Any, run: str) -> dict[int, Any]:
    """Return the results that workers have kept for a client that was cut off, by task number.

    This waits until the client is connected again, and returns nothing if it stops trying.  Running
    tasks are ended early, and left out if they have not ended within `ENDING` seconds.
    """
    while client.status == "connecting":
        sleep(OFTEN)
    limit, found = monotonic() + ENDING, dict[int, Any]()
    while client.status == "running":
        with suppress(Exception):  # the client is cut off again
            found = client.sync(_left_over, client, run)
        if None not in found.values() or monotonic() > limit:
            break
        sleep(OFTEN)
    return {number: made for number, made in found.items() if made is not None}


async def _left_over(client: Any, run: str) -> dict[int, Any]:
    import asyncio  # only clusters need it, and it takes long to load

    from strategies.running.runtime.worker_side import results_here

    async def told(address: str) -> dict[int, Any]:
        with suppress(Exception):  # the worker is lost, or does not answer
            asking = client._run(results_here, run, workers=[address], on_error="ignore")
            answers: list[dict[int, Any]] = [*(await asyncio.wait_for(asking, ENDING)).values()]
            return answers[0]
        return {}

    addresses = await client.scheduler.ncores(workers=None)
    found: dict[int, Any] = {}
    for some in await asyncio.gather(*map(told, addresses)):
        found |= some
    return found


def tell_workers(
    client: Any, function: Callable[..., Any], *args: Any, workers: list[str] | None = None,
    **more: Any,
) -> None:  # fmt: skip
    """Have workers, or all of them, call a function, without waiting, because one may be frozen."""

    async def tell() -> None:
        with suppress(Exception):  # a cluster that is gone need not be told
            await client._run(function, *args, workers=workers, on_error="ignore", **more)

    client.loop.add_callback(tell)


def arrived(come: SimpleQueue[Any], watch: Absence | None = None) -> list[Any]:
    """Return the next finished future from the queue, in a list; an empty list if none comes soon.

    A result may be lost with its worker just after it was announced: another worker then computes
    it again, and the future comes back into the queue.
    Raises: ClusterError if the cluster has lost it; the error of its task.
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
            if watch is not None:
                watch.advanced()
            return [future]
    return []


@contextmanager
def lent_thread(client: Any) -> Iterator[None]:
    """Lend the thread of a cluster's task to other tasks inside the block, as `Client.get` does.

    Otherwise tasks that wait for others could take all threads.  Without a client, do nothing.
    """
    if client is None:
        yield
        return
    from distributed import rejoin, secede
    from distributed.worker import thread_state

    lent = False
    if getattr(thread_state, "key", False):
        with suppress(Exception):  # it is lent already
            secede()
            lent = True
    try:
        yield
    finally:
        if lent:
            rejoin()


@contextmanager
def waiting_on(client: Any) -> Iterator[None]:
    """Turn Dask's errors inside the block, about a lost cluster or dying workers, into one line;
    lend the thread if the block waits in a task of the cluster.

    Ensures: if workers died of a task, new ones get none of the client's parcels.
    Raises: ClusterError; any other error of the block.
    """
    from distributed.client import ClosedClientError, FutureCancelledError, FuturesCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        with lent_thread(client):
            yield
    except KilledWorker as error:
        parcels = delivered(client).parcels
        while parcels:  # each new worker may die as it loads one of them
            parcels.popitem()[1].withdraw()
        many = f"{error.allowed_failures + 1} workers died one after the other at the same part"
        raise ClusterError(f"{many} of the search; {_lost(client)}") from error
    except CommClosedError as error:
        raise ClusterError(_lost(client) if client.status == "running" else LOST) from error
    except (
        FutureCancelledError, FuturesCancelledError, ClosedClientError,
    ) as error:  # fmt: skip
        raise ClusterError(LOST) from error
    except (AttributeError, OSError, RuntimeError) as error:  # also if the client is closed
        if isinstance(error, JamboreeError) or client.status == "running":
            raise
        raise ClusterError(LOST) from error


def _lost(client: Any) -> str:
    """Return a sentence about the workers that died in the last minutes."""
    from strategies.running.runtime.scheduler_side import lost_since

    with suppress(Exception):  # the scheduler may be gone
        lost = client.run_on_scheduler(lost_since, RECENT)
        if lost:
            return told_of([worker for worker in lost if not worker.left] or [*lost])
    return LOST
