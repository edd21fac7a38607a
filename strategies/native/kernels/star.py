"""Searches by expectimax with windows that pass through chance nodes: Star1 and Star2, with a
table.

At a chance node each outcome has the window in which it matters.  With probes (Star2), the first
branch of every outcome is searched before any outcome is: it bounds the outcome from below where
Maxie moves, from above where Minnie moves.  The table keeps the results of probes, so that nothing
is searched twice.

If all outcomes are known, the mean sums them in order, as everywhere, so that the value is the same
to the last bit as without pruning.

A mean lies between the means that result if every unknown outcome has the least value, or the
greatest.  An outcome matters only while its value can bring the mean inside the window.

Source: Ballard, The star-minimax search procedure for trees containing chance nodes (1983).
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN
from strategies.native.hooks import branches_of, child_of, hash_of, stack_array, stack_array_size
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
    part_of_sum,
    result,
    row_of,
    tail_of,
)
from strategies.native.kernels.expectimax import LEAVES, LINES, NODES, OPTION, TABLED
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, finite
from strategies.native.memory.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    answers,
    keep,
    move_in,
    probe,
)


@kernel
def star(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float, low: float,
    high: float, slack: float, control: Any, table: Any,
) -> float:  # fmt: skip
    """Search `state` for its fail-soft value, where all values lie in [low, high].

    Values are compared from the side of the player to move, `sign` times Maxie's.
    """
    # Step 1. The row of this depth in the triangle of lines; `below` is that of the children.
    row = row_of(LINES, depth)
    below = row_of(LINES, depth - 1)
    if depth > 0:
        control[row + 1] = END
    over = game.status(state) != IN_PLAY
    if over or depth == 0:
        if stopped(control):
            return 0.0
        control[NODES] += 1
        control[LEAVES] += 1
        return float(result(game, state, depth, control) if over else finite(game.estimate(state)))
    # Step 2. Table look-up; an entry one ply above the leaves would cost more than it saves.
    control[NODES] += 1
    player = game.player(state)
    kept = control[TABLED] != 0 and depth > 1
    word = U64(0)
    if kept:
        word = hash_of(game, state) ^ (U64(depth) * GOLDEN)
        entry, known = probe(table, control, word)
        moves = (
            player == CHANCE or move_in(entry) != END
        )  # branches with large numbers are not stored
        if moves and answers(entry, known, depth, alpha, beta):
            control[row + 1] = move_in(entry)
            if depth > 1:
                control[row + 2] = END
            return known
    best = 0.0
    index = 0
    if HAS_CHANCE and player == CHANCE:
        # Step 3. A chance node.  The mean lies in [least, most], which narrows with each outcome;
        # outcome n is known to lie in [lows[n], highs[n]], if the frame has room for it.
        least, most = low, high
        total = 0.0
        if depth >= TRACED:  # a cut may come before the sum is known; below, this would cost time
            for chance, _ in game.outcomes(state):
                total += part_of_sum(chance)
            check_sum(total, control)
            total = 0.0
        size = stack_array_size(state) if control[OPTION] != 0 and depth > 1 else 0
        lows = stack_array(state, low)
        highs = stack_array(state, high)
        for n in range(size):
            lows[n] = low
            highs[n] = high
        # Step 4. Probes (Star2): the first branch of each outcome bounds its value on the mover's
        # side.  Such a bound can help only on a side where the window is narrower than the range.
        if size > 0:
            for chance, child in game.outcomes(state):
                if index == size:
                    break
                mover = game.player(child)
                narrower = beta < high if mover == MAXIE else alpha > low
                if narrower and mover != CHANCE and game.status(child) == IN_PLAY:
                    a, b = outcome_window(alpha, beta, least, most, chance, low, high, slack)
                    if a >= b:
                        break
                    if stopped(control):
                        return best
                    if depth >= TRACED:
                        control[row] = index
                        control[below] = 0
                    control[NODES] += 1
                    # The loop ends after one branch, the first one of the game.
                    for branch in branches_of(game, child):
                        found = star(
                            game, child_of(game, child, branch), depth - 2, a, b, low, high, slack,
                            control, table,
                        )  # fmt: skip
                        if mover == MAXIE and found > a:
                            lows[index] = min(max(found, low), high)
                        elif mover != MAXIE and found < b:
                            highs[index] = max(min(found, high), low)
                        break
                    least, most = narrowed(
                        least, most, chance, low, high, lows[index], highs[index]
                    )
                index += 1
        # Step 5. Search the outcomes (Star1), each in the window in which its value can still bring
        # the mean inside (alpha, beta); once no value can, the rest is pruned.
        lower, upper = 0.0, 0.0
        index = 0
        cut = False
        for chance, child in game.outcomes(state):
            total += part_of_sum(chance)
            lo = lows[index] if index < size else low
            hi = highs[index] if index < size else high
            was_lo, was_hi = lo, hi
            a, b = outcome_window(alpha, beta, least, most, chance, lo, hi, slack)
            if a >= b and lo < hi:
                cut = True
                break
            if lo < hi:
                if stopped(control):
                    return best
                if depth >= TRACED:
                    control[row] = index
                found = star(game, child, depth - 1, a, b, low, high, slack, control, table)
                if found < b:
                    hi = min(hi, found)
                if found > a:
                    lo = max(lo, found)
                least, most = narrowed(least, most, chance, was_lo, was_hi, lo, hi)
            lower += chance * lo
            upper += chance * hi
            index += 1  # noqa: SIM113 - `enumerate` is slower in compiled code
        # Step 6. The fail-soft bound.  After a cut it is the end of [least, most] nearer to the
        # window, moved by the slack for rounding; if all outcomes are exact, their plain mean,
        # summed in order as without pruning, so that it is the same to the last bit.
        control[row + 1] = END
        check_sum(max(total, 1.0) if cut else total, control)  # after a cut, of those it has read
        if cut:
            best = most + slack if most + slack <= alpha else least - slack
        elif lower < upper:
            best = upper if upper <= alpha else lower
        else:
            best = lower
        if kept and control[STOP] == 0:
            kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            keep(table, control, word, depth, kind, END, best)
        return best
    # Step 7. A player's node: fail-soft alpha-beta, whose window narrows as the leader improves.
    sign = 1.0 if player == MAXIE else -1.0
    floor, ceiling = alpha, beta
    best = -float(BEYOND)
    lead = 0
    index = -1
    for branch in branches_of(game, state):
        index += 1
        if stopped(control):
            return sign * best
        if depth >= TRACED:
            control[row] = index
        child = child_of(game, state, branch)
        found = sign * star(
            game, child, depth - 1, floor, ceiling, low, high, slack, control, table
        )
        if found > best:
            best = found
            lead = index
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, below + 1, tail_of(depth))
            if player == MAXIE:
                floor = max(floor, found)
            else:
                ceiling = min(ceiling, -found)
            if floor >= ceiling:
                break
    if index < 0:
        control[STOP] = STUCK
    # Step 8. Store the value, unless the search was stopped and has none.
    best *= sign
    if kept and control[STOP] == 0:
        kind = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        keep(table, control, word, depth, kind, lead, best)
    return best


SLACK: Final = 2.0**-19
"""The relative error of a mean that is allowed for: probabilities sum to 1 only within 1e-6, and
sums are rounded.  A node is left only if its mean is outside by more, so that value and move are
the same to the last bit."""


def slack(low: float, high: float) -> float:
    """Return by how much a mean of values between `low` and `high` may be off."""
    return SLACK * max(abs(low), abs(high))


def roomy(low: float, high: float) -> tuple[float, float]:
    """Widen bounds so that no value in them reaches the new bounds, however it is rounded.

    The mean of two outcomes of value 3, with probabilities 0.2 and 0.8, is 3.0000000000000004.
    Inside the widened bounds it stays so; cut back to 3 it would differ from the value found
    without pruning.

    >>> low, high = roomy(-1.0, 3.0)
    >>> low < -1, high > 0.2 * 3 + 0.8 * 3 > 3
    (True, True)
    """
    more = slack(low, high)
    return low - more, high + more


def outcome_window(
    alpha: float, beta: float, least: float, most: float, chance: float, low: float, high: float,
    slack: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the window of an outcome; empty if its value does not matter.

    The mean is wanted in (alpha, beta), and known to lie in [least, most] while the outcome, whose
    probability is `chance`, is known to lie in [low, high].
    Ensures: a value at or beyond an end of the window, but within [low, high], puts the mean at or
    beyond the same end of (alpha, beta), and `outcome_window` of the others is then empty.

    >>> outcome_window(3.0, 9.0, 0.0, 10.0, 0.5, 0.0, 10.0, 0.0)  # the other adds 5 at most
    (0.0, 10.0)
    >>> outcome_window(3.0, 9.0, 0.5, 5.5, 0.5, 0.0, 10.0, 0.0)  # the other gave 1
    (5.0, 10.0)
    """
    if most + slack <= alpha or least - slack >= beta:
        return INFINITY, -INFINITY
    a = (alpha - 2 * slack - (most - chance * high)) / chance
    b = (beta + 2 * slack - (least - chance * low)) / chance
    return max(a, low), min(b, high)


def narrowed(
    least: float, most: float, chance: float, low: float, high: float, lo: float, hi: float
) -> tuple[float, float]:
    """Narrow the bounds of a mean when an outcome in [low, high] is found to lie in [lo, hi].

    >>> narrowed(0.0, 10.0, 0.5, 0.0, 10.0, 1.0, 1.0)
    (0.5, 5.5)
    """
    return least + chance * (lo - low), most - chance * (high - hi)
