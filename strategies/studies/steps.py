"""The depths that a search reached, each with its time and answer; the time to a solution."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from time import perf_counter

from attrs import evolve, frozen

from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.iteration_spans import iteration_spans
from strategies.running.plans.opening import deepens
from strategies.running.records.reached import Reached
from strategies.running.records.search_run import SearchRun


@frozen
class Step:
    """A depth that a search has finished."""

    depth: int
    seconds: float
    """The seconds from the call to the end of this depth."""
    move: str
    """The best move, as the game writes it."""
    value: float


Solved = Callable[[Step], bool]
"""Whether the answer of a depth is the solution of the position."""


class Heard:
    """The depths of a search that runs, as they end; `hear` is None if it does not deepen."""

    def __init__(self, algorithm: Algorithm, start: float) -> None:
        self.depth, self.start = algorithm.depth, start
        self.steps: list[Step] = []
        self.hear = self._hear if deepens(algorithm, None) else None

    def _hear(self, found: Reached) -> None:
        seconds = perf_counter() - self.start
        self.steps.append(Step(found.depth, seconds, found.line[0], float(found.value)))

    def ended(self, result: SearchRun, seconds: float, virtual: bool = False) -> tuple[Step, ...]:
        """Return the steps of a search that took so long; in `virtual` time, its depths end when
        their graphs end.

        Ensures: the last step has the answer and the seconds of the search.
        """
        value = result.value
        if isinstance(value, tuple):
            return ()
        spans = iteration_spans(result) if virtual else ()
        ends = {span.depth: span.end for span in spans}  # the last span of each depth
        before = [
            evolve(step, seconds=min(seconds, ends.get(step.depth, seconds)) if virtual
                   else step.seconds)
            for step in self.steps if step.depth < self.depth
        ]  # fmt: skip
        move = "" if result.move is None else result.move_text
        return *before, Step(self.depth, seconds, move, float(value))


def as_text(steps: Sequence[Step]) -> str:
    """Write steps as text, for a results file.

    >>> as_text([Step(2, 0.5, "e4", 1.0)]), steps_in(as_text([Step(2, 0.5, "e4", 1.0)]))
    ('[[2, 0.5, "e4", 1.0]]', (Step(depth=2, seconds=0.5, move='e4', value=1.0),))
    """
    return json.dumps([[s.depth, s.seconds, s.move, s.value] for s in steps])


def steps_in(text: str) -> tuple[Step, ...]:
    """Read the steps that `as_text` wrote."""
    return tuple(Step(*row) for row in json.loads(text or "[]"))


def solution_time(steps: Sequence[Step], solved: Solved) -> float | None:
    """Return the seconds until a search had the solution and kept it; None if it did not end so.

    It is the end of the first depth from which on every depth has the solution.

    >>> steps = [Step(1, 0.1, "a", 0.0), Step(2, 0.2, "b", 0.0), Step(3, 0.4, "a", 0.0),
    ...          Step(4, 0.8, "a", 0.0)]
    >>> solution_time(steps, lambda s: s.move == "a"), solution_time(steps, lambda s: s.move == "b")
    (0.4, None)
    """
    found = None
    for step in reversed(steps):
        if not solved(step):
            break
        found = step.seconds
    return found
