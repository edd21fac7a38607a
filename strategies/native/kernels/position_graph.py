"""Explores all positions that can be reached from one, and works out their values by sweeps.

The graph is one row of cells, `table`:

- `slots` cells, a power of two: at the slot of its hash, the number of a position plus 1, or 0;
- `most` cells each for the hash of a position, its kind, and the bits of two floats: its value, or
  a lower and an upper bound;
- `most` + 1 cells: the first of a position's branches, which end where those of the next begin;
- `branches` cells: the position that a branch leads to; in games with chance as many more, for the
  bits of its probability;
- the positions themselves, `cells_in(state)` cells each.

A position is identified by its 64-bit hash.  Sources: K. Thompson, Retrograde analysis of certain
endgames (1986); for bounds from both sides, S. Haddad and B. Monmege, Interval iteration algorithm
for MDPs and IMDPs (2018).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.hooks import (
    branches_of,
    cells_in,
    child_of,
    hash_of,
    in_arena,
    kept,
    memory_mark,
    memory_release,
    put_state,
    taken_state,
)
from strategies.native.kernels.control import (
    HAS_CHANCE,
    IN_PLAY,
    STOP,
    STUCK,
    Control,
    check_sum,
    kernel,
)
from strategies.native.memory.cells import stopped
from strategies.native.memory.floats import bits_of, finite, float_of

COUNT, DONE, BRANCHES, WIDTH, SIZE = range(1, 6)
"""Cells of the control: positions found, positions expanded, their branches, the cells of a
position; and the size of a control."""
OVER, MAX, MIN, MEAN = range(4)
"""The kinds of positions."""
FINISHED, HALTED, FULL_OF_POSITIONS, FULL_OF_BRANCHES = range(4)
"""How `explore` ends."""
TOP: Final = float(WIN + (1 << 40))
"""The value of a finished win, in a graph where each ply to a win takes 1 away."""


def slot_of(table: Control, slots: int, word: U64) -> int:
    """Return the slot of a hash: its own, or the free one where it belongs."""
    at = int(word & (slots - 1))
    while table[at] != 0 and U64(table[slots + table[at] - 1]) != word:
        at = (at + 1) & (slots - 1)
    return at


def number_of(
    game: Game[Any, Any], state: Any, slots: int, most: int, states: int, count: int,
    table: Control,
) -> int:  # fmt: skip
    """Return the number of a position, which is stored as number `count` if it is new; -1 if there
    is no room for it."""
    word = hash_of(game, state)
    slot = slot_of(table, slots, word)
    if table[slot] == 0:
        if count == most:
            return -1
        table[slots + count] = int(word)
        put_state(table, states + count * cells_in(state), state)
        table[slot] = count + 1
    return int(table[slot]) - 1


@kernel
def width(game: Game[Any, Any], state: Any, control: Control) -> int:
    """Return the cells that a position takes."""
    return cells_in(state)


@kernel
def explore(
    game: Game[Any, Any], state: Any, slots: int, most: int, branches: int, control: Control,
    table: Control,
) -> int:  # fmt: skip
    """Find all positions that can be reached from `state`, and their branches."""
    kinds = slots + most
    values = kinds + most
    first = values + 2 * most
    leads = first + most + 1
    odds = leads + branches
    states = odds + branches if HAS_CHANCE else odds
    size = cells_in(state)
    mark = memory_mark(game)
    if control[COUNT] == 0:
        control[COUNT] = 1 + number_of(game, state, slots, most, states, 0, table)
    count = control[COUNT]
    at = control[BRANCHES]
    index = control[DONE]
    while index < count:
        if stopped(control):
            return HALTED
        if not in_arena(state):
            memory_release(game, mark)
        here = taken_state(table, states + index * size, state)
        table[first + index] = at
        begin = at
        if game.status(here) != IN_PLAY:
            table[kinds + index] = OVER
            table[values + index] = int(bits_of(float(finite(game.utility(here)))))
        else:
            player = game.player(here)
            if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
                if player == CHANCE:
                    table[kinds + index] = MEAN
                    total = 0.0
                    for probability, child in kept(game.outcomes(here)):
                        if at == branches:
                            return FULL_OF_BRANCHES
                        number = number_of(game, child, slots, most, states, count, table)
                        if number < 0:
                            return FULL_OF_POSITIONS
                        count = max(count, number + 1)
                        table[leads + at] = number
                        table[odds + at] = int(bits_of(float(probability)))
                        total += float(probability)
                        at += 1
                    check_sum(total, control)
            if player != CHANCE:
                table[kinds + index] = MAX if game.players == 1 or player == MAXIE else MIN
                for branch in kept(branches_of(game, here)):
                    if at == branches:
                        return FULL_OF_BRANCHES
                    before = memory_mark(game)
                    child = child_of(game, here, branch)
                    number = number_of(game, child, slots, most, states, count, table)
                    if number < 0:
                        return FULL_OF_POSITIONS
                    if number < count:  # it was known
                        memory_release(game, before)
                    count = max(count, number + 1)
                    table[leads + at] = number
                    at += 1
            if at == begin:
                control[STOP] = STUCK
            if control[STOP] == STUCK:
                return HALTED
        index += 1
        table[first + index] = at
        control[COUNT] = count
        control[BRANCHES] = at
        control[DONE] = index
    return FINISHED


@kernel
def sweep(
    game: Game[Any, Any], state: Any, slots: int, most: int, branches: int, values: int,
    nearer: bool, control: Control, table: Control,
) -> float:  # fmt: skip
    """Work out every position once from its branches, the last first; return the greatest change.

    `values` is the cell where the values begin.  With `nearer`, a win is worth 1 less at each ply.
    """
    kinds = slots + most
    first = slots + 4 * most
    leads = first + most + 1
    odds = leads + branches
    change = 0.0
    index = control[COUNT] - 1
    while index >= 0:
        kind = table[kinds + index]
        if kind != OVER:
            at = table[first + index]
            end = table[first + index + 1]
            found = float_of(U64(table[values + table[leads + at]]))
            if HAS_CHANCE:  # noqa: SIM102
                if kind == MEAN:
                    found = 0.0
                    while at < end:
                        value = float_of(U64(table[values + table[leads + at]]))
                        found += float_of(U64(table[odds + at])) * value
                        at += 1
            if kind != MEAN:
                at += 1
                while at < end:
                    value = float_of(U64(table[values + table[leads + at]]))
                    if value > found if kind == MAX else value < found:
                        found = value
                    at += 1
                if nearer:
                    if found >= WIN:
                        found -= 1.0
                    elif found <= -WIN:
                        found += 1.0
            before = float_of(U64(table[values + index]))
            gap = abs(found - before)
            if gap > change:
                change = gap
            if gap > 0.0:
                table[values + index] = int(bits_of(found))
        index -= 1
        if index & 4095 == 0 and stopped(control):
            return -1.0
    return change
