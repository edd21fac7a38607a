"""Finds the strongly connected components of a graph of positions, those that are left last first.

From a component, play can leave but never return, so each is solved once those below it are.
Beside the graph of `kernels.position_graph`, this kernel writes to `control`, from `SIZE` on, seven
rows of a cell for each position:

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

from games.game import Game
from strategies.native.kernels.control import Control, kernel
from strategies.native.kernels.position_graph import COUNT, SIZE
from strategies.native.memory.cells import stopped

PART, ORDER, LEVEL, DEPTH, PATH, NEXT, OPEN, ROWS = range(8)
POLLED: Final = 4095
"""How many steps are between two looks at the flag, as a mask."""


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
