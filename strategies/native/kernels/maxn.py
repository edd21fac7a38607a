"""Searches games of several players: each maximizes his own part of a tuple of values (max^n).

The leftmost of equal branches is chosen, so that a value does not depend on who searches.  Two
prunings never change it.  Immediate: a player who has the maximum looks no further.  Shallow: if
the parts sum to no more than a known total, a node is left once its mover has so much that the
parent's mover cannot gain there.  (Deep pruning is not valid here.)

Sources: Luckhardt and Irani, An algorithmic solution of n-person games (1986); Korf, Multi-player
alpha-beta pruning (1991).
"""

from __future__ import annotations

from typing import Any

from games.game import CHANCE, Game
from games.tuples import put, zeros_of
from strategies.native.hooks import branches_of, child_of, payoffs
from strategies.native.kernels.control import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    LEAVES,
    NODES,
    ROWS,
    STOP,
    STUCK,
    TRACED,
    check_sum,
    kernel,
    part_of_sum,
    row_of,
    tail_of,
)
from strategies.native.memory.cells import copy_cells, stopped
from strategies.native.memory.floats import INFINITY, all_finite


@kernel
def maxn(
    game: Game[Any, Any], state: Any, depth: int, above: int, enough: float, top: float,
    total: float, control: Any,
) -> tuple[float, ...]:  # fmt: skip
    """Search `state` for its values, one for each player.

    No value exceeds `top`; the values of two players sum to `total` at most.  If a player other
    than `above`, who moved before, has `enough`, no branch here is better for `above` than what he
    has.
    """
    # Step 1. A leaf, finished or at the last ply; it ends the line of its depth.
    row = row_of(ROWS, depth)
    if depth > 0:
        control[row + 1] = END
    control[NODES] += 1
    if game.status(state) != IN_PLAY:
        control[LEAVES] += 1
        return all_finite(payoffs(game, game.utility(state)))
    if depth == 0:
        if stopped(control):
            return zeros_of(game)
        control[LEAVES] += 1
        return all_finite(payoffs(game, game.estimate(state)))
    player = game.player(state)
    index = 0
    best = zeros_of(game)
    # Step 2. A chance node: the mean of each player's part.  No bound passes through it.
    if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
        if player == CHANCE:
            odds = 0.0
            for chance, child in game.outcomes(state):
                if stopped(control):
                    break
                odds += part_of_sum(chance)
                if depth >= TRACED:
                    control[row] = index
                found = maxn(game, child, depth - 1, player, INFINITY, top, total, control)
                best = added(best, found, chance)
                index += 1
            check_sum(odds, control)
            control[row + 1] = END
            return best
    # Step 3. The branches in order.
    for branch in branches_of(game, state):
        if stopped(control):
            break
        if depth >= TRACED:
            control[row] = index
        child = child_of(game, state, branch)
        # Step 4. The bound of the children: with more, their mover leaves too little here.
        bar = total - best[player] if index > 0 else INFINITY
        found = maxn(game, child, depth - 1, player, bar, top, total, control)
        # Step 5. A new leader, only if strictly better for the mover: the leftmost of the best.
        if index == 0 or found[player] > best[player]:
            best = found
            control[row + 1] = index
            if depth > 1:
                copy_cells(control, row + 2, row_of(ROWS, depth - 1) + 1, tail_of(depth))
            # Step 6. Prune: immediately, if no player can have more; or shallowly, if `above`
            # avoids this node.
            if found[player] >= top or (player != above and found[player] >= enough):
                break
        index += 1
    if index == 0 and control[row + 1] == END and control[STOP] == 0:
        control[STOP] = STUCK
    return best


def added(mean: tuple[float, ...], found: tuple[float, ...], chance: float) -> tuple[float, ...]:
    """Add one more outcome to a mean.

    >>> added((1.0, 2.0), (4.0, 0.0), 0.5)
    (3.0, 2.0)
    """
    for player in range(len(found)):
        mean = put(mean, player, mean[player] + chance * found[player])
    return mean
