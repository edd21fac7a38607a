"""Bundle the tasks of a graph for a cluster, where each task costs milliseconds.

A bundle is a set of tasks that one worker runs in the graph's order, as one task of the cluster.
So a cluster computes the same as one machine: the same folds, in the same order, with the same
records.

Three rules are applied until none applies any more.  They add no dependencies, except to work below
the grain.

- A task without cost joins the only bundle that needs it: a chain of left folds becomes one n-ary
  merge.
- Tasks that wait for the same tasks are combined up to the grain: siblings of a `par_list`.
- Tasks that wait for a single bundle join it if they cost at most the grain: small subtrees.

Each contraction keeps the graph acyclic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final

from attrs import frozen
from dask.task_spec import Task

from graphs.limits import MERGED_BUNDLES, MOST_BUNDLES

Key = Hashable

GRAIN: Final = 0.05
"""The least seconds of a bundle: ten times the cost of its task."""
EACH: Final = 24
"""The bundles per thread of the cluster, if none is shorter than that, so that all end together."""


def grain_for(work: float, threads: int) -> float:
    """Return the duration of bundles for an amount of work and a number of threads.

    >>> grain_for(10, 2), grain_for(1000, 2), grain_for(36_000, 512)
    (0.20833333333333334, 20.833333333333332, 3.6)
    """
    return max(GRAIN, work / (EACH * threads), work / MOST_BUNDLES)


@frozen(eq=False)
class Bundle:
    """Tasks that run in order as one task."""

    tasks: tuple[Task, ...]
    needs: tuple[tuple[int, tuple[Key, ...]], ...]
    """The bundles that it waits for: their numbers, and the values that it needs from each."""
    gives: tuple[Key, ...]
    """The tasks whose values other bundles need."""

    def run(self, *inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run the tasks, given the values of each of `needs`; return those of `gives`."""
        known: dict[Key, Any] = {}
        for (_, keys), values in zip(self.needs, inputs, strict=True):
            known.update(zip(keys, values, strict=True))
        for task in self.tasks:
            known[task.key] = task({d: known[d] for d in task.dependencies})
        return tuple(known[key] for key in self.gives)


def bundled(
    graph: Mapping[Any, Task], wanted: Iterable[Key], cost: Callable[[Task], float], grain: float,
    widest: int = MERGED_BUNDLES,
) -> tuple[Bundle, ...]:  # fmt: skip
    """Bundle a graph so that bundles take about `grain`; `cost` returns the cost of a task.

    Requires: the graph lists its tasks in an order in which one worker can run them; tasks of
    negligible time have cost 0.
    Ensures: each task is in one bundle, in the order of the graph; bundles are in the order of
    their first tasks, and their graph is acyclic; no bundle of several searches costs more than
    `grain`.  The bundles return the values of `wanted`.
    Cost: a few passes over the graph.

    >>> from dask.task_spec import TaskRef
    >>> row = [Task(f"s{i}", abs, -i) for i in range(6)]
    >>> folds = [Task("f0", max, 0, TaskRef("s0"))]
    >>> for i in range(1, 6):
    ...     folds.append(Task(f"f{i}", max, TaskRef(f"f{i - 1}"), TaskRef(f"s{i}")))
    >>> made = bundled({t.key: t for t in row + folds}, ["f5"],
    ...                lambda t: float(t.func is abs), grain=3)
    >>> for bundle in made:
    ...     print(*(task.key for task in bundle.tasks))
    s0 s1 s2
    s3 s4 s5
    f0 f1 f2 f3 f4 f5
    """
    parts = _Parts(graph, cost, grain, widest)
    while parts.siblings() | parts.merges() | parts.subtrees():
        pass
    return parts.bundles(set(wanted))


class _Parts:
    """A partition of a graph, coarsened pass by pass; a part is named by one of its tasks."""

    def __init__(
        self, graph: Mapping[Key, Task], cost: Callable[[Task], float], grain: float, widest: int
    ) -> None:
        self.grain, self.widest = grain, widest
        self.tasks = list(graph.values())
        number = {key: i for i, key in enumerate(graph)}
        self.needs = {i: {number[d] for d in t.dependencies} for i, t in enumerate(self.tasks)}
        self.users: dict[int, set[int]] = {i: set() for i in self.needs}
        for i, needs in self.needs.items():
            for d in needs:
                self.users[d].add(i)
        self.members = {i: [i] for i in self.needs}
        self.cost = {i: cost(t) for i, t in enumerate(self.tasks)}

    def join(self, a: int, b: int) -> None:
        """Merge the part `a` into the part `b`."""
        for d in self.needs[a]:
            self.users[d].discard(a)
        for u in self.users[a]:
            self.needs[u].discard(a)
        self.needs[b] |= self.needs.pop(a) - {b}
        self.users[b] |= self.users.pop(a) - {b}
        for d in self.needs[b]:
            self.users[d].add(b)
        for u in self.users[b]:
            self.needs[u].add(b)
        self.members[b] += self.members.pop(a)
        self.cost[b] += self.cost.pop(a)

    def siblings(self) -> bool:
        """Combine parts that wait for the same parts, in order, up to the grain."""
        alike: dict[frozenset[int], int] = {}
        changed = False
        for i in sorted(self.needs):
            if not self.cost[i]:
                continue
            needs = frozenset(self.needs[i])
            last = alike.get(needs)
            if last is not None and self.cost[last] + self.cost[i] <= self.grain:
                self.join(i, last)
                changed = True
            else:
                alike[needs] = i
        return changed

    def merges(self) -> bool:
        """Merge parts without cost into the only part that needs them."""
        changed = False
        for i in sorted(self.needs, reverse=True):
            if self.cost[i] or len(self.users[i]) != 1:
                continue
            (user,) = self.users[i]
            if len(self.needs[i] | self.needs[user]) <= self.widest + 1:
                self.join(i, user)
                changed = True
        return changed

    def subtrees(self) -> bool:
        """Merge into a part the parts that wait only for it: all of them if they cost little, else
        those without cost."""
        changed = False
        for i in sorted(self.needs, reverse=True):
            if i not in self.needs:
                continue
            known = {i, *self.needs[i]}
            own = sorted(u for u in self.users[i] if self.needs[u] <= known)
            free = [u for u in own if not self.cost[u]]
            dear = [u for u in own if self.cost[u]]
            waiting = sum(self.cost[u] > 0 for u in self.users[i])
            small = self.cost[i] + sum(self.cost[u] for u in dear) <= self.grain
            if not (len(dear) == waiting and small):
                dear = []
            for u in (*free, *dear):
                self.join(u, i)
                changed = True
        return changed

    def bundles(self, wanted: set[Key]) -> tuple[Bundle, ...]:
        """Return the current parts as bundles."""
        order = sorted(sorted(members) for members in self.members.values())
        place = {self.tasks[i].key: n for n, members in enumerate(order) for i in members}
        gives: list[dict[Key, None]] = [{} for _ in order]
        needs: list[dict[int, dict[Key, None]]] = [{} for _ in order]
        for n, members in enumerate(order):
            for i in members:
                task = self.tasks[i]
                if task.key in wanted:
                    gives[n][task.key] = None
                for d in sorted(task.dependencies, key=str):
                    if place[d] != n:
                        gives[place[d]][d] = None
                        needs[n].setdefault(place[d], {})[d] = None
        return tuple(
            Bundle(
                tuple(self.tasks[i] for i in members),
                tuple((m, tuple(gives[m])) for m in needs[n]),
                tuple(gives[n]),
            )
            for n, members in enumerate(order)
        )
