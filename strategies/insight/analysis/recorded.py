"""The graph of a search and the records of its run, put together."""

from __future__ import annotations

from strategies.insight.analysis.task_dag import Dag, Key, Timed
from strategies.running.plans.conclude import by_task
from strategies.running.plans.lowering import Graph
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.record import Record
from strategies.running.records.run import Run


def recorded(result: Run) -> Dag:
    """The graph of a run, each task with the seconds that it recorded.

    Raises: ValueError if the result came without its search.
    Cost: the plan is made again.
    """
    return joined(graph_of(result.request).tasks(), result.records)


def joined(graph: Graph, records: tuple[Record, ...]) -> Dag:
    """A graph and the records of its run.

    Raises: ValueError if they are not one a task.
    """
    found = by_task(graph, records)
    if len(found) != len(graph) or len(records) != len(graph):
        raise ValueError("the records are not those of this graph's tasks, one each")
    number = {key: i for i, key in enumerate(graph)}
    return Dag(
        tuple(
            Timed(
                (kind_of(key), key[1]),
                found[key].seconds,
                tuple(sorted(number[d] for d in task.dependencies)),
                found[key],
            )
            for key, task in graph.items()
        )
    )


def kind_of(key: Key) -> str:
    """The kind of a graph's key: what stands before its token."""
    return key[0].rpartition("-")[0]
