"""Work, span and parallelism, with and without what the machine adds; what they say of time."""

from __future__ import annotations

from attrs import frozen

from graphs.arguments import check_integers
from strategies.insight.analysis.overhead import FREE, Burden
from strategies.insight.analysis.task_dag import Dag, ends


@frozen
class Bounds:
    """What work and span say of the seconds that a graph takes on so many workers."""

    workers: int
    work: float
    """At least this: the work, evenly spread."""
    span: float
    """At least this: the longest chain."""
    dispatcher: float
    """At least this: the tasks, started one after the other."""
    greedy: float
    """At most this on workers that are never idle while a task is ready (Graham, Brent), if the
    dispatcher does not hold them up."""
    rate: float = 1.0
    """The share of its speed that each keeps when so many are busy."""

    @property
    def most(self) -> float:
        """No such workers take more, whom the dispatcher holds up, and each other's work slows.

        While neither all workers are busy nor the longest chain goes on, a task has its turn with
        the dispatcher; all of that takes the longer, the slower all are.
        """
        return (self.greedy + self.dispatcher) / self.rate

    @property
    def least(self) -> float:
        """No schedule takes less."""
        return max(self.work, self.span, self.dispatcher)

    @property
    def binding(self) -> str:
        """Which of the three lower bounds is the highest: "work", "span" or "dispatcher"."""
        return max(("work", "span", "dispatcher"), key=lambda name: float(getattr(self, name)))


@frozen
class Measures:
    """Work and span of a graph of tasks, in seconds.

    `parallelism` says how many workers the graph could keep busy.  It is no speed-up against the
    best sequential search, whose work may be less.
    """

    tasks: int
    work: float
    span: float
    burden: Burden
    burdened_work: float
    """Every task costs `burden.task` more."""
    burdened_span: float
    """The longest path, when every task costs `burden.task` more, and the next one hears of it only
    `burden.latency` later."""

    @property
    def parallelism(self) -> float:
        """Work over span."""
        return self.work / self.span if self.span else 1.0

    @property
    def burdened_parallelism(self) -> float:
        """Work over burdened span: the first to fall when tasks are too small."""
        return self.work / self.burdened_span if self.burdened_span else 1.0

    def greedy(self, workers: float) -> float:
        """The seconds that so many workers take at most who are never idle while a task is ready.

        With latency, none may be busy while the longest chain goes on; else one is.
        """
        alone = 0 if self.burden.latency else self.burdened_span / workers
        return self.burdened_work / workers + self.burdened_span - alone

    def bounds(self, workers: int) -> Bounds:
        """The bounds on the time that so many workers take.

        Source: Graham (1969); Brent (1974); Blumofe and Leiserson (1999).

        >>> from strategies.insight.analysis.task_dag import Dag
        >>> from strategies.insight.analysis.work_span import measures
        >>> square = Dag.of({"a": (2, ()), "b": (3, "a"), "c": (4, "a"), "d": (1, "bc")})
        >>> b = measures(square, Burden(dispatch=0.5)).bounds(workers=2)
        >>> b.work, b.span, b.dispatcher, b.greedy, b.least, b.most
        (5.0, 7.0, 2.0, 8.5, 7.0, 10.5)
        """
        check_integers(1, workers=workers)
        work, span = self.burdened_work / workers, self.burdened_span
        greedy = self.greedy(workers)
        dispatcher = self.tasks * self.burden.dispatch
        return Bounds(workers, work, span, dispatcher, greedy, self.burden.rate(workers))


def measures(dag: Dag, burden: Burden = FREE) -> Measures:
    """Work and span of a recorded graph, on a machine that adds `burden`.

    Cost: linear in tasks and edges.
    Source: Leiserson, the Cilkview scalability analyzer (2010), with the burden a task instead of a
    spawn.
    """
    work, n = dag.work, len(dag.tasks)
    latency = burden.latency
    burdened = max(ends(dag, burden.task + latency), default=latency) - latency
    return Measures(n, work, dag.span, burden, work + n * burden.task, burdened)
