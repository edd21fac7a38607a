"""Replay on a cluster: the recorded tasks of a run, bundled and scheduled on virtual workers."""

from __future__ import annotations

from graphlib import TopologicalSorter

from graphs.arguments import MOST_WORKERS, check_integers, check_kind
from graphs.errors import ArgumentError
from strategies.insight.analysis.recorded import check_recorded, joined
from strategies.insight.analysis.simulation import (
    Burden,
    Placed,
    Simulation,
    schedule_recorded,
    simulation,
)
from strategies.running.plans.bundling import bundled, grain_for
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.search_run import SearchRun

DASK = Burden(task=2e-3, dispatch=4e-4, latency=1e-2)
"""The overhead of Dask's scheduler with machines in one network: per task for a worker and for the
scheduler, and the latency from a worker to the scheduler and on to a worker."""


def replay_on_cluster(result: SearchRun, workers: int, burden: Burden = DASK) -> Simulation:
    """Schedule the recorded tasks of a run on the threads of a cluster, in bundles as used there.

    Like `replay`, this is correct for fixed windows, and most accurate for a run on one worker.

    Raises: ArgumentError if the result does not know its search, or is that of a driver or of a row
    of graphs.
    Cost: the plan is made again; no search.

    >>> from games import TicTacToe
    >>> from strategies import minimax, par_list, search
    >>> answer = search(TicTacToe(), minimax(5), using=par_list.to_ply(3), engine="interpreted")
    >>> once = answer.compute(num_workers=1)
    >>> many = replay_on_cluster(once, 200)
    >>> many.result.value == once.value, len(many.result.records) == len(once.records)
    (True, True)
    """
    check_integers(1, MOST_WORKERS, workers=workers)
    check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    if result.graphs:
        raise ArgumentError(
            "replay_on_cluster takes no search that deepens: its graphs are planned one after the "
            "other, and bundled differently on a cluster. Use replay(result, workers), or a run of "
            "minimax or alphabeta without a table"
        )
    check_recorded(result)
    graph = graph_of(result.request).tasks()
    dag = joined(graph, result.records)
    seconds = {
        key: 0.0 if t.record is None or t.record.role == "fold" else t.seconds
        for key, t in zip(graph, dag.tasks, strict=True)
    }
    grain = grain_for(sum(seconds.values()), workers)
    made = bundled(graph, [next(reversed(graph))], lambda task: seconds[task.key], grain)
    order = list(TopologicalSorter({n: [m for m, _ in b.needs] for n, b in enumerate(made)})
                 .static_order())  # fmt: skip
    place = {n: i for i, n in enumerate(order)}
    after = [tuple(place[m] for m, _ in made[n].needs) for n in order]
    numbers = {key: i for i, key in enumerate(graph)}
    members = [[numbers[task.key] for task in made[n].tasks] for n in order]
    sums = [sum(dag.tasks[number].seconds for number in row) for row in members]
    placed = schedule_recorded(after, sums, workers, burden)
    each: dict[int, Placed] = {}
    for whole, tasks in zip(placed, members, strict=True):
        begin = whole.start
        for number in tasks:
            end = begin + dag.tasks[number].seconds
            each[number] = Placed(begin, end, whole.worker)
            begin = end
    records = [t.record for t in dag.tasks if t.record is not None]
    rows = [each[i] for i in range(len(dag.tasks))]
    return simulation(result, dag, records, rows, workers, burden)
