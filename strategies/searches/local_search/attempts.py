"""One attempt of local search: from one start, step by step, to a goal or a local optimum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from games.problems import Assignment, Problem
from games.u64 import U64
from strategies.native.hooks import mix
from strategies.native.memory.cells import cells, stopped
from strategies.searches.local_search import kernels as k
from strategies.searches.local_search.acceptable import within
from strategies.searches.local_search.algorithms import Climber
from strategies.searches.local_search.engine import engine_of

KERNELS: dict[str, Any] = {
    "steepest_descent": k.descend,
    "first_improvement": k.improve,
    "min_conflicts": k.repair,
}
Values = Callable[[list[Any]], list[int]]
"""A function that returns the values of several states, evaluated by a strategy."""


@frozen
class Attempt:
    """The result of one start."""

    number: int
    state: Any
    """The best state visited."""
    value: int
    steps: int
    evaluations: int
    """The number of neighbours evaluated."""
    stuck: bool
    """Whether it ended because no neighbour was acceptable."""


def seed_of(seed: int, number: int) -> int:
    """Return the seed of one of many attempts."""
    return int(mix(mix(U64(seed)) + number) >> 1)


def compiled_attempt(
    problem: Assignment, climber: Climber, seed: int, number: int, engine: str, control: Any
) -> Attempt:
    """Make an attempt with an incremental value; `control` stops it, and counts its steps."""
    drawn = seed_of(seed, number)
    state = problem.start(drawn)
    size = problem.variables
    table = cells(2 * size + problem.counters)
    control[k.WORD] = drawn
    table[:size] = state
    tolerance = -1 if climber.tolerance is None else climber.tolerance
    given = (climber.steps,) if climber.one_variable else (climber.steps, tolerance)
    kernel = KERNELS[climber.name]
    engine_of(kernel, problem, engine).call(kernel, 0, *given, control, table)
    best = tuple(table[size + problem.counters :])
    return _made(number, best, control)


def attempt(
    problem: Problem[Any], climber: Climber, seed: int, number: int, values: Values, control: Any
) -> Attempt:
    """Make an attempt with values from scratch; the steps are those of `compiled_attempt`."""
    drawn = seed_of(seed, number)
    control[k.WORD] = drawn
    state = best = problem.start(drawn)
    value = values([state])[0]
    control[k.BEST] = value
    while value != 0 and control[k.STEPS] < climber.steps and not stopped(control):
        near = list(problem.neighbors(state))
        pick = _steepest if climber.best_of_all else _first
        step, looked = pick(climber, near, value, control, values)
        control[k.EVALUATIONS] += looked
        if step is None:
            control[k.STUCK] = control[k.STOP] == 0
            break
        state, value = step
        control[k.STEPS] += 1
        if value < control[k.BEST]:
            best, control[k.BEST] = state, value
    return _made(number, best, control)


def _made(number: int, best: Any, control: Any) -> Attempt:
    counts = control[k.BEST], control[k.STEPS], control[k.EVALUATIONS]
    return Attempt(number, best, *counts, bool(control[k.STUCK]))


Found = tuple[tuple[Any, int] | None, int]


def _steepest(climber: Climber, near: list[Any], value: int, control: Any, values: Values) -> Found:
    """Return the next neighbour with its value, if any is acceptable, and the number evaluated."""
    valued = values(near)
    if len(valued) < len(near):  # the search was stopped
        return None, len(valued)
    least = min(valued, default=value)
    if climber.tolerance is None:
        at = valued.index(least) if least < value else -1
    else:
        will_do = within(valued, value, climber.tolerance)
        at = will_do[k.drawn(control, len(will_do))] if will_do else -1
    return (None if at < 0 else (near[at], valued[at])), len(near)


def _first(climber: Climber, near: list[Any], value: int, control: Any, values: Values) -> Found:
    limit = value - 1 if climber.tolerance is None else value + climber.tolerance
    start = k.drawn(control, len(near)) if near else 0
    for looked, state in enumerate(near[start:] + near[:start], 1):
        if stopped(control):
            return None, looked - 1
        neighbour_value = values([state])[0]
        if neighbour_value <= limit:
            return (state, neighbour_value), looked
    return None, len(near)
