"""The recorded graph of a run: each task with its duration and its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from attrs import frozen

from strategies.running.records.record import Record

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
