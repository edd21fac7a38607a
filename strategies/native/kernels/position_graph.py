"""Explores all positions that can be reached from one, in pieces that threads expand at once.

The graph is one row of cells, `table`:

- `slots` cells, a power of two: at the slot of its hash, the number of a position plus 1, or 0;
- `most` cells each for the hash of a position, its kind, and the bits of two floats: its value, or
  a lower and an upper bound;
- `most` + 1 cells: the first of a position's branches, which end where those of the next begin;
- `branches` cells: the position that a branch leads to; in games with chance as many more, for the
  bits of its probability;
- the positions themselves, `cells_in(state)` cells each;
- buffers, each for one piece: a cell for each position of it, with the end of its branches there;
  then a record for each branch: the number of the position that it leads to, or -1 if that was not
  known, its hash, the bits of its probability, and the position itself if it was not known.

Positions are numbered in the order in which one thread would find them: pieces are expanded at
once, and merged in their order.  A piece reads the slots while another is merged.  What it does
not find there, the merging looks up again, so that no number depends on the threads.

A position is identified by its 64-bit hash.  Source: K. Thompson, Retrograde analysis of certain
endgames (1986).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.hooks import (
    branches_of,
    cells_in,
    child_of,
    copied_state,
    copies_states,
    hash_of,
    in_arena,
    kept,
    memory_mark,
    memory_release,
    memory_swap,
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
    part_of_sum,
)
from strategies.native.memory.cells import stopped
from strategies.native.memory.floats import bits_of, finite

COUNT, DONE, BRANCHES, SIZE = range(1, 5)
"""Cells of the control: positions found, positions expanded, their branches; and the size of a
control."""
OVER, MAX, MIN, MEAN = range(4)
"""The kinds of positions."""
FINISHED, HALTED, FULL_OF_POSITIONS, FULL_OF_BRANCHES = range(4)
"""How a kernel ends."""
PIECE: Final = 1024
"""The most positions of a piece."""
RECORDS: Final = 1 << 18
"""The most branches of a piece."""
FEW: Final = 64
"""The most positions of a piece, where positions point to memory of the rules."""
LITTLE: Final = 256
"""Bytes of the rules' memory for a position that are not worth giving back."""
ELSEWHERE: Final = 1 << 25
"""The most bytes of the copies of a position's branches, but for the last: caches leave twice as
much of their memory free."""
EXPANDED_ALONE: Final = 1 << 20
"""The positions that `explore` expands alone in one call, unless more may be waiting."""
LINK, WORD, ODDS, CHILD = range(4)
"""Where the parts of a record begin."""
TOP: Final = float(WIN + (1 << 40))
"""The value of a finished win, in a graph where each ply to a win takes 1 away."""


def slot_of(table: Control, slots: int, word: U64) -> int:
    """Return the slot of a hash: its own, or the free one where it belongs."""
    at = int(word & (slots - 1))
    while table[at] != 0 and U64(table[slots + table[at] - 1]) != word:
        at = (at + 1) & (slots - 1)
    return at


@kernel
def width(game: Game[Any, Any], state: Any, control: Control) -> int:
    """Return the cells that a position takes; negative if they point to memory of the rules."""
    return -cells_in(state) if in_arena(state) else cells_in(state)


@kernel
def find_again(
    game: Game[Any, Any], state: Any, slots: int, control: Control, table: Control
) -> None:
    """Enter all positions into empty slots, by their hashes."""
    index = 0
    while index < control[COUNT]:
        table[slot_of(table, slots, U64(table[slots + index]))] = index + 1
        index += 1


@kernel
def copy_new(
    game: Game[Any, Any], state: Any, record: int, end: int, stride: int, keep: bool, most: int,
    table: Control,
) -> bool:  # fmt: skip
    """Copy the new positions of some records; return whether they take no more than `most` bytes.

    Without `keep`, the records stay as they are.
    """
    first = memory_mark(game)
    while record < end and memory_mark(game) - first <= most:
        if table[record] < 0:
            child = copied_state(game, taken_state(table, record + CHILD, state))
            if keep:
                put_state(table, record + CHILD, child)
        record += stride
    return memory_mark(game) - first <= most


