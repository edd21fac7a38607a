"""Two processes of a cluster against two threads: what does communication cost?

    python -m benchmarks cluster             # all parts: more than ten minutes
    python -m benchmarks.cluster PART …      # some: minimax expectimax riskless connect_four
                                             #       par_list par_list_chunk task

Each search runs on a `LocalCluster` of two processes of one thread, in turn with the same search on
two threads.  The workers do not profile their threads a hundred times a second, which is Dask's
default.  The last figures are the processor time per task of a scheduler in a separate process,
beside that of Dask alone on a graph of the same shape.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from time import perf_counter, process_time, sleep
from typing import Any

from benchmarks.finding import Finding, Skipped, seconds
from benchmarks.measure import interleaved, ratio
from benchmarks.usage import own_arguments

JOINT = "seq.joined()"
"""All workers make each iteration together, which needs one machine."""
BROTHERS = "young_brothers_wait.everywhere.joined()"
"""Large iterations are many tasks."""


def parts(client: Any, quick: bool) -> dict[str, Callable[[], Finding]]:
    """Return the parts that use one cluster, by name."""
    return {
        "minimax": lambda: search_of(
            client, "connect_four", f"minimax(depth={5 if quick else 11})", 3, quick
        ),
        "expectimax": lambda: search_of(
            client, "twenty48", f"expectimax(depth={3 if quick else 8})", 2, quick
        ),
        "riskless": lambda: deepened(
            client, JOINT, "riskless:continents", "", 6 if quick else 16, quick
        ),
        "connect_four": lambda: deepened(
            client, JOINT, "connect_four(pairs=1)", "4444", 9 if quick else 21, quick
        ),
        "tasks": lambda: deepened(
            client, BROTHERS, "connect_four(pairs=1)", "4444", 9 if quick else 21, quick
        ),
        "par_list": lambda: batch(client, "par_list", quick),
        "par_list_chunk": lambda: batch(client, "par_list_chunk(10)", quick),
    }


def run(quick: bool, names: Collection[str] = ()) -> list[Finding]:
    """Return the parts of these names, or all."""
    os.environ["DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"] = "False"  # read by new processes
    with cluster() as client:
        known = parts(client, quick)
        unknown = set(names) - {*known, "task"}
        if unknown:
            raise SystemExit(f"no part {min(unknown)}; there are {', '.join((*known, 'task'))}")
        found = [part() for name, part in known.items() if not names or name in names]
    return found if names and "task" not in names else [*found, *a_task(quick)]


@contextmanager
def cluster() -> Iterator[Any]:
    """Return a client of two processes of one thread."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise Skipped("it needs distributed") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as here,
            # by its address, so that the scheduler has a thread of its own
            Client(here.scheduler_address, set_as_default=False) as client,
        ):
            yield client


@contextmanager
def apart() -> Iterator[Any]:
    """Return a client of two such processes whose scheduler has a process of its own."""
    from distributed import Client, SubprocessCluster

    none = {"dashboard_address": ":0"}
    with (
        SubprocessCluster(
            n_workers=2, worker_kwargs={"nthreads": 1}, scheduler_kwargs=none
        ) as here,
        Client(here, set_as_default=False) as client,
    ):
        client.wait_for_workers(2)
        yield client


def search_of(client: Any, game: str, algorithm: str, plies: int, quick: bool) -> Finding:
    """Measure one search on both."""
    from games import find_game
    from strategies import par_list, parse_algorithm, search

    answer: Any = search(find_game(game), parse_algorithm(algorithm), using=par_list.to_ply(plies))
    there, here = {"scheduler": client}, {"num_workers": 2}
    a, b = answer.compute(**there), answer.compute(**here)
    assert (a.value, a.move, a.nodes, a.sparks) == (b.value, b.move, b.nodes, b.sparks)
    rows = interleaved(
        lambda: answer.compute(**there), lambda: answer.compute(**here), rounds=1 if quick else 3,
        least=0,
    )  # fmt: skip
    return finding(
        f"{game}, {algorithm}, `par_list.to_ply({plies})`", 0.9, rows, f"{a.nodes:,} nodes"
    )


def deepened(client: Any, strategy: str, name: str, moves: str, depth: int, quick: bool) -> Finding:
    """Measure a search that deepens, as a row of graphs, on both."""
    from games import find_game
    from strategies import parse_strategy, pvs, search

    game: Any = find_game(name)
    state = game.parse_state(moves) if moves else game.start()
    using = parse_strategy(strategy)
    answer: Any = search(game, pvs(depth, table="64MB"), state=state, using=using)
    there, here = {"scheduler": client}, {"num_workers": 2}
    a, b = answer.compute(**there), answer.compute(**here)
    assert (a.value, a.move) == (b.value, b.move)
    rows = interleaved(
        lambda: answer.compute(**there), lambda: answer.compute(**here), rounds=1 if quick else 3,
        least=0,
    )  # fmt: skip
    what = f"{name}{' after ' + moves if moves else ''}, `pvs(depth={depth})`, `{using!r}`"
    return finding(what, 0.7, rows, f"{a.nodes:,} nodes, {a.nodes / b.nodes:.2f} of two threads'")


