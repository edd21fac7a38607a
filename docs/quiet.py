"""Quiescence search: an algorithm of a user's own, which the page on own algorithms explains."""

from typing import Any

from games import MAXIE
from strategies import Algorithm, register_algorithm
from strategies.algorithms.kernels import (
    IN_PLAY,
    INFINITY,
    LEAVES,
    NODES,
    Control,
    branches_of,
    child_of,
    enter_branch,
    keep_line,
    kernel,
    no_line,
    result,
    stopped,
)


@kernel
def quiesce(
    game: Any, state: Any, depth: int, alpha: float, beta: float, swing: float, extra: int,
    control: Control,
) -> float:  # fmt: skip
    """Search to a depth, then on by moves that change the estimate by more than `swing`."""
    control[NODES] += 1
    no_line(control, depth)
    if game.status(state) != IN_PLAY:
        control[LEAVES] += 1
        return result(game, state, max(depth, 0), control)
    sign = 1 if game.player(state) == MAXIE else -1
    low = alpha if sign == 1 else -beta  # the window as the player to move sees it
    high = beta if sign == 1 else -alpha
    best = -INFINITY
    now = sign * game.estimate(state)
    if depth <= 0:
        best = now  # the player may leave the position as it is
        low = max(low, best)
        if best >= high or depth == -extra or stopped(control):
            control[LEAVES] += 1
            return sign * best
    for index, branch in enumerate(branches_of(game, state)):
        if stopped(control):
            break
        child = child_of(game, state, branch)
        quiet = game.status(child) == IN_PLAY and abs(sign * game.estimate(child) - now) <= swing
        if depth > 0 or not quiet:
            enter_branch(control, depth, index)
            a, b = (low, high) if sign == 1 else (-high, -low)
            found = sign * quiesce(game, child, depth - 1, a, b, swing, extra, control)
            best = max(best, found)
            if found > low:
                low = found
                keep_line(control, depth, index)
                if found >= high:
                    break
    return sign * best


@register_algorithm
class Quiescence(Algorithm):
    """Search to a depth, then at most `extra` plies more, by moves that change much."""

    name = "quiescence"
    kernel = staticmethod(quiesce)
    swing: float = 2.0
    extra: int = 6