@kernel
def settle(
    game: Game[Any, Any], state: Any, mark: int, record: int, end: int, stride: int, table: Control
) -> None:
    """Give back what rules have taken since a mark, except the new positions of some records.

    These are copied elsewhere, and back.  Positions that share large parts stay where they are, if
    copies would take more than half of what is given back.
    """
    taken = memory_mark(game) - mark
    if taken < LITTLE:
        return
    memory_swap(game)
    elsewhere = memory_mark(game)
    small = copy_new(game, state, record, end, stride, False, min(taken // 2, ELSEWHERE), table)
    memory_release(game, elsewhere)
    if small:
        copy_new(game, state, record, end, stride, True, ELSEWHERE, table)
        memory_swap(game)
        memory_release(game, mark)
        copy_new(game, state, record, end, stride, True, ELSEWHERE, table)
        memory_swap(game)
        memory_release(game, elsewhere)
    memory_swap(game)


@kernel
def expand(
    game: Game[Any, Any], state: Any, begin: int, end: int, slots: int, most: int, states: int,
    buffer: int, mark: int, control: Control, table: Control,
) -> int:  # fmt: skip
    """Write the branches of positions into a buffer; return how many positions it took, or -1."""
    kinds = slots + most
    size = cells_in(state)
    stride = CHILD + size
    records = buffer + PIECE
    at = 0
    index = begin
    while index < end:
        if stopped(control):
            return -1
        if not in_arena(state):
            memory_release(game, mark)
        here = taken_state(table, states + index * size, state)
        first = at
        since = memory_mark(game)
        if game.status(here) != IN_PLAY:
            table[kinds + index] = OVER
            table[kinds + most + index] = int(bits_of(float(finite(game.utility(here)))))
        else:
            player = game.player(here)
            if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
                if player == CHANCE:
                    table[kinds + index] = MEAN
                    total = 0.0
                    for probability, child in kept(game.outcomes(here)):
                        if at == RECORDS:
                            return index - begin
                        record = records + at * stride
                        word = hash_of(game, child)
                        number = table[slot_of(table, slots, word)] - 1
                        table[record] = number
                        table[record + ODDS] = int(bits_of(float(probability)))
                        if number < 0:
                            table[record + WORD] = int(word)
                            put_state(table, record + CHILD, child)
                        total += part_of_sum(float(probability))
                        at += 1
                    check_sum(total, control)
            if player != CHANCE:
                table[kinds + index] = MAX if game.players == 1 or player == MAXIE else MIN
                for branch in kept(branches_of(game, here)):
                    if at == RECORDS:
                        return index - begin
                    before = memory_mark(game)
                    child = child_of(game, here, branch)
                    record = records + at * stride
                    word = hash_of(game, child)
                    number = table[slot_of(table, slots, word)] - 1
                    table[record] = number
                    if number < 0:
                        table[record + WORD] = int(word)
                        put_state(table, record + CHILD, child)
                    else:
                        memory_release(game, before)
                    at += 1
            if at == first:
                control[STOP] = STUCK
            if control[STOP] == STUCK:
                return -1
        if copies_states(game):
            settle(
                game, state, since, records + first * stride, records + at * stride, stride, table
            )
        table[buffer + index - begin] = at
        index += 1
    return index - begin


@kernel
def merge(
    game: Game[Any, Any], state: Any, begin: int, count: int, slots: int, most: int,
    branches: int, states: int, buffer: int, control: Control, table: Control,
) -> int:  # fmt: skip
    """Move the branches of positions from a buffer into the graph, and number new positions."""
    kinds = slots + most
    first = slots + 4 * most
    leads = first + most + 1
    odds = leads + branches
    size = cells_in(state)
    found = control[COUNT]
    at = control[BRANCHES]
    record = buffer + PIECE
    taken = 0
    index = 0
    while index < count:
        table[first + begin + index] = at
        while taken < table[buffer + index]:
            if at == branches:
                return FULL_OF_BRANCHES
            number = table[record]
            if number < 0:
                word = U64(table[record + WORD])
                slot = slot_of(table, slots, word)
                if table[slot] == 0:
                    if found == most:
                        return FULL_OF_POSITIONS
                    child = taken_state(table, record + CHILD, state)
                    table[slots + found] = int(word)
                    put_state(table, states + found * size, child)
                    found += 1
                    table[slot] = found  # last, because threads read it
                number = table[slot] - 1
            table[leads + at] = number
            if table[kinds + begin + index] == MEAN:
                table[odds + at] = table[record + ODDS]
            at += 1
            taken += 1
            record += CHILD + size
        index += 1
        table[first + begin + index] = at
        control[COUNT] = found
        control[BRANCHES] = at
        control[DONE] = begin + index
    return FINISHED


@kernel
def explore(
    game: Game[Any, Any], state: Any, begin: int, end: int, alone: int, slots: int, most: int,
    branches: int, states: int, buffer: int, control: Control, table: Control,
) -> int:  # fmt: skip
    """Expand a piece into a buffer, and return how many of its positions were; -1 if stopped.

    With `alone`, expand and merge pieces until no positions or as many as `alone` are waiting, or
    at least `EXPANDED_ALONE` are expanded; return how that ended.
    """
    mark = memory_mark(game)
    if control[COUNT] == 0:
        word = hash_of(game, state)
        table[slots] = int(word)
        put_state(table, states, state)
        table[slot_of(table, slots, word)] = 1
        control[COUNT] = 1
    last = control[DONE] + max(EXPANDED_ALONE, alone)
    while True:
        if alone > 0:
            begin = control[DONE]
            waiting = control[COUNT] - begin
            if waiting == 0 or waiting >= alone or begin >= last:
                return FINISHED
            # What a piece finds twice takes memory of the rules until the call ends.
            end = begin + min(waiting, FEW if in_arena(state) else PIECE)
        count = expand(game, state, begin, end, slots, most, states, buffer, mark, control, table)
        if alone == 0:
            return count
        if count < 0:
            return HALTED
        if count == 0:
            return FULL_OF_BRANCHES
        ended = merge(
            game, state, begin, count, slots, most, branches, states, buffer, control, table
        )
        if ended != FINISHED:
            return ended
