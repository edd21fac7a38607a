"""Works out the values of positions from those that their branches lead to, sweep by sweep.

Sources: K. Thompson, Retrograde analysis of certain endgames (1986); for bounds from both sides,
S. Haddad and B. Monmege, Interval iteration algorithm for MDPs and IMDPs (2018).

From a strongly connected component, play can leave but never return, so each is solved once those
below it are. Beside the graph of `kernels.position_graph`, `components` writes to `control`, from
`SIZE` on, seven rows of a cell for each position:

- `PART`: the number of its component plus 1; a component has a greater number than those below;
- `ORDER`: the positions, each after those that were found below it (*postorder*);
- `LEVEL` and `DEPTH`, by component: how many components are below it on the longest way; and twice
  how many components with cycles, itself included, plus 1 if it has a cycle;
- three rows for the search itself.

Source: R. Tarjan, Depth-first search and linear graph algorithms (1972); P. Dai and J. Goldsmith,
Topological value iteration algorithm for Markov decision processes (2007).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import WIN, Game
from games.u64 import U64
from strategies.native.kernels.control import Control, kernel
from strategies.native.kernels.position_graph import COUNT, MAX, MEAN, SIZE
from strategies.native.memory.cells import stopped
from strategies.native.memory.floats import INFINITY, bits_of, float_of

TINY: Final = 1e-16
"""The change, in parts of the greatest value, below which bounds cannot get closer."""
POLLED: Final = 4095
"""How many positions are between two looks at the flag, as a mask."""
CURSOR, CHANGE, ORDERED = SIZE, SIZE + 2, SIZE + 4
"""Cells of the control, for the lower and the upper bound: where a sweep that was stopped goes on,
and the bits of its greatest change; and where the order of the positions begins."""


def worked_out(
    kind: int, at: int, end: int, leads: int, odds: int, values: int, table: Control
) -> float:
    """Return the value of a position in play, from those that its branches at…end lead to."""
    if kind == MEAN:
        found = 0.0
        while at < end:
            value = float_of(U64(table[values + table[leads + at]]))
            found += float_of(U64(table[odds + at])) * value
            at += 1
        return found
    found = float_of(U64(table[values + table[leads + at]]))
    at += 1
    while at < end:
        value = float_of(U64(table[values + table[leads + at]]))
        if value > found if kind == MAX else value < found:
            found = value
        at += 1
    return found


def wins_swept(
    begin: int, end: int, slots: int, most: int, branches: int, control: Control, table: Control
) -> int:
    """Work out the positions begin…end of the order once; return how many changed, or -1 if it is
    stopped.

    A win is worth 1 less at each ply.  Other threads may sweep other positions meanwhile.
    """
    kinds = slots + most
    values = kinds + most
    first = slots + 4 * most
    leads = first + most + 1
    changed = 0
    index = begin
    while index < end:
        if index & POLLED == POLLED and stopped(control):
            return -1
        here = control[ORDERED + index]
        at = table[first + here]
        last = table[first + here + 1]
        found = worked_out(table[kinds + here], at, last, leads, leads, values, table)
        if found >= WIN:
            found -= 1.0
        elif found <= -WIN:
            found += 1.0
        if found != float_of(U64(table[values + here])):
            table[values + here] = int(bits_of(found))
            changed += 1
        index += 1
    return changed


@kernel
def sweep_wins(
    game: Game[Any, Any], state: Any, begin: int, end: int, slots: int, most: int, branches: int,
    control: Control, table: Control,
) -> int:  # fmt: skip
    """Sweep a part of a large component once; return how many positions changed, or -1."""
    return wins_swept(begin, end, slots, most, branches, control, table)


@kernel
def settle_wins(
    game: Game[Any, Any], state: Any, begin: int, end: int, starts: int, slots: int, most: int,
    branches: int, control: Control, table: Control,
) -> int:  # fmt: skip
    """Work out wins in the components begin…end, one after the other; return -1 if stopped.

    At the cell `starts` of the control begin the components' places, as `settle_parts` reads them.
    """
    while begin < end:
        if stopped(control):
            return -1
        first = control[starts + 2 * begin]
        last = control[starts + 2 * begin + 2]
        changed = 1
        while changed > 0:
            changed = wins_swept(first, last, slots, most, branches, control, table)
            if changed < 0:
                return -1
            if control[starts + 2 * begin + 1] == 0:  # without a cycle, once is enough
                changed = 0
        begin += 1
    return 1


def bound_swept(
    begin: int, end: int, slots: int, most: int, branches: int, upper: int, greatest: float,
    control: Control, table: Control,
) -> float:  # fmt: skip
    """Work out a bound of the positions begin…end of the order once; return the greatest change,
    of which `greatest` is known already.

    If it is stopped, it returns -1, and notes where.
    """
    kinds = slots + most
    values = kinds + (2 if upper else 1) * most
    first = slots + 4 * most
    leads = first + most + 1
    index = begin
    while index < end:
        if index & POLLED == POLLED and stopped(control):
            control[CURSOR + upper] = index
            control[CHANGE + upper] = int(bits_of(greatest))
            return -1.0
        here = control[ORDERED + index]
        at = table[first + here]
        last = table[first + here + 1]
        found = worked_out(table[kinds + here], at, last, leads, leads + branches, values, table)
        before = float_of(U64(table[values + here]))
        gap = before - found if upper else found - before
        if gap > greatest:
            greatest = gap
        if gap > 0.0:  # rounding never takes a bound back, so that sweeps come to an end
            table[values + here] = int(bits_of(found))
        index += 1
    return greatest


@kernel
def sweep_bound(
    game: Game[Any, Any], state: Any, end: int, upper: int, slots: int, most: int, branches: int,
    control: Control, table: Control,
) -> int:  # fmt: skip
    """Sweep one bound of a large component, from where that was stopped; return 1, or -1 if it is
    stopped again."""
    greatest = bound_swept(
        control[CURSOR + upper], end, slots, most, branches, upper,
        float_of(U64(control[CHANGE + upper])), control, table,
    )  # fmt: skip
    if greatest < 0.0:
        return -1
    control[CURSOR + upper] = end
    control[CHANGE + upper] = int(bits_of(greatest))
    return 1


def begun(
    first: int, last: int, lows: int, lowest: float, highs: int, highest: float, control: Control,
    table: Control,
) -> None:  # fmt: skip
    """Set both bounds of the positions first…last of the order."""
    index = first
    while index < last:
        table[lows + control[ORDERED + index]] = int(bits_of(lowest))
        table[highs + control[ORDERED + index]] = int(bits_of(highest))
        index += 1


def results_of(
    first: int, last: int, slots: int, most: int, endless: float, control: Control, table: Control
) -> tuple[float, float]:
    """Return bounds of what play can be worth from a component with a cycle: it leaves for a
    position that is worked out already, or is endless."""
    lows = slots + 2 * most
    highs = lows + most
    begins = slots + 4 * most
    leads = begins + most + 1
    # No lower bound is infinite, so that this marks the positions of the component.
    begun(first, last, lows, INFINITY, highs, -INFINITY, control, table)
    lowest = highest = endless
    index = first
    while index < last:
        here = control[ORDERED + index]
        at = table[begins + here]
        while at < table[begins + here + 1]:
            low = float_of(U64(table[lows + table[leads + at]]))
            if low < INFINITY:
                lowest = min(lowest, low)
                highest = max(highest, float_of(U64(table[highs + table[leads + at]])))
            at += 1
        index += 1
    return lowest, highest


@kernel
def settle_parts(
    game: Game[Any, Any], state: Any, begin: int, end: int, starts: int, slots: int, most: int,
    branches: int, endless: float, control: Control, table: Control,
) -> int:  # fmt: skip
    """Work out both bounds in the components begin…end, one after the other; return -1 if stopped.

    At the cell `starts` of the control begin, for each component, the place in the order where it
    begins, and the bits of the difference of bounds that will do, in parts of the greatest result
    that play can have from there; 0 says that it has no cycle.
    """
    lows = slots + 2 * most
    highs = lows + most
    while begin < end:
        if stopped(control):
            return -1
        first = control[starts + 2 * begin]
        last = control[starts + 2 * begin + 2]
        enough = float_of(U64(control[starts + 2 * begin + 1]))
        lowest, highest = -INFINITY, INFINITY
        if enough > 0.0:
            lowest, highest = results_of(first, last, slots, most, endless, control, table)
        begun(first, last, lows, lowest, highs, highest, control, table)
        greatest = max(1.0, abs(lowest), abs(highest))
        enough *= greatest
        tiny = TINY * greatest
        going = True
        while going:
            change = bound_swept(first, last, slots, most, branches, 0, 0.0, control, table)
            other = bound_swept(first, last, slots, most, branches, 1, 0.0, control, table)
            if change < 0.0 or other < 0.0:
                return -1
            going = enough > 0.0 and max(change, other) > tiny
            if going:
                going = False
                index = first
                while index < last:
                    here = control[ORDERED + index]
                    low = float_of(U64(table[lows + here]))
                    if float_of(U64(table[highs + here])) - low > enough:
                        going = True
                    index += 1
        begin += 1
    return 1


PART, ORDER, LEVEL, DEPTH, PATH, NEXT, OPEN, ROWS = range(8)


@kernel
def components(
    game: Game[Any, Any], state: Any, slots: int, most: int, states: int, control: Control,
    table: Control,
) -> int:  # fmt: skip
    """Find the components of all positions; return how many there are, or -1 if stopped.

    The slots of the graph are overwritten, and the positions, which begin at the cell `states`;
    their values are not.
    """
    count = control[COUNT]
    first = slots + 4 * most
    leads = first + most + 1
    low = states
    part = SIZE
    order = part + count
    level = order + count
    depth = level + count
    path = depth + count
    cursor = path + count
    stack = cursor + count
    index = 0
    while index < count:
        table[index] = 0  # when it was found: from 1 on
        index += 1
    found = 1
    parts = 0
    finished = 0
    opened = 1
    steps = 0
    top = 0
    table[0] = 1
    table[low] = 1
    control[path] = 0
    control[cursor] = table[first]
    control[stack] = 0
    while top >= 0:
        steps += 1
        if steps & POLLED == 0 and stopped(control):
            return -1
        here = control[path + top]
        at = control[cursor + top]
        if at < table[first + here + 1]:
            control[cursor + top] = at + 1
            child = table[leads + at]
            if table[child] == 0:
                found += 1
                table[child] = found
                table[low + child] = found
                control[stack + opened] = child
                opened += 1
                top += 1
                control[path + top] = child
                control[cursor + top] = table[first + child]
            elif control[part + child] == 0 and table[child] < table[low + here]:
                table[low + here] = table[child]
        else:
            control[order + finished] = here
            finished += 1
            top -= 1
            if top >= 0:
                above = control[path + top]
                if table[low + here] < table[low + above]:
                    table[low + above] = table[low + here]
            if table[low + here] == table[here]:
                begin = opened - 1
                while control[stack + begin] != here:
                    begin -= 1
                closed(stack, begin, opened, parts, first, leads, count, control, table)
                opened = begin
                parts += 1
    return parts


def closed(
    stack: int, begin: int, end: int, number: int, first: int, leads: int, count: int,
    control: Control, table: Control,
) -> None:  # fmt: skip
    """Number the component of the positions begin…end of the stack, and find how deep it is."""
    part = SIZE
    level = part + 2 * count
    depth = level + count
    index = begin
    while index < end:
        control[part + control[stack + index]] = number + 1
        index += 1
    high, deep, cycles = 0, 0, end - begin > 1
    index = begin
    while index < end:
        here = control[stack + index]
        at = table[first + here]
        while at < table[first + here + 1]:
            below = control[part + table[leads + at]] - 1
            if below == number:
                cycles = True
            else:
                high = max(high, control[level + below] + 1)
                deep = max(deep, control[depth + below] >> 1)
            at += 1
        index += 1
    control[level + number] = high
    control[depth + number] = 2 * deep + 3 if cycles else 2 * deep
