"""The laws of problems, tested on random walks."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from games.problems.problem import Assignment, Problem


def broken_laws(
    problem: Problem[Any], seed: int = 0, steps: int = 20, most: int = 200
) -> list[str]:
    """Check a problem on a random walk of `steps` steps, and return its faults.

    The laws are: the same seed starts at the same state; neighbours have a fixed order, and `state`
    is not its own neighbour; a value is an int, never below 0.  For an `Assignment`, the
    incremental value equals the value from scratch, after each step and for each neighbour.
    Cost: at most `most` neighbours of each state are checked.

    >>> from games.problems import Queens
    >>> broken_laws(Queens(6))
    []
    """
    random = Random(seed)
    state = problem.start(seed)
    broken = [] if problem.start(seed) == state else ["start: not the same for the same seed"]
    for _ in range(steps):
        near = list(islice(problem.neighbors(state), most))
        broken += _of_state(problem, state, near, most)
        if isinstance(problem, Assignment):
            broken += _of_assignment(problem, state, random)
        if not near or broken:
            break
        state = random.choice(near)
    return broken


def _of_state(problem: Problem[Any], state: Any, near: list[Any], most: int) -> list[str]:
    broken = []
    if list(islice(problem.neighbors(state), most)) != near:
        broken.append(f"neighbors: not the same twice for {state!r}")
    if state in near:
        broken.append(f"neighbors: {state!r} is its own")
    for each in (state, *near):
        value = problem.value(each)
        if not isinstance(value, int) or value < 0:
            broken.append(f"value: {value!r} of {each!r} is not an int of 0 or more")
    return broken


def _of_assignment(problem: Assignment, state: tuple[int, ...], random: Random) -> list[str]:
    broken = []
    cells = list(state) + [0] * problem.counters
    value = problem.load(cells)
    if value != problem.value(state):
        broken.append(f"load: {value} where value is {problem.value(state)}, of {state!r}")
    free = [v for v in range(problem.variables) if problem.conflicts(cells, v) != 0]
    if bool(free) != (value > 0):
        broken.append(
            f"conflicts: of variables {free[:5]} where the value is {value}, of {state!r}"
        )
    for _ in range(10):
        variable = random.randrange(problem.variables)
        choice = random.randrange(problem.choices)
        before = cells[variable]
        if choice == before:
            continue
        value += problem.change(cells, variable, choice)
        problem.assign(cells, variable, choice)
        now = tuple(cells[: problem.variables])
        fresh = list(now) + [0] * problem.counters
        if now != (*state[:variable], choice, *state[variable + 1 :]):
            broken.append(
                f"assign: variable {variable}, choice {choice} of {state!r} gives {now!r}"
            )
        elif (problem.load(fresh), fresh) != (value, cells):
            broken.append(f"change or assign: of {state!r}, variable {variable}, choice {choice}")
        if broken:
            break
        state = now
    return broken
