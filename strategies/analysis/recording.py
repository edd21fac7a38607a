"""The graph of a search and the records of its run, put together."""

from __future__ import annotations

from strategies.analysis.dags import Dag, Key, Timed
from strategies.lowering import Graph
from strategies.records import Record
from strategies.result import Result


def recorded(result: Result) -> Dag:
    """The graph of a run, each task with the seconds that it recorded.

    Raises: ValueError if the result came without its search.
    Cost: the plan is made again.
    """
    graph = result.search().tasks()
    return joined(graph, result.records)


def joined(graph: Graph, records: tuple[Record, ...]) -> Dag:
    """A graph and the records of its run.

    Requires: the records are of this graph: one a task.
    """
    by_key = {r.key: r for r in records}
    number = {key: i for i, key in enumerate(graph)}
    used: set[Key] = set()
    tasks: list[Timed] = []
    for key, task in graph.items():
        after = tuple(sorted(number[d] for d in task.dependencies))
        mine = kind_of(key), key[1]
        found = by_key.get(mine)
        if found is not None:
            used.add(mine)
        tasks.append(Timed(mine, found.seconds if found else 0.0, after, found))
    left = [r for r in records if r.key not in used]
    if len(left) != 1 or tasks[-1].key[0] != "result":
        if left or any(t.record is None for t in tasks):
            raise ValueError("the records are not of this graph")
        return Dag(tuple(tasks))
    last = tasks[-1]._replace(seconds=left[0].seconds, record=left[0])
    return Dag((*tasks[:-1], last))


def kind_of(key: Key) -> str:
    """The kind of a graph's key: what stands before its token."""
    return key[0].rpartition("-")[0]
