"""Run many independent pieces of work in parallel, and report each as soon as it is done."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final

from graphs.arguments import MOST_WORKERS, check_workers, shown
from graphs.errors import ArgumentError
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.process_pool import check_main, processes
from strategies.running.runtime.schedulers import chosen_scheduler, client_of

SCHEDULERS: Final = ("threads", "processes")


def batch_client(scheduler: Any, kinds: Iterable[str] = SCHEDULERS) -> Any:
    """Return the client on whose cluster a batch runs: the given one, or the current one if no
    scheduler is given; None for this machine.

    Raises: ValueError if `scheduler` is neither a client nor one of `kinds`.
    """
    if scheduler in kinds:
        return None
    chosen = chosen_scheduler(scheduler)
    known, client = scheduler is None, None
    try:
        client = client_of(chosen)
    except ValueError:  # unknown to Dask, whose message would list names not accepted here
        known = False
    if client is None and not known:
        there = ", ".join(kinds)
        raise ArgumentError(
            f"work runs in {there} or on a client's cluster, not in {shown(chosen)}"
        )
    return client


def run_batch(
    work: Callable[..., Any], todo: Mapping[Hashable, tuple[Any, ...]],
    done: Callable[[Hashable, Any], None], *, shared: tuple[Any, ...] = (),
    checked: int | None = None, workers: int | None = None, scheduler: Any = None,
    warming: Any = None,
) -> None:  # fmt: skip
    """Run ``work(*arguments)`` for each key of `todo`, as tasks of a Dask graph.

    With ``"threads"``, the ordered scheduler runs them in order.  With ``"processes"``, Dask's own
    scheduler does; work, arguments and results must then pickle, and Ctrl-C ends them at once.
    With a client, or the current one if no scheduler is given, its cluster runs them in bundles;
    `shared`, `checked` and `warming` are as for `run_on`.
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
        from strategies.running.runtime.cluster_batch import run_on

        run_on(
            client, work, todo.items(), done, shared=shared, checked=checked, warming=warming,
            at_once=workers,
        )  # fmt: skip
        return
    names = {("each", id(done), number): key for number, key in enumerate(todo)}
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
