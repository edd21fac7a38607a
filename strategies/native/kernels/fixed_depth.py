"""Searches to a fixed depth, counts positions and plays at random: one source for both engines.

The kernels are plain Python over the rules of a game.  Begin reading at `search`.

Each calls only itself, because machine code that recurses through two functions cannot be loaded
from a cache safely.  `HAS_CHANCE` is a constant of the compiled code: the search of a game without
outcomes has no code for chance nodes.

A search shares its `control` cells with its caller: whether to stop, whether to narrow windows,
whether nearer wins are worth more; the numbers of nodes and leaves visited; then a triangle, whose
row d belongs to the node with d plies left that is being searched: the index of the branch that it
is in, and the best line found below it, d cells or fewer and `END`.  Because counts are in cells, a
node returns a single number.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import branches_of, child_of, hash_of, kept, unit_of, window_of
from strategies.native.kernels.control import (
    BEYOND,
    DEEP,
    END,
    EVERY_LEAF,
    HAS_CHANCE,
    IN_PLAY,
    LEAVES,
    NARROW,
    NODES,
    ROWS,
    STOP,
    STUCK,
    TRACED,
    Control,
    Value,
    check_sum,
    kernel,
    last_kernel,
    leaf,
    part_of_sum,
    result,
    row_of,
    tail_of,
    variant,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, finite
from strategies.native.memory.transposition_table import EXACT, depth_in, keep, kind_in, probe


@kernel
def search(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control
) -> Value:
    """Search `state` for its fail-soft value; counts and principal variation are left in
    `control`."""
    if stopped(control):
        return 0
    if depth > 0:
        control[row_of(ROWS, depth) + 1] = END
    over = game.status(state) != IN_PLAY
    if over or depth == 0:
        control[NODES] += 1
        control[LEAVES] += 1
        return result(game, state, depth, control) if over else finite(game.estimate(state))
    low, high = window_of(game, state, alpha, beta)
    if depth == 1:
        return last_ply(game, state, low, high, control)
    return descend(game, state, depth, low, high, control)


@kernel
def descend(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, control: Control
) -> Value:
    """Search a position in play with two plies left or more, as `search` does.

    Values are compared from the side of the player to move, `sign` times Maxie's; a branch takes
    the lead only if it is strictly better than `low`, because others do not matter above.  Finished
    children are valued here, in their parent.
    """
    # Step 1. The row of this depth in the triangle of lines; `below` is that of the children.
    row = ROWS + depth * (depth + 1) // 2
    below = row - depth
    rest = depth - 1
    if DEEP:
        row, below, rest = row_of(ROWS, depth), row_of(ROWS, depth - 1), tail_of(depth)
    index = 0
    control[NODES] += 1
    player = game.player(state)
    # Step 2. A chance node: the mean of all outcomes.  Each has an open window, since the mean may
    # lie inside the window though an outcome does not; its line ends here.
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            mean = total = 0.0
            for probability, child in game.outcomes(state):
                if depth >= TRACED:
                    if stopped(control):
                        break
                    control[row] = index
                total += part_of_sum(probability)
                if game.status(child) != IN_PLAY:
                    control[NODES] += 1
                    control[LEAVES] += 1
                    found = result(game, child, depth - 1, control)
                elif depth == 2:  # a reversed window asks for no line
                    found = last_ply(game, child, INFINITY, -INFINITY, control)
                else:
                    found = descend(game, child, depth - 1, -INFINITY, INFINITY, control)
                mean += probability * found
                index += 1
            check_sum(total, control)
            control[row + 1] = END
            return mean
    # Step 3. The window from the side of the player to move.
    maximum = game.players == 1 or player == MAXIE
    sign = 1 if maximum else -1
    low = alpha if maximum else -beta
    high = beta if maximum else -alpha
    best: float = -BEYOND
    index = -1
    for branch in branches_of(game, state):
        index += 1
        # Step 4. Poll the stop flag, and write in which branch this node is: `failures` follows it
        # if a rule fails below.  Two plies above the leaves, `last_ply` polls.
        if depth >= TRACED:
            if stopped(control):
                break
            control[row] = index
        # Step 5. The value of the branch.  A finished child is valued here, which saves a call; two
        # plies above the leaves, the other children go to the loop of leaves.
        child = child_of(game, state, branch)
        if game.status(child) != IN_PLAY:
            control[NODES] += 1
            control[LEAVES] += 1
            control[below + 1] = END
            found = sign * result(game, child, depth - 1, control)
        elif depth == 2:
            found = sign * last_ply(game, child, alpha, beta, control)
        else:
            found = sign * descend(game, child, depth - 1, alpha, beta, control)
        # Step 6. The fail-soft bound is the best of all; only a value above `low` takes the lead.
        best = found if found > best else best  # compiles without a conditional jump
        if found > low:
            low = found
            if found < high:  # else no node above needs the line of this one
                control[row + 1] = index
                if depth > 2:
                    copy_cells(control, row + 2, below + 1, rest)
                else:  # a single cell: a call would cost more
                    control[row + 2] = control[below + 1]
            # Step 7. A cutoff, or a narrower window for the branches to the right; not in minimax.
            if control[NARROW] != 0:
                if found >= high:
                    break
                if maximum:
                    alpha = found
                else:
                    beta = -found
    # Step 8. No branch at all: the caller reports that the rules contradict themselves.
    if index < 0:
        control[STOP] = STUCK
    return sign * best


deep_search = variant(search, "deep_search", DEEP=True)
"""The same kernel for searches of more than `WIDEST` plies."""


@last_kernel
def last_ply(
    game: Game[Any, Any], state: Any, alpha: float, beta: float, control: Control
) -> Value:
    """Search a position with one ply left, where every branch is a leaf.

    Most nodes with branches are of this kind: their loop calls nothing and keeps no line but one
    index.  A reversed window, from `INFINITY` to `-INFINITY`, cuts nothing off and asks for no
    line.
    """
    count = 0
    if stopped(control):
        return 0
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102
        if player == CHANCE:
            mean = total = 0.0
            for probability, child in game.outcomes(state):
                if EVERY_LEAF and stopped(control):
                    break
                total += part_of_sum(probability)
                mean += probability * leaf(game, child)
                count += 1
            check_sum(total, control)
            control[NODES] += count + 1
            control[LEAVES] += count
            control[ROWS + 2] = END
            return mean
    maximum = game.players == 1 or player == MAXIE
    sign = 1 if maximum else -1
    low = alpha if maximum else -beta
    high = beta if maximum else -alpha
    asked = not HAS_CHANCE or alpha < beta  # a constant where a chance node inlines this loop
    best: float = -BEYOND
    for branch in branches_of(game, state):
        if EVERY_LEAF and stopped(control):
            break
        found = sign * leaf(game, child_of(game, state, branch))
        count += 1
        best = found if found > best else best
        if asked and found > low:
            low = found
            if found < high:
                control[ROWS + 2] = count - 1
            elif control[NARROW] != 0:
                break
    if count == 0 and control[STOP] == 0:
        control[STOP] = STUCK
    control[NODES] += count + 1
    control[LEAVES] += count
    return sign * best


@kernel
def leaf_value(game: Game[Any, Any], state: Any, control: Control) -> Value:
    """Value a position with no plies left: a small kernel whose return type is that of values."""
    return leaf(game, state)


@kernel
def perft(game: Game[Any, Any], state: Any, depth: int, ended: bool, control: Control) -> int:
    """Count the positions after exactly `depth` plies, and games that have `ended` before if
    asked."""
    if depth == 0:
        return 1
    if depth >= TRACED and stopped(control):
        return 0
    if game.status(state) != IN_PLAY:
        return 1 if ended else 0
    count = 0
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                count += perft(game, child, depth - 1, ended, control)
            return count
    none = True
    for branch in branches_of(game, state):
        none = False
        count += perft(game, child_of(game, state, branch), depth - 1, ended, control)
    if none:
        raise ValueError("a position in play has no moves")
    return count


@kernel
def complete_games(game: Game[Any, Any], state: Any, depth: int, whole: bool) -> int:
    """Count the games that end within `depth` plies; different orders of moves are different
    games.  If they must be `whole`, the count is -1 if one of them does not end within `depth`."""
    if game.status(state) != IN_PLAY:
        return 1
    if depth == 0:
        return -1 if whole else 0
    count = 0
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                found = complete_games(game, child, depth - 1, whole)
                if found < 0:
                    return found
                count += found
            return count
    none = True
    for branch in branches_of(game, state):
        none = False
        found = complete_games(game, child_of(game, state, branch), depth - 1, whole)
        if found < 0:
            return found
        count += found
    if none:
        raise ValueError("a position in play has no moves")
    return count


@kernel
def playout(game: Game[Any, Any], state: Any, seed: int, max_plies: int) -> tuple[Any, int]:
    """Play at random; return the last position and the plies played, the same on each engine.

    Every legal move is equally likely; an outcome has the probability that the game gives it.  It
    ends before at a position in play without moves.
    """
    word = U64(seed)
    plies = 0
    while plies < max_plies and game.status(state) == IN_PLAY:
        word = word + GOLDEN
        drawn = mix(word)
        here = state
        if HAS_CHANCE:  # noqa: SIM102
            if game.player(here) == CHANCE:
                left = unit_of(drawn)
                for probability, child in kept(game.outcomes(here)):
                    state = child
                    left -= probability
                    if left < 0:
                        break
                plies += 1
                continue
        count = 0
        for _ in game.moves(here):
            count += 1
        if count == 0:
            break
        chosen = int(drawn % count)
        for move in game.moves(here):
            if chosen == 0:
                state = game.make_move(here, move)
                break
            chosen -= 1
        plies += 1
    return state, plies


@kernel
def branch(game: Game[Any, Any], state: Any, index: int) -> Any:
    """Return the position that branch `index` of `state` leads to, in the order of the search."""
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            for _, child in game.outcomes(state):
                if index == 0:
                    return child
                index -= 1
    for move in game.moves(state):
        if index == 0:
            return game.make_move(state, move)
        index -= 1
    return state


LEAST: Final = 2
"""The plies of the smallest counts that are stored: one ply is counted as fast as looked up."""
MOST_STORED: Final = 1 << 53
"""Counts from here on are not stored, because the value of an entry is a float."""
TOO_MANY: Final = 2
"""In the `STOP` cell: a count needs more than 64 bits, so that in machine code it wrapped around.
Without a table, no count lives so long."""


@kernel
def perft_with_table(
    game: Game[Any, Any], state: Any, depth: int, ended: bool, control: Control, table: Any
) -> int:
    """Count the positions after exactly `depth` plies as `perft` does, with a table of counts.

    The plies left are part of the hash, so that counts of one position do not replace each other.
    """
    if depth == 0:
        return 1
    if depth >= TRACED and stopped(control):
        return 0
    if game.status(state) != IN_PLAY:
        return 1 if ended else 0
    word = U64(0)
    if depth >= LEAST:
        word = hash_of(game, state) ^ (U64(depth) * GOLDEN)
        entry, known = probe(table, control, word)
        if kind_in(entry) == EXACT and depth_in(entry) == depth:
            return int(known)
    count = 0
    none = True
    by_chance = False
    if HAS_CHANCE:  # noqa: SIM102
        if game.player(state) == CHANCE:
            by_chance = True
            none = False
            for _, child in game.outcomes(state):
                count += perft_with_table(game, child, depth - 1, ended, control, table)
                if count < 0:
                    control[STOP] = TOO_MANY
    if not by_chance:
        for branch in branches_of(game, state):
            none = False
            child = child_of(game, state, branch)
            count += perft_with_table(game, child, depth - 1, ended, control, table)
            if count < 0:
                control[STOP] = TOO_MANY
    if none:
        raise ValueError("a position in play has no moves")
    whole = control[STOP] == 0  # a stopped count is too small
    if whole and depth >= LEAST and count < MOST_STORED:
        keep(table, control, word, depth, EXACT, -1, float(count))
    return count
