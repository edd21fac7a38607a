"""What a client's cluster is given before it works: the game, once, and warm workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

from attrs import field, frozen

from strategies.native.fingerprint import fingerprint
from strategies.running.runtime.shipping import ClusterError, Parcel, own_module
from strategies.support.logs import logger_of

_log = logger_of("cluster")

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


def parcel_for(client: Any, values: tuple[Any, ...], checked: int | None = None) -> Parcel:
    """Pickle what a run shares, once a client, so that all workers can load it: what they lack goes
    by value.

    `checked` is of how many values, all unless it is said, the rules must be those that are here;
    the others are known again by being the same objects.
    Raises: ClusterError, one line, if the client is closed, or a worker cannot load them.
    """
    from strategies.running.runtime.worker_side import Heeding

    if client.status in ("closed", "closing"):
        raise ClusterError("the client was closed: connect again, and compute again")
    parcels, prints = delivered(client).parcels, [fingerprint(value) for value in values[:checked]]
    rest = () if checked is None else values[checked:]
    kind = (*prints, *map(id, rest))  # a parcel keeps its values: no other gets the number of one
    parcel = parcels.get(kind)
    if parcel is None:
        while len(parcels) >= KEPT:
            del parcels[next(iter(parcels))]
        parcel = parcels[kind] = _shipped(client, values, prints)
        client.register_plugin(Heeding())
    return parcel


def warm_workers(client: Any, parcel: Parcel, warming: Any) -> None:
    """Have each worker of now and later do something before it gets its first task, once a client;
    the `kinds` of `warming` tell what that is."""
    from strategies.running.runtime.worker_side import Warming

    name = f"jamboree-{fingerprint(warming.kinds)}"
    if name not in delivered(client).warmed:
        client.register_plugin(Warming(name, parcel.content, parcel.add(warming)))
        delivered(client).warmed.add(name)


def _shipped(client: Any, values: tuple[Any, ...], prints: list[str]) -> Parcel:
    from strategies.running.runtime.worker_side import lacking

    modules: dict[str, Any] = {}
    while True:
        parcel = Parcel(values, modules.values())
        try:
            told = client.run(lacking, parcel.content, [] if modules else prints)
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


@contextmanager
def faults_told() -> Iterator[None]:
    """In the block, what Dask says of a cluster that is gone, or whose workers die, is told in one
    line.

    Raises: ClusterError; what the block raises.
    """
    from distributed.client import FutureCancelledError, FuturesCancelledError
    from distributed.scheduler import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"{error.allowed_failures + 1} workers died one after the other at the same part of "
            "the search: look into their logs; often their memory is too small"
        ) from error
    except (FutureCancelledError, FuturesCancelledError) as error:
        raise ClusterError(
            "the cluster lost the search, as it was closed, its scheduler ended or the connection "
            "to it broke: connect again, and compute again"
        ) from error
