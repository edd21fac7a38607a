"""The algorithms of local search as values: which neighbour a step goes to, and which will do."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, TypeVar

from attrs import field, frozen
from attrs.validators import optional

from games.problems.problem import Assignment, Problem
from graphs.arguments import check_integers, choice, shown
from graphs.errors import ArgumentError
from strategies.algebra.calls import CallError, parse_call
from strategies.algorithms.errors import AlgorithmError, whole

STEPS = 10_000
"""The default for the most steps of a run."""


def _positive(_instance: object, attribute: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        raise AlgorithmError(f"{attribute.name} must be a number above 0, not {shown(value)}")


def _share(_instance: object, attribute: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise AlgorithmError(f"{attribute.name} must be above 0 and at most 1, not {shown(value)}")


@frozen(repr=False)
class Climber:
    """An algorithm of local search; made by `steepest_descent` and the like."""

    name: str
    tolerance: int | None = field(default=None, validator=optional(whole(0)))
    steps: int = field(default=STEPS, validator=whole(0))
    one_variable: bool = False
    """Whether a step evaluates the choices of one variable, for an `Assignment`."""
    best_of_all: bool = False
    """Whether a step evaluates all neighbours."""
    temperature: float = field(default=0.0, validator=_positive)
    """The temperature of annealing at first; 0 for other algorithms."""
    cooling: float = field(default=1.0, validator=_share)
    """What the temperature is multiplied by at each step."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return the numbers that the kernel takes."""
        if self.temperature:
            return self.steps, float(self.temperature), float(self.cooling)
        return (self.steps,) if self.one_variable else (self.steps, self._least)

    @property
    def _least(self) -> int:
        return -1 if self.tolerance is None else self.tolerance

    def __repr__(self) -> str:
        options = [] if self.tolerance is None else [f"tolerance={self.tolerance}"]
        if self.temperature:
            options = [f"temperature={self.temperature}", f"cooling={self.cooling}"]
        options += [] if self.steps == STEPS else [f"steps={self.steps}"]
        return f"{self.name}({', '.join(options)})"


def steepest_descent(tolerance: int | None = None, *, steps: int = STEPS) -> Climber:
    """Step to the best of all neighbours, the first of equals, if it is better.

    With a `tolerance`, one of all neighbours whose value is at most that much above the best (the
    state itself, if none is better) is drawn at random: 0 walks along plateaus, more can leave
    local optima, and no step worsens the value by more than the tolerance.
    Ends: at a goal, when no neighbour is acceptable, or after `steps` steps.
    Source: hill climbing; the tolerance is that of Meel's lecture on local search (section 5.3).

    >>> steepest_descent(0)
    steepest_descent(tolerance=0)
    """
    return Climber("steepest_descent", tolerance, steps, best_of_all=True)


def first_improvement(tolerance: int | None = None, *, steps: int = STEPS) -> Climber:
    """Step to the first better neighbour, starting from a random one.

    With a `tolerance`, step to the first whose value is at most that much above the state's.
    """
    return Climber("first_improvement", tolerance, steps)


def min_conflicts(*, steps: int = STEPS) -> Climber:
    """Draw a variable in conflict, and give it a choice of the least value.

    One of several such choices is drawn at random.  For an `Assignment`.

    Source: Minton, Johnston, Philips and Laird, Minimizing conflicts (1992).
    """
    return Climber("min_conflicts", None, steps, one_variable=True)


def simulated_annealing(
    temperature: float = 1.0, cooling: float = 0.999, *, steps: int = STEPS
) -> Climber:
    """Look at a random neighbour: step to it if it is not worse, else with a probability of
    exp(-d / t) for a value that is worse by d, at a temperature t.

    The temperature begins at `temperature` and is multiplied by `cooling` at each step.
    Source: Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing (1983).

    >>> simulated_annealing(2.0, steps=500)
    simulated_annealing(temperature=2.0, cooling=0.999, steps=500)
    """
    if temperature == 0:
        raise AlgorithmError("temperature must be a number above 0, not 0")
    return Climber("simulated_annealing", steps=steps, temperature=temperature, cooling=cooling)


CLIMBERS = {
    "steepest_descent": steepest_descent,
    "first_improvement": first_improvement,
    "min_conflicts": min_conflicts,
    "simulated_annealing": simulated_annealing,
}


def parse_climber(text: str) -> Climber:
    """Read an algorithm of local search from text such as ``steepest_descent(tolerance=0)``.

    Raises: AlgorithmError, one line; no code is run.

    >>> parse_climber("min_conflicts(steps=500)")
    min_conflicts(steps=500)
    """
    example = "as in steepest_descent(tolerance=1, steps=500)"
    try:
        call = parse_call(text)
    except CallError:
        raise AlgorithmError(
            f"{shown(text)} is not an algorithm of local search; write it {example}"
        ) from None
    if call.name not in CLIMBERS:
        raise AlgorithmError(
            f"no algorithm is called {shown(call.name)}; {choice(call.name, CLIMBERS)}"
        )
    try:
        return call.to(CLIMBERS[call.name])
    except (AlgorithmError, CallError) as error:
        raise AlgorithmError(f"{text}: {error}; write it {example}") from None


S = TypeVar("S")


def within(values: Sequence[int], value: int, tolerance: int) -> list[int]:
    """Return the indices of the acceptable neighbours, given all their values and the state's.

    >>> within([3, 1, 2, 1], value=2, tolerance=0), within([3, 3, 4], value=2, tolerance=1)
    ([1, 3], [0, 1])
    """
    limit = min([value, *values]) + tolerance
    return [i for i, v in enumerate(values) if v <= limit]


def check_assigned(problem: Problem[Any], state: Any) -> None:
    """Check that a state has a choice for each variable, if the problem is an `Assignment`.

    Raises: ArgumentError.
    """
    if not isinstance(problem, Assignment):
        return
    choices, row = range(problem.choices), isinstance(state, tuple)
    if not row or len(state) != problem.variables or any(x not in choices for x in state):
        raise ArgumentError(
            f"a state of {problem!r} is a tuple of {problem.variables} whole numbers from 0 to "
            f"{problem.choices - 1}, not {shown(state)}"
        )


def acceptable(problem: Problem[S], state: S, tolerance: int = 0) -> list[S]:
    """Return the neighbours from which `steepest_descent(tolerance)` draws one, in order.

    These are all whose value is at most that of the best plus the tolerance, where the best is the
    state itself if no neighbour is better.
    Requires: a tolerance that is a whole number of 0 or more, and a state of the problem, or
    ValueError.
    Cost: the values of all neighbours, from scratch.
    Source: Meel's lecture on local search (section 5.3).

    >>> from games.problems import Queens
    >>> acceptable(Queens(4), (2, 1, 3, 0)), acceptable(Queens(4), (2, 0, 3, 0))
    ([(2, 0, 3, 0)], [(2, 0, 3, 1)])
    """
    check_integers(0, tolerance=tolerance)
    check_assigned(problem, state)
    near = list(problem.neighbors(state))
    places = within([problem.value(each) for each in near], problem.value(state), tolerance)
    return [near[i] for i in places]
