"""Local search over an `Assignment`, as kernels: one source for both engines.

The value is kept up to date, so that a step costs one `change` for each neighbour.  A search shares
cells with its caller, its `control`, and the row that the problem works on, its `table`: the choice
of each variable, the problem's counters, then the best assignment so far.
"""

from __future__ import annotations

from typing import Any, Final

from games.u64 import U64
from strategies.native.hooks import GOLDEN, mix
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import copy_cells

STOP, WORD, VALUE, BEST, STEPS, EVALUATIONS, STUCK, SIZE = range(8)
"""The cells of `control`: the flag that ends the search, the state of its random numbers, the value
and the least so far, steps done, neighbours valued, whether no neighbour would do; their number."""
FAR: Final = 1 << 60

Cells = Any


def drawn(control: Cells, count: int) -> int:
    """Draw a random number from 0 to `count` - 1."""
    word = U64(control[WORD]) + GOLDEN
    control[WORD] = int(word)
    return int(mix(word) >> 1) % count


def begun(game: Any, control: Cells, table: Cells) -> None:
    """Load the assignment, which is the best so far."""
    control[VALUE] = game.load(table)
    control[BEST] = control[VALUE]
    copy_cells(table, game.variables + game.counters, 0, game.variables)


def moved(game: Any, control: Cells, table: Cells, variable: int, choice: int) -> None:
    """Go to a neighbour, and keep it if it is the best so far."""
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
    """Descend steeply; return the final value.  A `tolerance` below 0 wants better neighbours."""
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
    """Go to the first improvement: the first neighbour that will do, from a random one on."""
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
def repair(game: Any, state: int, steps: int, control: Cells, table: Cells) -> int:
    """Repair conflicts: a random variable in conflict gets the choice of the least value."""
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
