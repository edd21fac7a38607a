"""The recorded graph of a run: each task of the search with its duration and its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from attrs import frozen

from graphs.arguments import check_kind
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Driver
from strategies.running.plans.lowering import Graph
from strategies.running.plans.search_graph import graph_of
from strategies.running.records.record import Record, RecordKey, by_task
from strategies.running.records.search_run import GraphRecord, SearchRun


def recorded(result: SearchRun) -> Dag:
    """Return the graph of a run, each task with the seconds that it recorded.

    Raises: ValueError if the result does not know its search.
    Cost: the plan is made again.
    """
    check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    check_recorded(result)
    if result.graphs:
        return in_a_row(result.graphs, result.records)
    return joined(graph_of(result.request).tasks(), result.records)


def check_recorded(result: SearchRun) -> None:
    """Raise ArgumentError for the run of a driver, whose threads are not tasks of a graph."""
    if isinstance(result.using, Driver):
        raise ArgumentError(
            f"the threads of {result.using!r} are not tasks that can be scheduled again: replay a "
            "search under a strategy"
        )


def in_a_row(graphs: Sequence[GraphRecord], records: Sequence[Record]) -> Dag:
    """Join the graphs of a row into one: each starts when the last task of the one before ends.

    A join counts as a task that waits for the same tasks as the one that was joined, which it
    precedes, and that no task waits for.

    Raises: ValueError unless there is one record per task.
    """
    known = {(r.graph, r.key): r for r in records}
    alone = {r.graph: r for r in records if r.role != "join"}
    joins: dict[RecordKey, list[Record]] = {}
    for r in records:
        if r.role == "join":
            joins.setdefault((r.graph, r.key), []).append(r)
    tasks: list[Timed] = []
    for graph in graphs:
        last = (len(tasks) - 1,) if tasks else ()
        numbers: list[int] = []
        for key, waits in graph.waits:
            single = len(graph.waits) == 1  # only the root, whose record has a special place
            found = alone.get(graph.number) if single else known.get((graph.number, key))
            if found is None:
                raise ArgumentError("the records do not match the tasks of these graphs")
            before = tuple(numbers[i] for i in waits) or last
            if found.role in ("spark", "step"):
                for join in joins.pop((graph.number, ("join", found.key[1])), ()):
                    tasks.append(Timed(join.key, join.seconds, before, join))
            numbers.append(len(tasks))
            tasks.append(Timed(key, found.seconds, before, found))
    return Dag(tuple(tasks))


def joined(graph: Graph, records: tuple[Record, ...]) -> Dag:
    """Join a graph and the records of its run.

    Raises: ValueError unless there is one record per task.
    """
    found = by_task(graph, records)
    if any(r.reason == "grown" for r in records):
        raise ArgumentError(
            "tasks were divided while they ran, so the graph of the plan is not that of the run"
        )
    if len(found) != len(graph) or len(records) != len(graph):
        raise ArgumentError("the records do not match the tasks of this graph")
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
    """Return the kind of a graph's key: the part before its token."""
    return key[0].rpartition("-")[0]


Key = tuple[str, tuple[Any, ...]]


class Timed(NamedTuple):
    """One task of a graph, with its duration."""

    key: Key
    """The kind of the task, and its place in the tree."""
    seconds: float
    after: tuple[int, ...]
    """The numbers of the tasks that it waits for; each is less than the task's own number."""
    record: Record | None = None


@frozen
class Dag:
    """A graph of tasks, in an order in which one worker can run them.

    >>> dag = Dag.of({"a": (2, ()), "b": (3, "a"), "c": (4, "a"), "d": (1, "bc")})
    >>> dag.work, dag.span, [t.key[0] for t in dag.longest()]
    (10, 7, ['a', 'c', 'd'])
    """

    tasks: tuple[Timed, ...]

    @classmethod
    def of(cls, tasks: Mapping[str, tuple[float, Iterable[str]]]) -> Dag:
        """Build a graph from a mapping: name → (seconds, the names that it waits for)."""
        number = {name: i for i, name in enumerate(tasks)}
        return cls(
            tuple(
                Timed((name, ()), seconds, tuple(number[a] for a in after))
                for name, (seconds, after) in tasks.items()
            )
        )

    @property
    def work(self) -> float:
        """Return the seconds of all tasks together."""
        return sum(t.seconds for t in self.tasks)

    @property
    def span(self) -> float:
        """Return the seconds of the longest path."""
        return max(ends(self), default=0)

    def longest(self, burden: float = 0) -> tuple[Timed, ...]:
        """Return the tasks of the first longest path, if each task costs `burden` seconds more."""
        end = ends(self, burden)
        path: list[Timed] = []
        here = end.index(max(end)) if end else None
        while here is not None:
            path.append(self.tasks[here])
            here = max(self.tasks[here].after, key=lambda i: (end[i], -i), default=None)
        return tuple(reversed(path))


def ends(dag: Dag, burden: float = 0) -> Sequence[float]:
    """Return when each task ends on unlimited workers, if each task costs `burden` seconds more."""
    end: list[float] = []
    for t in dag.tasks:
        end.append(max((end[i] for i in t.after), default=0) + t.seconds + burden)
    return end
