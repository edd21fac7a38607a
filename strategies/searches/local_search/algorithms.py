"""The algorithms of local search, as values: which neighbour a step goes to."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from strategies.algorithms.errors import AlgorithmError
from strategies.notation.calls import CallError, parse_call

STEPS = 10_000
"""The most steps of a run, unless said otherwise."""


def _count(_instance: object, attribute: Any, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise AlgorithmError(f"{attribute.name} must be a whole number, 0 or more, not {value!r}")


@frozen(repr=False)
class Climber:
    """An algorithm of local search; made by `steepest_descent` and the like."""

    name: str
    tolerance: int | None = field(default=None, validator=_count)
    steps: int = field(default=STEPS, validator=_count)
    one_variable: bool = False
    """Whether a step values the choices of one variable: for an `Assignment`."""
    best_of_all: bool = False
    """Whether a step looks at all neighbours."""

    def __repr__(self) -> str:
        options = [] if self.tolerance is None else [f"tolerance={self.tolerance}"]
        options += [] if self.steps == STEPS else [f"steps={self.steps}"]
        return f"{self.name}({', '.join(options)})"


def steepest_descent(tolerance: int | None = None, *, steps: int = STEPS) -> Climber:
    """Step to the best of all neighbours, the first of equals, if it is better.

    With a `tolerance`, all neighbours will do whose value is at most that much above the value of
    the best one (of the state itself, if none is better), and one of them is drawn at random: 0
    walks along plateaus, more climbs out of hollows, and no step worsens the value by more.
    Ends: at a goal, where no neighbour will do, or after so many `steps`.
    Source: hill climbing; the tolerance is that of Meel's lecture on local search (section 5.3).

    >>> steepest_descent(0)
    steepest_descent(tolerance=0)
    """
    return Climber("steepest_descent", tolerance, steps, best_of_all=True)


def first_improvement(tolerance: int | None = None, *, steps: int = STEPS) -> Climber:
    """Step to the first better neighbour, counted from a random one on.

    With a `tolerance`, to the first whose value is at most that much above the state's own.
    """
    return Climber("first_improvement", tolerance, steps)


def min_conflicts(*, steps: int = STEPS) -> Climber:
    """Step by drawing a variable in conflict, and giving it a choice of the least value.

    Of several such choices one is drawn at random.  It is for an `Assignment`.

    Source: Minton, Johnston, Philips and Laird, Minimizing conflicts (1992).
    """
    return Climber("min_conflicts", None, steps, one_variable=True)


CLIMBERS = {
    "steepest_descent": steepest_descent,
    "first_improvement": first_improvement,
    "min_conflicts": min_conflicts,
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
            f"no algorithm of local search: {text!r}; write it {example}"
        ) from None
    if call.name not in CLIMBERS:
        raise AlgorithmError(
            f"no algorithm is called {call.name!r}; there are {', '.join(CLIMBERS)}"
        )
    try:
        return call.to(CLIMBERS[call.name])
    except (AlgorithmError, CallError) as error:
        raise AlgorithmError(f"{text}: {error}; write it {example}") from None
