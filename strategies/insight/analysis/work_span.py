"""Work, span and parallelism, with and without overhead, and bounds on time for any workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from graphs.arguments import check_integers
from graphs.errors import ArgumentError
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.recorded import Dag, ends, recorded
from strategies.insight.analysis.simulation import FREE, Burden, Simulation
from strategies.insight.analysis.utilisation import laid_out, wall
from strategies.running.records.search_run import SearchRun


@frozen
class Bounds:
    """Bounds from work and span on the seconds that a graph takes on a number of workers.

    Requires: `burden.dispatch` is a part of what each task takes, so that none takes less.
    """

    workers: int
    work: float
    """A lower bound: the work, evenly distributed."""
    span: float
    """A lower bound: the longest chain."""
    dispatcher: float
    """A lower bound: the starts of all tasks, one after the other."""
    greedy: float
    """An upper bound for workers that are never idle while a task is ready (Graham, Brent), if the
    dispatcher does not delay them."""
    rate: float = 1.0
    """The relative speed of each worker when all of them are busy."""

    @property
    def most(self) -> float:
        """Return the upper bound for such workers with a dispatcher, and with mutual slow-down.

        At any time all workers are busy, or the longest chain advances, or the dispatcher starts a
        task; and all of that is slowed down by the same rate.
        """
        return (self.greedy + self.dispatcher) / self.rate

    @property
    def least(self) -> float:
        """Return the lower bound for any schedule."""
        return max(self.work, self.span, self.dispatcher)

    @property
    def binding(self) -> str:
        """Return which of the three lower bounds is the highest: "work", "span" or "dispatcher"."""
        return max(("work", "span", "dispatcher"), key=lambda name: float(getattr(self, name)))


@frozen
class Measures:
    """The work and span of a graph of tasks, in seconds.

    `parallelism` is the number of workers that the graph could keep busy.  It is not a speed-up
    against the best sequential search, whose work may be less.
    """

    tasks: int
    work: float
    span: float
    burden: Burden
    burdened_work: float
    """The work if every task costs `burden.task` more."""
    burdened_span: float
    """The longest path if every task costs `burden.task` more, and the next one can start only
    `burden.latency` later."""

    @property
    def parallelism(self) -> float:
        """Return work divided by span."""
        return self.work / self.span if self.span else 1.0

    @property
    def burdened_parallelism(self) -> float:
        """Return work divided by burdened span: the first number to fall if tasks are too small."""
        return self.work / self.burdened_span if self.burdened_span else 1.0

    def greedy(self, workers: float) -> float:
        """Return the most seconds that workers take who are never idle while a task is ready.

        While the longest chain advances, at least one worker is busy; with latency, perhaps none.
        """
        alone = 0 if self.burden.latency else self.burdened_span / workers
        return self.burdened_work / workers + self.burdened_span - alone

    def bounds(self, workers: int) -> Bounds:
        """Return the bounds on the time for a number of workers.

        Source: Graham (1969); Brent (1974); Blumofe and Leiserson (1999).

        >>> from strategies.insight.analysis.recorded import Dag
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
    """Return the work and span of a recorded graph, on a machine with the overhead `burden`.

    Cost: linear in tasks and edges.
    Source: Leiserson, the Cilkview scalability analyzer (2010), with the burden per task instead of
    per spawn.
    """
    work, n = dag.work, len(dag.tasks)
    latency = burden.latency
    burdened = max(ends(dag, burden.task + latency), default=latency) - latency
    return Measures(n, work, dag.span, burden, work + n * burden.task, burdened)


NAMES = {
    "greedy": "at most: work / P + (1 - 1 / P) · span + the dispatcher",
    "work": "at least: work / P",
    "span": "at least: span",
    "dispatcher": "at least: the dispatcher, one task after the other",
}


@frozen
class Point:
    """A measured or simulated time on a number of workers."""

    workers: int
    seconds: float
    simulated: bool


@frozen
class TimeBounds:
    """The bounds on the time of a run, and times of runs to compare."""

    measures: Measures
    burden: Burden
    lines: Mapping[str, Callable[[float], float]]
    """The seconds on P workers, for each of `NAMES` that is more than 0."""
    points: tuple[Point, ...]
    sequential: float | None
    """The seconds of the best sequential search, if there is one."""


def time_bounds(
    runs: Sequence[SearchRun], burden: Burden | None, sequential: SearchRun | None,
    simulated: Sequence[Simulation],
) -> TimeBounds:  # fmt: skip
    """Compute the bounds of the first of several runs; see `draw_bounds`.

    Raises: ValueError if there is no run, or it does not know its search.
    """
    if not runs:
        raise ArgumentError("bounds need a run: draw_bounds(search(...).compute())")
    first = runs[0]
    dag = recorded(first)
    if burden is None:
        assert first.request is not None
        burden = measured_burden(first.request.game, engine=first.request.ran_on)
    found = measures(dag, burden)
    dispatcher = found.tasks * burden.dispatch
    lines: dict[str, Callable[[float], float]] = {
        "greedy": lambda p: (found.greedy(p) + dispatcher) / burden.rate(p),
        "work": lambda p: found.burdened_work / p,
        "span": lambda p: found.burdened_span,
        "dispatcher": lambda p: dispatcher,
    }
    points = [Point(_workers(r), wall(r), simulated=False) for r in runs]
    points += [Point(s.workers, s.seconds, simulated=True) for s in simulated]
    return TimeBounds(
        measures=found,
        burden=burden,
        lines={name: line for name, line in lines.items() if line(1) > 0},
        points=tuple(points),
        sequential=None if sequential is None else wall(sequential),
    )


def _workers(result: SearchRun) -> int:
    return laid_out(result.records, {}, (result.request and result.request.workers) or 0).workers
