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
from strategies.running.runtime.delivery import arrived, faults_told, parcel_for

GRAIN: Final = 0.05
"""Seconds that a bundle should take at least, ten times what its task costs."""
LONGEST: Final = 0.5
"""Seconds that a bundle takes where much is left to do, and no single result is waited for."""
EACH: Final = 8
"""A bundle is no more than such a part of what is left for a thread: so that all end together."""
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
    many: int | None = None,
) -> None:  # fmt: skip
    """Run ``work(*arguments)`` for each piece, a key and its arguments, on a client's cluster.

    `shared` is what many arguments hold, the game first of all: it is shipped once; of so many of
    these values as are `checked`, workers must have the rules that are here.  `todo` is read as
    bundles are made of it, of `GRAIN` seconds and more by what those before took; `at_once` limits
    how many bundles are under way.  `many` says how many pieces there are, where only all results
    together are of use: bundles are then longer, and get smaller towards the end.
    Ensures: ``done(key, result)`` is called once a key, in this thread, as soon as it is known.
    When this ends, however it ends, workers give up what they do for it.
    Raises: ClusterError, one line; what work or `done` raises; `Stopped`, soon after `stop` is set.
    """
    from strategies.running.runtime.worker_side import serve

    with faults_told(client):
        parcel = parcel_for(client, shared, checked, stop, warming=warming)
    run, left, number = uuid.uuid4().hex, iter(todo), 0
    begun = 0
    sent: dict[Any, list[Hashable]] = {}
    come: SimpleQueue[Any] = SimpleQueue()
    pace, threads, counted, absence = 0.0, 0, -COUNTED, Absence(client)
    with faults_told(client):
        try:
            while True:
                if monotonic() - counted >= COUNTED:
                    threads, counted = sum(client.nthreads().values()), monotonic()
                most = min(AHEAD * max(1, threads), at_once or AHEAD * threads or 1)
                while len(sent) < most:
                    unsent = 0 if many is None else max(0, many - begun)
                    bundle = list(islice(left, bundle_size(pace, unsent, threads)))
                    if not bundle:
                        break
                    pieces = Pieces(work, tuple(given for _, given in bundle))
                    future = client.submit(
                        serve, run, parcel.name, parcel.add(pieces), key=(f"work-{run}", number),
                        pure=False, priority=-number,
                    )  # fmt: skip
                    number, begun = number + 1, begun + len(bundle)
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
                client.cancel([*sent], force=True)


def bundle_size(pace: float, unsent: int, threads: int) -> int:
    """Return how many pieces make the next bundle.

    `pace` is the seconds of a piece, 0 before any is known; `unsent` how many pieces are left, 0
    where that is not known.
    Ensures: a bundle takes at least about `GRAIN`; where more is left, a part of it, and `LONGEST`
    at most, unless one piece takes longer.

    >>> bundle_size(0, 1000, 2), bundle_size(0.02, 0, 2), bundle_size(2, 1000, 2)
    (1, 3, 1)
    >>> [bundle_size(0.02, unsent, 2) for unsent in (1000, 320, 160, 16)]
    [25, 20, 10, 3]
    """
    if not pace:
        return 1
    part = unsent * pace / (EACH * max(1, threads))
    return max(1, ceil(max(GRAIN, min(part, LONGEST)) / pace))
