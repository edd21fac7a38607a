"""A policy of windows inside one task: a strategy's order of branches, without its tasks.

Below the grain, a strategy that is the same at every node says only which results narrow the window
of which branch.  That is a small table, and one kernel follows any such table.
"""

from __future__ import annotations

from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from strategies.native.hooks import branches_of, child_of, moves_of
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    INFINITY,
    NARROW,
    POLLED,
    ROWS,
    STOP,
    STUCK,
    kernel,
    result,
)
from strategies.native.memory.cells import copy_cells

ON, HELD, HOLD, ALL = range(4)
"""What a branch sees: what the one before it sees and that one's result; what is held; all earlier
results, which are held from now on; all earlier results."""

TOO_MANY: Final = 2
"""In the `STOP` cell: a node has more branches than the policy has columns."""

KINDS: Final = ("max", "min", "chance")


class NoPolicy(ValueError):
    """A strategy that is no policy, perhaps only for so many branches."""


@kernel
def follow(
    game: Game[Any, Any], state: Any, depth: int, alpha: float, beta: float,
    control: Any, policy: Any,
) -> tuple[float, float, int, int, int, int]:  # fmt: skip
    """A node searched as the policy says; see `Followed`."""
    row = ROWS + depth * (depth + 1) // 2
    over = game.status(state) != IN_PLAY
    if over or depth == 0:
        if depth > 0:
            control[row + 1] = END
        value = 0.0
        if over:
            value += result(game, state, depth, control)
        else:
            value += game.estimate(state)
        lo = -INFINITY if value <= alpha and alpha != -INFINITY else value
        hi = INFINITY if value >= beta and beta != INFINITY else value
        return lo, hi, 1, 1, 0, 0
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
    width = policy[0] + 1
    kind = 0 if player == MAXIE else 1
    nodes, leaves, pruned, index = 1, 0, 0, 0
    if HAS_CHANCE:  # noqa: SIM102
        if player == CHANCE:
            inlined = policy[1 + (2 * width + n) * width]
            low, high = 0.0, 0.0
            for probability, child in game.outcomes(state):
                if depth >= POLLED:
                    if control[STOP] != 0:
                        break
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
            control[row + 1] = END
            return low, high, nodes, leaves, inlined, pruned
    start = 1 + (kind * width + n) * width
    inlined = policy[start]
    low = high = -INFINITY if kind == 0 else INFINITY
    seen = held = low
    for branch in branches_of(game, state):
        if depth >= POLLED:
            if control[STOP] != 0:
                break
            control[row] = index
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
        if index == 0 or (lo > low if kind == 0 else hi < high):
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, row - depth + 1, depth - 1)
        if kind == 0:
            low, high, seen = max(low, lo), max(high, hi), max(seen, lo)
        else:
            low, high, seen = min(low, lo), min(high, hi), min(seen, hi)
        index += 1
    return low, high, nodes, leaves, inlined, pruned
