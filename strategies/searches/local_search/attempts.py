"""One attempt of local search: from one start, step by step, to a goal or a local optimum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any

from attrs import frozen

from games.problems import Assignment, Problem
from games.u64 import U64
from graphs.arguments import check_integers, check_kind, shown
from strategies.algorithms.errors import AlgorithmError
from strategies.native.engine import Engine
from strategies.native.hashing import mix
from strategies.native.kept_engines import kept_engine
from strategies.native.memory.cells import cells, stopped
from strategies.searches.local_search import kernels as k
from strategies.searches.local_search.algorithms import (
    Climber,
    check_assigned,
    steepest_descent,
    within,
)

KERNELS: dict[str, Any] = {
    "steepest_descent": k.descend,
    "first_improvement": k.improve,
    "min_conflicts": k.repair,
    "simulated_annealing": k.anneal,
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


def check_problem(problem: object, climber: object) -> None:
    """Check the arguments of a local search.

    Raises: ArgumentError.
    """
    check_kind(Problem, "a problem of local search, such as Queens(8)", problem=problem)
    check_kind(Climber, "an algorithm of local search, as steepest_descent()", climber=climber)


def seed_of(seed: int, number: int) -> int:
    """Return the seed of one of many attempts."""
    return int(mix(mix(U64(seed)) + number) >> 1)


def compiled_attempt(
    problem: Assignment, climber: Climber, seed: int, number: int, engine: Engine, control: Any
) -> Attempt:
    """Make an attempt with an incremental value; `control` stops it, and counts its steps."""
    drawn = seed_of(seed, number)
    state = problem.start(drawn)
    check_assigned(problem, state)
    size = problem.variables
    table = cells(2 * size + problem.counters)
    control[k.WORD] = drawn
    table[:size] = state
    kernel = KERNELS[climber.name]
    engine.call(kernel, 0, *climber.numbers, control, table)
    best = tuple(table[size + problem.counters :])
    return _made(number, best, control)


def attempt(
    problem: Problem[Any], climber: Climber, seed: int, number: int, values: Values, control: Any
) -> Attempt:
    """Make an attempt with values from scratch; the steps are those of `compiled_attempt`."""
    drawn = seed_of(seed, number)
    control[k.WORD] = drawn
    best: Any = None
    least: int | None = None
    start = problem.start(drawn)
    check_assigned(problem, start)
    for state, value in walked(problem, climber, start, values, control):
        if least is None or value < least:
            best, least = state, value
    return _made(number, best, control)


def walked(
    problem: Problem[Any], climber: Climber, state: Any, values: Values, control: Any
) -> Iterator[tuple[Any, int]]:
    """Walk from a state; yield each state and its value, the first one included.

    A step that stays yields the same state again.
    """
    values = _whole(values)
    value = control[k.BEST] = values([state])[0]
    heat = climber.temperature
    yield state, value
    while value != 0 and control[k.STEPS] < climber.steps and not stopped(control):
        near = list(problem.neighbors(state))
        if climber.temperature:
            step, looked = _warm(near, (state, value), heat, control, values)
            heat *= climber.cooling
        else:
            pick = _steepest if climber.best_of_all else _first
            step, looked = pick(climber, near, value, control, values)
        control[k.EVALUATIONS] += looked
        if step is None:
            control[k.STUCK] = control[k.STOP] == 0
            break
        state, value = step
        control[k.STEPS] += 1
        control[k.BEST] = min(value, control[k.BEST])
        yield state, value


def _whole(values: Values) -> Values:
    """Return the same function, which raises AlgorithmError for a value that is no whole number, or
    too great for machine code."""

    def checked(states: list[Any]) -> list[int]:
        found = values(states)
        for state, value in zip(states, found, strict=False):
            if not isinstance(value, Integral):
                raise AlgorithmError(
                    f"value of {shown(state)} must be a whole number, the distance to a goal, not "
                    f"{shown(value)}"
                )
            if not -k.FAR < value < k.FAR:
                raise AlgorithmError(
                    f"value of {shown(state)} must lie between -2**60 and 2**60, not {shown(value)}"
                )
        return found

    return checked


def walk(
    problem: Problem[Any], start: Any, climber: Climber | None = None, *, seed: int = 0
) -> Iterator[tuple[Any, int]]:
    """Walk from a given start, step by step: yield each state and its value, the start included.

    ``next`` makes a single step, ``list`` returns the whole path: to a goal, to a state without an
    acceptable neighbour, or of as many steps as `climber` allows.  The default is
    `steepest_descent()`.

    Raises: AlgorithmError for `min_conflicts`, whose steps are those of one variable; ArgumentError
    for a start that is no state of the problem.

    >>> from games.problems import Queens
    >>> from strategies.searches.local_search import walk
    >>> [value for _, value in walk(Queens(8), (0,) * 8)]
    [28, 21, 15, 10, 6, 3, 1]
    """
    climber = steepest_descent() if climber is None else climber
    check_problem(problem, climber)
    if climber.one_variable:
        raise AlgorithmError(f"{climber!r} has no walk: use steepest_descent or first_improvement")
    check_integers(seed=seed)
    check_assigned(problem, start)
    control = cells(k.SIZE)
    control[k.WORD] = seed_of(seed, 0)
    return walked(problem, climber, start, lambda ss: [problem.value(s) for s in ss], control)


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


def _warm(
    near: list[Any], here: tuple[Any, int], heat: float, control: Any, values: Values
) -> Found:
    """Return a random neighbour with its value, or the state itself if it is too much worse."""
    if not near:
        return None, 0
    state = near[k.drawn(control, len(near))]
    value = values([state])[0]
    return ((state, value) if k.warmly(control, value - here[1], heat) else here), 1


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


class ProblemEngine(Engine):
    """The engine of one kernel of local search for a problem; kernels compile independently."""

    def _trials(self, kernel: Any) -> list[tuple[Any, Any]]:
        return [(kernel, 0)]


def engine_of(kernel: Any, problem: Any, choice: str) -> Engine:
    """Return the engine that runs ``kernel(problem, 0, …)``, which ends with rows of cells.

    Ensures: what `engine_for` ensures; the kernel is compiled, or loaded from the cache, unless it
    is interpreted.
    Raises: RuleError if the rules must be native but cannot be compiled.
    """
    engine = kept_engine(problem, (kernel, choice), lambda: ProblemEngine(problem, choice))
    engine.settle(kernel)
    return engine
