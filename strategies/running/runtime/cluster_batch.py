"""Many independent pieces of work on a cluster: bundled by what they take, sent as they are due."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from math import ceil
from queue import SimpleQueue
from time import monotonic, perf_counter
from typing import Any, Final

from attrs import frozen

from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.delivery import (
    arrived,
    faults_told,
    parcel_for,
    warm_workers,
)

GRAIN: Final = 0.05
"""Seconds that a bundle should take at least, ten times what its task costs."""
AHEAD: Final = 2
"""Bundles sent for each thread: while it does one, the next is there."""
COUNTED: Final = 1.0
"""Seconds between counts of the threads: workers join and leave."""

Piece = tuple[Hashable, tuple[Any, ...]]


@frozen(eq=False)
class Pieces:
    """Some pieces of work, done in order by one task."""

    work: Callable[..., Any]
    arguments: tuple[tuple[Any, ...], ...]

    def __call__(self) -> tuple[list[Any], float]:
        """Return what each piece made, and the seconds of all."""
        start, scope, made = perf_counter(), current_scope(), []
        for given in self.arguments:
            if scope.is_set:
                raise Stopped("the work was stopped")
            made.append(self.work(*given))
        return made, perf_counter() - start


def run_on(
    client: Any, work: Callable[..., Any], todo: Iterable[Piece],
    done: Callable[[Hashable, Any], None], *, shared: tuple[Any, ...], checked: int | None = None,
    warming: Any = None, at_once: int | None = None, stop: Stop | None = None,
) -> None:  # fmt: skip
    """Run ``work(*arguments)`` for each piece, a key and its arguments, on a client's cluster.

    `shared` is what many arguments hold, the game first of all: it is shipped once; of so many of
    these values as are `checked`, workers must have the rules that are here.  `todo` is read as
    bundles are made of it, of `GRAIN` seconds and more by what those before took; `at_once` limits
    how many bundles are under way.
    Ensures: ``done(key, result)`` is called once a key, in this thread, as soon as it is known.
    When this ends, however it ends, workers give up what they do for it.
    Raises: ClusterError, one line; what work or `done` raises; `Stopped`, soon after `stop` is set.
    """
    from strategies.running.runtime.worker_side import serve

    with faults_told(client):
        parcel = parcel_for(client, shared, checked, stop)
        if warming is not None:
            warm_workers(client, parcel, warming)
    run, left, number = uuid.uuid4().hex, iter(todo), 0
    sent: dict[Any, list[Hashable]] = {}
    come: SimpleQueue[Any] = SimpleQueue()
    pace, threads, counted, absence = 0.0, 0, -COUNTED, Absence(client)
    with faults_told(client):
        common = client.submit(_same, parcel.content, key=(f"common-{run}", 0), pure=False)
        try:
            while True:
                if monotonic() - counted >= COUNTED:
                    threads, counted = sum(client.nthreads().values()), monotonic()
                most = min(AHEAD * max(1, threads), at_once or AHEAD * threads or 1)
                while len(sent) < most:
                    size = max(1, ceil(GRAIN / pace)) if pace else 1
                    bundle = list(islice(left, size))
                    if not bundle:
                        break
                    pieces = Pieces(work, tuple(given for _, given in bundle))
                    future = client.submit(
                        serve, run, common, parcel.add(pieces), key=(f"work-{run}", number),
                        pure=False, priority=-number,
                    )  # fmt: skip
                    number += 1
                    sent[future] = [key for key, _ in bundle]
                    future.add_done_callback(come.put)
                if not sent:
                    return
                absence.look()
                if stop is not None and stop.is_set:
                    raise Stopped("the work was stopped")
                for future in arrived(come):
                    made, seconds = future.result()
                    pace = seconds / len(made) if not pace else 0.5 * (pace + seconds / len(made))
                    for key, result in zip(sent.pop(future), made, strict=True):
                        done(key, result)
        finally:
            if client.status == "running":
                client.cancel([*sent, common], force=True)


def _same(value: Any) -> Any:
    return value
