"""Traces: a log of the search with a strategy's fixed windows, line by line.

The wording and its convention are those of the handout from which Jamboree(p) comes: a node starts
from its own bound, a move beats a bare bound of equal value, and a cut is reported where a branch
searched in order closes the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from games import Estimate
from graphs.arguments import check_functions, check_integers
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import at_chance, children, kind_of
from strategies.insight.analysis.trace_steps import (
    Candidate,
    Entered,
    Estimated,
    Step,
    Told,
    place_of,
)
from strategies.insight.analysis.trace_walk import TraceWalk, whole
from strategies.native.failures import check_numbers
from strategies.running.plans.plan import Plan
from strategies.running.records.wording import bound
from strategies.support.stacks import room_for


def trace(plan: Plan, most: int, tell: Callable[[str], object]) -> None:
    """Pass each line of the trace to `tell`, as soon as it is found.

    Raises: AlgorithmError for a search with a limit; ArgumentError if the search visits more than
    `most` positions.
    """
    check_integers(1, most=most)
    check_functions(tell=tell)
    if plan.limits:
        raise AlgorithmError("a trace goes to the full depth: trace without a limit")
    check_windows(plan.algorithm)
    lines = _Lines(most, tell)
    try:
        with room_for(plan.algorithm.depth):
            best = whole(TraceWalk(plan.game, plan.algorithm, lines.add), plan.state, plan.strategy)
    except ArgumentError:
        raise
    except TypeError:
        check_numbers(plan.game, plan.state, plan.algorithm.depth)  # rules may give none
        raise
    for line in closing(plan, best, lines.leaves):
        tell(line)


def check_windows(algorithm: Algorithm) -> None:
    """Raise AlgorithmError for a fold over all nodes, whose trace would tell nothing.

    >>> from strategies import enumeration
    >>> check_windows(enumeration(3))
    Traceback (most recent call last):
        ...
    strategies.algorithms.errors.AlgorithmError: enumeration visits all nodes, in any order: ...
    """
    if algorithm.tuples and not algorithm.many:
        raise AlgorithmError(
            f"{algorithm.name} visits all nodes, in any order: there is nothing to trace or "
            "replay; result.draw() shows its tasks"
        )


def closing(plan: Plan, best: Candidate, leaves: int) -> Iterator[str]:
    """Yield the last lines of a trace: the value, the number of leaves, the move."""
    place = place_of(plan.game, (), plan.state, plan.algorithm.tuples)
    value = best.value
    guess = f"Guess: {bound(value)}" if isinstance(value, tuple) else Estimate(value)
    if best.move is not None:
        yield f"Therefore value of {place} is {guess}, and best move is {best.move}."
    elif at_chance(plan.game, plan.state):
        yield f"Therefore value of {place} is {guess}; chance moves."
    yield f"Terminals visited: {leaves}"
    if best.move is not None:
        yield f"Overall choice: move {best.move}{_name(plan, best.move)}"


def _name(plan: Plan, index: int) -> str:
    move = children(plan.game, plan.state, kind_of(plan.game, plan.state))[index][0]
    text = plan.game.move_text(plan.state, move)
    return "" if text == str(index) else f"[{text}]"


class _Lines:
    """Tells the line of each step that has one, and counts."""

    def __init__(self, most: int, tell: Callable[[str], object]) -> None:
        self.most, self.tell = most, tell
        self.positions = self.leaves = 0

    def add(self, step: Step) -> None:
        self.positions += isinstance(step, Entered)
        self.leaves += isinstance(step, Estimated)
        if self.positions > self.most:
            raise ArgumentError(
                f"the trace has more than {self.most} positions: search fewer plies to trace it, "
                "or give trace() a larger most=, with tell=print to read lines as they are found"
            )
        if isinstance(step, Told):
            self.tell(step.line)