def batch(client: Any, using: str, quick: bool) -> Finding:
    """Measure many positions, each a separate search, evaluated as one value."""
    from games import ConnectFour
    from strategies import alphabeta, parse_strategy, search
    from strategies import using as evaluated

    game, many = ConnectFour(), 20 if quick else 1000
    positions = list(after(game, 6, many))
    depth = 4 if quick else 11
    made = evaluated(
        [search(game, alphabeta(depth), state=s) for s in positions], parse_strategy(using)
    )
    rows = interleaved(
        lambda: made.compute(scheduler=client),
        lambda: made.compute(scheduler="threads", num_workers=2),
        rounds=1 if quick else 3, least=0,
    )  # fmt: skip
    what = f"Connect Four, {len(positions):,} positions, alphabeta(depth={depth}), `{using}`"
    each = seconds(2 * min(rows[1]) / len(positions))
    return finding(what, 0.95, rows, f"positions of {each}")


def after(game: Any, plies: int, many: int) -> Iterator[Any]:
    """Return positions in play after random moves."""
    from games import Status

    deal = random.Random(1)
    found = 0
    while found < many:
        state = game.start()
        for _ in range(plies):
            state = game.make_move(state, deal.choice(list(game.moves(state))))
        if game.status(state) is Status.IN_PLAY:
            found += 1
            yield state


def finding(name: str, bar: float, rows: list[list[float]], work: str) -> Finding:
    there, here = rows
    return Finding(
        f"{name}: two processes of a cluster", ratio(there, here), bar, "two threads", work,
        seconds(min(there)), seconds(min(here)),
    )  # fmt: skip


def a_task(quick: bool) -> Iterator[Finding]:
    """Return the scheduler's processor time a task: bundles of one search, and Dask's own tasks.

    Dask's graph has the shape of ours, and a name a layer, as its collections have: the scheduler
    holds back the tasks of the first layer, which wait for nothing, and sends one as a worker gets
    free.  Its tasks do the same work or none.  In a last graph the empty tasks have a single name,
    and the scheduler sends them at once.  What the scheduler does in the same time without any task
    is subtracted.
    """
    from dask.task_spec import Task, TaskRef

    from benchmarks.tasks import Uniform, nothing
    from strategies import minimax, par_list, plan
    from strategies.running.plans import on_cluster
    from strategies.running.plans.bundling import bundled
    from strategies.running.plans.lowering import lower_fold
    from strategies.running.runtime.delivery import parcel_for

    width, plies = (5, 2) if quick else (11, 3)
    made = plan(Uniform(width), minimax(plies), par_list.to_ply(plies), engine="interpreted")
    graph, wanted = lower_fold(made, "t")
    bundles = bundled(graph, wanted, lambda t: float("spark" in t.key[0]), 0.0)

    def spent(client: Any, work: Callable[[], object], regular: float = 0.0) -> tuple[float, float]:
        """Return the processor time of the scheduler, without its regular part, and the seconds."""
        before, start = client.run_on_scheduler(process_time), perf_counter()
        work()
        took = perf_counter() - start
        return float(client.run_on_scheduler(process_time) - before) - regular * took, took

    def idle(client: Any) -> float:
        """Return the part of a processor that a scheduler takes with nothing to do."""
        time, took = spent(client, lambda: sleep(0.1 if quick else 2))
        return time / took

    def ours(client: Any) -> Callable[[], object]:
        run = f"{random.random()}"
        parcel = parcel_for(client, (made.game, made.algorithm))
        tasks, keys = on_cluster._tasks(run, bundles, wanted, parcel)
        return lambda: client.gather(on_cluster.send(client, run, tasks, keys))

    def theirs(client: Any, *, layered: bool, empty: bool = True) -> Callable[[], object]:
        run, names = f"{random.random()}", ("search", "merge" if layered else "search")
        keys = [(f"{names[bool(b.needs)]}-{run}", n) for n, b in enumerate(bundles)]
        tasks = {
            key: Task(key, nothing if empty else b.run, *(TaskRef(keys[n]) for n, _ in b.needs))
            for key, b in zip(keys, bundles, strict=True)
        }
        last = next(k for k, b in zip(keys, bundles, strict=True) if set(b.gives) & set(wanted))
        return lambda: client.get(tasks, last)

    rows: list[list[float]] = []
    with apart() as client:
        for _ in range(2 if quick else 21):
            regular = idle(client)
            work = (
                ours(client),
                theirs(client, layered=True, empty=False),
                theirs(client, layered=True),
                theirs(client, layered=False),
            )
            rows.append([spent(client, each, regular)[0] / len(bundles) for each in work])
    rows = rows[1:]  # the first time the scheduler imports what it reads
    mine, *others = (list(row) for row in zip(*rows, strict=True))
    anchors = "Dask alone", "Dask alone, empty tasks", "Dask alone, empty tasks of one name"
    for other, anchor in zip(others, anchors, strict=True):
        yield Finding(
            "a task of a cluster: the scheduler's processor", 1 / ratio(mine, other), 1.0, anchor,
            f"{len(bundles):,} tasks", f"{seconds(min(mine))} a task",
            f"{seconds(min(other))} a task", at_most=True,
        )  # fmt: skip


if __name__ == "__main__":
    for found in run(False, own_arguments(__doc__)):
        print(found.row())
