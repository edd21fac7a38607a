"""Searches by a policy of windows: a strategy's order of branches inside one task.

Below the grain, a strategy that is the same at every node only decides which results narrow the
window of which branch.  That is a small table, and one kernel follows any such table.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from graphs.errors import JamboreeError
from strategies.native.hooks import branches_of, child_of, moves_of
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    NARROW,
    ROWS,
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
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, finite

ON, HELD, HOLD, ALL = range(4)
"""The results that a branch sees: those that the previous one sees, and its result; those that are
held; all earlier results, which are held from now on; all earlier results."""

TOO_MANY: Final = 2
"""In the `STOP` cell: the kernel met a node with more branches than the policy has columns."""

KINDS: Final = ("max", "min", "chance")


class NoPolicy(JamboreeError, ValueError):
    """A strategy cannot be expressed as a policy, at least for this number of branches."""


@kernel
def follow(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float,
    control: Any, policy: Any,
) -> tuple[float, float, int, int, int, int]:  # fmt: skip
    """Search a node as the policy says; return the fields of `Followed`, without the line."""
    # Step 1. A leaf: its value, as the interval that a fail-soft search in this window proves.
    row = row_of(ROWS, depth)
    over = game.status(state) != IN_PLAY
    if over or depth == 0:
        if depth > 0:
            control[row + 1] = END
        value = 0.0
        if stopped(control):
            pass
        elif over:
            value += result(game, state, depth, control)
        else:
            value += finite(game.estimate(state))
        lo = -INFINITY if value <= alpha and alpha != -INFINITY else value
        hi = INFINITY if value >= beta and beta != INFINITY else value
        return lo, hi, 1, 1, 0, 0
    # Step 2. Count the branches: the policy has a row for each number of them.
    player = game.player(state)
    n = 0
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            for _ in game.outcomes(state):
                n += 1
    if n == 0:
        for _ in moves_of(game, state):
            n += 1
    if n == 0 or n > policy[0]:
        control[STOP] = STUCK if n == 0 else TOO_MANY
        return -INFINITY, INFINITY, 1, 0, 0, 0
    # Step 3. A chance node: the mean of the outcomes' intervals, each in an open window.
    width = policy[0] + 1
    kind = 0 if player == MAXIE else 1
    nodes, leaves, pruned, index = 1, 0, 0, 0
    if HAS_CHANCE:  # noqa: SIM102
        if player == CHANCE:
            inlined = policy[1 + (2 * width + n) * width]
            low, high, total = 0.0, 0.0, 0.0
            for probability, child in game.outcomes(state):
                if stopped(control):
                    break
                total += part_of_sum(probability)
                if depth >= TRACED:
                    control[row] = index
                lo, hi, m, k, s, p = follow(
                    game, child, depth - 1, -INFINITY, INFINITY, control, policy
                )
                low += probability * lo
                high += probability * hi
                nodes += m
                leaves += k
                inlined += s
                pruned += p
                index += 1
            check_sum(total, control)
            control[row + 1] = END
            return low, high, nodes, leaves, inlined, pruned
    # Step 4. The policy's row.  `seen` narrows the window of the next branch; `held` is what was
    # seen earlier, for branches that see nothing newer.
    start = 1 + (kind * width + n) * width
    inlined = policy[start]
    low = high = -INFINITY if kind == 0 else INFINITY
    seen = held = low
    for branch in branches_of(game, state):
        if stopped(control):
            break
        if depth >= TRACED:
            control[row] = index
        # Step 5. What this branch sees, by its code; nothing, if windows do not narrow.
        code = policy[start + 1 + index]
        if code == HELD:
            seen = held
        elif code != ON:
            seen = low if kind == 0 else high
            if code == HOLD:
                held = seen
        a, b = alpha, beta
        if control[NARROW] == 0:
            a, b = -INFINITY, INFINITY
        elif kind == 0:
            a = max(alpha, seen)
        else:
            b = min(beta, seen)
        # Step 6. A closed window prunes the branch, whose value stays unknown.  Else search it.
        if a >= b:
            pruned += 1
            lo, hi = -INFINITY, INFINITY
        else:
            lo, hi, m, k, s, p = follow(
                game, child_of(game, state, branch), depth - 1, a, b, control, policy
            )
            nodes += m
            leaves += k
            inlined += s
            pruned += p
        # Step 7. A new leader, only if strictly better; then the interval maximum, or minimum.
        if index == 0 or (lo > low if kind == 0 else hi < high):
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, row_of(ROWS, depth - 1) + 1, tail_of(depth))
        if kind == 0:
            low, high, seen = max(low, lo), max(high, hi), max(seen, lo)
        else:
            low, high, seen = min(low, lo), min(high, hi), min(seen, hi)
        index += 1
    return low, high, nodes, leaves, inlined, pruned
