"""Run many independent pieces of work in parallel, here or on a cluster; report each when done."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from itertools import islice
from math import ceil
from queue import SimpleQueue
from time import monotonic, perf_counter
from typing import Any, Final

from attrs import frozen

from graphs.arguments import MOST_WORKERS, check_workers, shown
from graphs.errors import ArgumentError
from graphs.limits import BATCH_SECONDS
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.absence import Absence
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.delivery import (
    arrived,
    check_stop,
    got,
    parcel_for,
    waiting_on,
)
from strategies.running.runtime.process_pool import check_main, processes
from strategies.running.runtime.schedulers import (
    chosen_scheduler,
    client_of,
    connect_hint,
    waiting_client,
    workers_of,
)
from strategies.running.runtime.shipping import Content, Parcel

SCHEDULERS: Final = ("threads", "processes")


def batch_client(scheduler: Any, kinds: Iterable[str] = SCHEDULERS) -> Any:
    """Return the client on whose cluster a batch runs: the given one, or the current one if no
    scheduler is given; None for this machine.

    Raises: ValueError if `scheduler` is neither a client nor one of `kinds`; ClusterError for an
    asynchronous client.
    """
    if scheduler in kinds:
        return None
    chosen = chosen_scheduler(scheduler)
    known, client = scheduler is None, None
    try:
        client = waiting_client(chosen)
    except ValueError:  # unknown to Dask, whose message would list names not accepted here
        known = False
    if client is None and not known:
        there = ", ".join(kinds)
        raise ArgumentError(
            f"work runs in {there} or on a client's cluster, not in {shown(chosen)}"
            f"{connect_hint(chosen)}"
        )
    return client


def compute_delayed(value: Any, scheduler: Any, options: Mapping[str, Any]) -> Any:
    """Compute a `Delayed` by Dask; in the order of its graph if neither the options nor Dask's
    configuration chooses more than a number of workers.

    Raises: ClusterError, one line, for an asynchronous client; what a call raises.
    """
    import dask
    from dask.delayed import Delayed

    chosen = chosen_scheduler(scheduler) or dask.config.get("pool", None)
    if chosen is None and not options.keys() - {"num_workers"}:
        workers = workers_of(workers=options.get("num_workers"))
        return runner.get(value.__dask_graph__(), value.key, num_workers=workers)
    client = client_of(chosen)
    if client is not None:
        scheduler = partial(got, client)
    return Delayed.compute(value, scheduler=scheduler, **options)


def run_batch(
    work: Callable[..., Any], todo: Mapping[Hashable, tuple[Any, ...]],
    done: Callable[[Hashable, Any], None], *, shared: tuple[Any, ...] = (),
    checked: int | None = None, workers: int | None = None, scheduler: Any = None,
    warming: Any = None,
) -> None:  # fmt: skip
    """Run ``work(*arguments)`` for each key of `todo`, as tasks of a Dask graph.

    With ``"threads"``, the ordered scheduler runs them in order.  With ``"processes"``, Dask's own
    scheduler does; work, arguments and results must then pickle, Ctrl-C ends them at once, and each
    process unpickles what is `shared` once.  With a client, or the current one if no scheduler is
    given, its cluster runs them in bundles; `shared`, `checked` and `warming` are as for `run_on`.
    Ensures: ``done(key, result)`` is called once per key, one at a time, as soon as it is known.
    Raises: ValueError unless `workers` is a positive integer; any error of `work` or `done`, and
    KeyboardInterrupt, after running work has been stopped.

    >>> found = {}
    >>> run_batch(pow, {"a": (2, 3), "b": (3, 2)}, found.__setitem__, workers=1)
    >>> found
    {'a': 8, 'b': 9}
    """
    from dask.callbacks import Callback
    from dask.task_spec import Task

    check_workers(MOST_WORKERS, num_workers=workers)
    client = batch_client(scheduler)
    if scheduler == "processes":
        check_main()
    if not todo:
        return
    if client is not None:
        run_on(
            client, work, todo.items(), done, shared=shared, checked=checked, warming=warming,
            at_once=workers,
        )  # fmt: skip
        return
    names = {("each", id(done), number): key for number, key in enumerate(todo)}
    if scheduler == "processes":  # Dask's pickles leave out the files that rules are compiled from
        parcel = Parcel(shared)
        pieces = {name: parcel.add((work, todo[key])) for name, key in names.items()}
        graph = {n: Task(n, _read_and_run, parcel.content, piece) for n, piece in pieces.items()}
    else:
        graph = {name: Task(name, work, *todo[key]) for name, key in names.items()}

    def after(name: Any, value: Any, *_: Any) -> None:
        if name in graph:  # Dask's callbacks are also called for searches inside the work
            done(names[name], value)

    with Callback(posttask=after):
        if scheduler != "processes":
            runner.get(graph, list(graph), num_workers=workers)
        else:
            from dask import config
            from dask.multiprocessing import get
            from dask.system import CPU_COUNT

            most = workers or config.get("num_workers", None) or CPU_COUNT
            with processes(min(len(graph), most)) as pool:
                get(graph, list(graph), pool=pool, chunksize=1, optimize_graph=False)


def _read_and_run(content: Content, piece: bytes) -> Any:
    """Run a piece of work in a process that got it pickled, and what it shares with others."""
    work, arguments = content.read(piece)
    return work(*arguments)


GRAIN: Final = 0.05
"""The least seconds of a bundle: ten times the cost of its task."""
EACH: Final = 8
"""A bundle is at most this fraction of the remaining work per thread, so that all end together."""
AHEAD: Final = 2
"""The bundles sent per thread: while one runs, the next is already there."""
COUNTED: Final = 1.0
"""The seconds between counts of the threads, because workers join and leave."""

Piece = tuple[Hashable, tuple[Any, ...]]


@frozen(eq=False)
class Pieces:
    """A bundle: pieces of work that one task does in order."""

    work: Callable[..., Any]
    arguments: tuple[tuple[Any, ...], ...]

    def __call__(self) -> tuple[list[Any], float]:
        """Return the results of all pieces, and their total seconds."""
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

    `shared` are values that many arguments contain, the game first, and all that have code of a
    user's own; they are shipped once.  `checked` is as for `parcel_for`.  `todo` is read as
    bundles are formed, which take `GRAIN` seconds or more, estimated from earlier ones; `at_once`
    limits the bundles in flight.  `many` is the number of pieces if only all results together
    matter: bundles are then longer, and become shorter towards the end.
    Ensures: ``done(key, result)`` is called once per key, in this thread, as soon as it is known.
    However this function ends, the workers abandon its remaining work.
    Raises: ClusterError, one line; any error of `work` or `done`; `Stopped`, soon after `stop` is
    set.
    """
    from strategies.running.runtime.worker_side import serve

    run, left, number = uuid.uuid4().hex, iter(todo), 0
    begun = 0
    sent: dict[Any, list[Hashable]] = {}
    come: SimpleQueue[Any] = SimpleQueue()
    pace, threads, counted = 0.0, 0, -COUNTED
    with waiting_on(client):
        parcel = parcel_for(client, shared, checked, stop, warming=warming)
        absence = Absence(client)
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
                check_stop(stop)
                for future in arrived(come, absence):
                    made, seconds = future.result()
                    pace = seconds / len(made) if not pace else 0.5 * (pace + seconds / len(made))
                    for key, result in zip(sent.pop(future), made, strict=True):
                        done(key, result)
        finally:
            if client.status == "running":
                client.cancel([*sent], force=True)


def bundle_size(pace: float, unsent: int, threads: int) -> int:
    """Return the number of pieces in the next bundle.

    `pace` is the seconds per piece, 0 if unknown; `unsent` is the number of remaining pieces, 0 if
    unknown.
    Ensures: a bundle takes at least about `GRAIN`; if more is left, a fraction of it, but at most
    `BATCH_SECONDS`, unless a single piece takes longer.

    >>> bundle_size(0, 1000, 2), bundle_size(0.02, 0, 2), bundle_size(2, 1000, 2)
    (1, 3, 1)
    >>> [bundle_size(0.02, unsent, 2) for unsent in (1000, 320, 160, 16)]
    [25, 20, 10, 3]
    """
    if not pace:
        return 1
    part = unsent * pace / (EACH * max(1, threads))
    return max(1, ceil(max(GRAIN, min(part, BATCH_SECONDS)) / pace))
