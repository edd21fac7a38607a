"""Bounds on the time of a run, on any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from graphs.errors import ArgumentError
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.overhead import Burden
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.simulation import Simulation
from strategies.insight.analysis.utilisation import laid_out, wall
from strategies.insight.analysis.work_span import Measures, measures
from strategies.running.records.search_run import SearchRun

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
