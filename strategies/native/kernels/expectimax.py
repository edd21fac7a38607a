"""Searches by expectimax with a probability cutoff, a transposition table, and rounded means.

The probability of a node is the product of the probabilities of the outcomes that lead to it from
the root.  A chance node whose probability is below the cutoff is not opened, but valued by the
game's estimate.  So players look ahead to the next chance node, and improbable positions are not
studied.

A value then depends on the position, the plies left and the probability; an entry of the table
counts only if all three are equal, or the first two if there is no cutoff.  So a table never
changes a value or a move, whoever shares it.  All three are hashed: if play returns to a position
with fewer plies left, one entry would otherwise replace the other.

Source of the cutoff: R. Xiao, 2048-ai (2014), whose depth limit n is 2 n + 1 plies here.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN
from strategies.native.hooks import branches_of, child_of, hash_of
from strategies.native.kernels.control import (
    BEYOND,
    END,
    HAS_CHANCE,
    IN_PLAY,
    STOP,
    STUCK,
    TRACED,
    check_sum,
    kernel,
    leaf,
    part_of_sum,
    result,
    row_of,
    tail_of,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import bits_of, finite
from strategies.native.memory.transposition_table import (
    COUNTERS,
    DEPTHS,
    EXACT,
    depth_in,
    keep,
    kind_in,
    move_in,
    probe,
)

TABLED, OPTION, NODES, LEAVES = range(COUNTERS, COUNTERS + 4)
"""Cells of a control: whether there is a table, whether each term of a mean is rounded (in `star`,
whether outcomes are probed), both written by the caller; the numbers of nodes and leaves visited,
written by the kernel."""
LINES: Final = LEAVES + 1
"""The triangle of best lines begins here, as it does at `control.ROWS` in a plain search."""


def term(probability: float, value: float, control: Any) -> float:
    """Weight an outcome for a mean; if rounded, a half goes to the even number."""
    weighed = probability * value
    return float(round(weighed)) if control[OPTION] != 0 else weighed


@kernel
def expectimax(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    reach: float,
    cutoff: float,
    control: Any,
    table: Any,
) -> float:
    """Search `state`, reached with probability `reach`; counts and line are left in `control`."""
    if stopped(control):
        return 0.0
    if depth > 0:
        control[row_of(LINES, depth) + 1] = END
    over = game.status(state) != IN_PLAY
    if over or depth == 0 or (HAS_CHANCE and reach < cutoff and game.player(state) == CHANCE):
        control[NODES] += 1
        control[LEAVES] += 1
        return float(result(game, state, depth, control) if over else finite(game.estimate(state)))
    if depth == 1:
        return last_ply(game, state, control)
    return visit(game, state, depth, reach, cutoff, control, table)


@kernel
def visit(
    game: Game[Any, Any],
    state: Any,
    depth: int,
    reach: float,
    cutoff: float,
    control: Any,
    table: Any,
) -> float:
    """Search a position in play with two plies left or more, not cut off.

    Values are compared from the side of the player to move, `sign` times Maxie's.
    """
    # Step 1. The row of this depth in the triangle of lines; `below` is that of the children.
    row = row_of(LINES, depth)
    below = row_of(LINES, depth - 1)
    control[NODES] += 1
    index = 0
    player = game.player(state)
    # Step 2. Table look-up.  The depth is part of the hash; so is the reach probability if a cutoff
    # may depend on it.  The value of a chance node with two plies left depends on it only if chance
    # moves twice in a row: so the hash leaves it out, and step 3 stores no such entry.
    kept = control[TABLED] != 0
    word = U64(0)
    if kept:
        word = hash_of(game, state) ^ (U64(depth) * GOLDEN)
        if cutoff > 0.0 and (depth > 2 or player != CHANCE):
            word = word ^ (bits_of(reach) * GOLDEN)
        entry, known = probe(table, control, word)
        moves = (
            player == CHANCE or move_in(entry) != END
        )  # branches with large numbers are not stored
        if moves and kind_in(entry) == EXACT and depth_in(entry) == depth & DEPTHS:
            control[row + 1] = move_in(entry)
            control[row + 2] = END
            return known
    # Step 3. A chance node: the mean of the outcomes.  Improbable ones are valued by the game's
    # estimate; that is done here, which saves a call for each.
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            mean = total = 0.0
            for probability, child in game.outcomes(state):
                if stopped(control):
                    return mean
                total += part_of_sum(probability)
                if depth >= TRACED:
                    control[row] = index
                met = reach * probability
                asks = cutoff > 0.0 and game.player(child) == CHANCE
                if game.status(child) != IN_PLAY:
                    control[NODES] += 1
                    control[LEAVES] += 1
                    found = float(result(game, child, depth - 1, control))
                elif asks and met < cutoff:
                    control[NODES] += 1
                    control[LEAVES] += 1
                    found = float(finite(game.estimate(child)))
                elif depth == 2:
                    found = last_ply(game, child, control)
                else:
                    found = visit(game, child, depth - 1, met, cutoff, control, table)
                mean += term(probability, found, control)
                if asks and depth == 2:  # it depends on `reach`, which is not in the hash
                    kept = False
                index += 1
            check_sum(total, control)
            control[row + 1] = END
            if kept and control[STOP] == 0:
                keep(table, control, word, depth, EXACT, END, mean)
            return mean
    # Step 4. The player's branches, all of them: without windows, none is pruned.
    sign = 1.0 if player == MAXIE else -1.0
    best = -float(BEYOND)
    lead = 0
    for move in branches_of(game, state):
        if stopped(control):
            return sign * best
        if depth >= TRACED:
            control[row] = index
        # Step 5. The value of a branch: finished, cut off, with one ply left, or searched.
        child = child_of(game, state, move)
        if game.status(child) != IN_PLAY:
            control[NODES] += 1
            control[LEAVES] += 1
            control[below + 1] = END
            found = sign * result(game, child, depth - 1, control)
        elif HAS_CHANCE and reach < cutoff and game.player(child) == CHANCE:
            control[NODES] += 1
            control[LEAVES] += 1
            control[below + 1] = END
            found = sign * finite(game.estimate(child))
        elif depth == 2:
            found = sign * last_ply(game, child, control)
        else:
            found = sign * visit(game, child, depth - 1, reach, cutoff, control, table)
        # Step 6. A new leader, only if strictly better: the move is the leftmost of the best.
        if found > best:
            best = found
            lead = index
            control[row + 1] = index
            if control[below + 1] == END:  # chance follows: a call would cost more
                control[row + 2] = END
            else:
                copy_cells(control, row + 2, below + 1, tail_of(depth))
        index += 1
    if index == 0:
        control[STOP] = STUCK
    # Step 7. Store the value, unless the search was stopped and has none.
    if kept and control[STOP] == 0:
        keep(table, control, word, depth, EXACT, lead, sign * best)
    return sign * best


@kernel
def last_ply(game: Game[Any, Any], state: Any, control: Any) -> float:
    """Search a position with one ply left, where every branch is a leaf."""
    count = 0
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102
        if player == CHANCE:
            mean = total = 0.0
            for probability, child in game.outcomes(state):
                if stopped(control):
                    break
                total += part_of_sum(probability)
                mean += term(probability, float(leaf(game, child)), control)
                count += 1
            check_sum(total, control)
            control[NODES] += count + 1
            control[LEAVES] += count
            control[LINES + 2] = END
            return mean
    sign = 1.0 if player == MAXIE else -1.0
    best = -float(BEYOND)
    for move in branches_of(game, state):
        if stopped(control):
            break
        found = sign * leaf(game, child_of(game, state, move))
        if found > best:
            best = found
            control[LINES + 2] = count
        count += 1
    if count == 0 and control[STOP] == 0:
        control[STOP] = STUCK
    control[NODES] += count + 1
    control[LEAVES] += count
    return sign * best
