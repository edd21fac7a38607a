"""Local search over an `Assignment`, as kernels: one source for both engines.

The value is incremental, so a step costs one `change` per neighbour.  A search shares two rows of
cells with its caller: `control`, and `table` with the choice of each variable, the counters of the
problem, and the best assignment so far.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final

from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import unit_of
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import copy_cells

STOP, WORD, VALUE, BEST, STEPS, EVALUATIONS, STUCK, SIZE = range(8)
"""The cells of `control`: stop flag, state of the random numbers, value, least value so far, steps
done, neighbours evaluated, whether no neighbour was acceptable; and the number of these cells."""
FAR: Final = 1 << 60
COLDEST: Final = 1e-100
"""The least temperature, for a quotient to be finite."""

Cells = Any


def drawn(control: Cells, count: int) -> int:
    """Draw a random number from 0 to `count` - 1."""
    word = U64(control[WORD]) + GOLDEN
    control[WORD] = int(word)
    return int(mix(word) >> 1) % count


def warmly(control: Cells, change: int, heat: float) -> bool:
    """Return whether annealing accepts a change: always a better one, else by chance."""
    if change <= 0:
        return True
    word = U64(control[WORD]) + GOLDEN
    control[WORD] = int(word)
    return unit_of(mix(word)) < exp(-change / max(heat, COLDEST))


def begun(game: Any, control: Cells, table: Cells) -> None:
    """Load the start assignment as the best so far."""
    control[VALUE] = game.load(table)
    control[BEST] = control[VALUE]
    copy_cells(table, game.variables + game.counters, 0, game.variables)


def moved(game: Any, control: Cells, table: Cells, variable: int, choice: int) -> None:
    """Go to a neighbour, and record it if it is the best so far."""
    control[VALUE] = control[VALUE] + game.change(table, variable, choice)
    game.assign(table, variable, choice)
    control[STEPS] = control[STEPS] + 1
    if control[VALUE] < control[BEST]:
        control[BEST] = control[VALUE]
        copy_cells(table, game.variables + game.counters, 0, game.variables)


def least_change(game: Any, control: Cells, table: Cells) -> tuple[int, int]:
    """Return the least change of all neighbours, and the number of the first that has it."""
    least, found, number = FAR, -1, 0
    for variable in range(game.variables):
        if control[STOP] != 0:
            return FAR, -1
        now = table[variable]
        for choice in range(game.choices):
            if choice != now:
                change = game.change(table, variable, choice)
                if change < least:
                    least = change
                    found = number
                number += 1
    control[EVALUATIONS] = control[EVALUATIONS] + number
    return least, found


def nth_within(game: Any, table: Cells, limit: int, n: int) -> tuple[int, int]:
    """Return the number of the n-th neighbour that changes at most `limit`, and how many passed."""
    number, count = 0, 0
    for variable in range(game.variables):
        now = table[variable]
        for choice in range(game.choices):
            if choice != now:
                if game.change(table, variable, choice) <= limit:
                    if count == n:
                        return number, count
                    count += 1
                number += 1
    return -1, count


def go_to(game: Any, control: Cells, table: Cells, number: int) -> None:
    """Go to the neighbour with a number, counted by variable, then by choice."""
    variable, choice = number // (game.choices - 1), number % (game.choices - 1)
    if choice >= table[variable]:
        choice += 1
    moved(game, control, table, variable, choice)


@kernel
def descend(game: Any, state: int, steps: int, tolerance: int, control: Cells, table: Cells) -> int:
    """Run steepest descent; return the final value.  A negative `tolerance` demands improvement."""
    begun(game, control, table)
    while control[VALUE] != 0 and control[STEPS] < steps:
        least, number = least_change(game, control, table)
        if control[STOP] != 0:
            break
        if tolerance >= 0 and number >= 0:
            limit = min(least, 0) + tolerance
            _, count = nth_within(game, table, limit, FAR)
            number = -1
            if count > 0:
                number, _ = nth_within(game, table, limit, drawn(control, count))
        elif least >= 0:
            number = -1
        if number < 0:
            control[STUCK] = 1
            break
        go_to(game, control, table, number)
    return int(control[VALUE])


@kernel
def improve(game: Any, state: int, steps: int, tolerance: int, control: Cells, table: Cells) -> int:
    """Run first improvement: go to the first acceptable neighbour, starting from a random one."""
    begun(game, control, table)
    others = game.choices - 1
    count = game.variables * others
    limit = tolerance if tolerance >= 0 else -1
    while control[VALUE] != 0 and control[STEPS] < steps and control[STOP] == 0:
        number = drawn(control, count) if count > 0 else 0
        looked, found = 0, -1
        while looked < count and found < 0:
            if looked & 4095 == 4095 and control[STOP] != 0:
                break
            variable, choice = number // others, number % others
            if choice >= table[variable]:
                choice += 1
            if game.change(table, variable, choice) <= limit:
                found = number
            looked += 1
            number = number + 1 if number + 1 < count else 0
        control[EVALUATIONS] = control[EVALUATIONS] + looked
        if found < 0:
            if control[STOP] == 0:
                control[STUCK] = 1
            break
        go_to(game, control, table, found)
    return int(control[VALUE])


@kernel
def anneal(
    game: Any, state: int, steps: int, temperature: float, cooling: float, control: Cells,
    table: Cells,
) -> int:  # fmt: skip
    """Run simulated annealing: a step looks at one random neighbour, and may stay."""
    begun(game, control, table)
    count = game.variables * (game.choices - 1)
    heat = temperature
    while control[VALUE] != 0 and control[STEPS] < steps and control[STOP] == 0:
        if count == 0:
            control[STUCK] = 1
            break
        number = drawn(control, count)
        variable, choice = number // (game.choices - 1), number % (game.choices - 1)
        if choice >= table[variable]:
            choice += 1
        change = game.change(table, variable, choice)
        control[EVALUATIONS] = control[EVALUATIONS] + 1
        if warmly(control, change, heat):
            moved(game, control, table, variable, choice)
        else:
            control[STEPS] = control[STEPS] + 1
        heat *= cooling
    return int(control[VALUE])


@kernel
def repair(game: Any, state: int, steps: int, control: Cells, table: Cells) -> int:
    """Run min-conflicts: a random variable in conflict gets the choice of the least value."""
    begun(game, control, table)
    while control[VALUE] != 0 and control[STEPS] < steps and control[STOP] == 0:
        count = 0
        for variable in range(game.variables):
            if game.conflicts(table, variable) != 0:
                count += 1
        at, nth = 0, drawn(control, count)
        while nth > 0 or game.conflicts(table, at) == 0:
            if game.conflicts(table, at) != 0:
                nth -= 1
            at += 1
        now = int(table[at])
        least, ties, best = 0, 1, now
        for choice in range(game.choices):
            change = game.change(table, at, choice) if choice != now else 0
            if change < least or (change == least and choice != now):
                ties = 1 if change < least else ties + 1
                least = change
                if drawn(control, ties) == 0:
                    best = choice
        control[EVALUATIONS] = control[EVALUATIONS] + game.choices - 1
        if best != now:
            moved(game, control, table, at, best)
        else:
            control[STEPS] = control[STEPS] + 1
    return int(control[VALUE])
