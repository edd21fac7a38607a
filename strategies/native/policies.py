"""A policy of windows inside one task: a strategy's order of branches, without its tasks.

Below the grain, a strategy that is the same at every node says only which results narrow the window
of which branch.  That is a small table, and one kernel follows any such table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from games.game import CHANCE, MAXIE, Game

from .cells import Stop, Stopped, cells, copy_cells
from .engine import Engine, best_line, plain
from .failures import failure, stuck
from .hooks import branches_of, child_of, moves_of
from .kernels import (
    END,
    HAS_CHANCE,
    IN_PLAY,
    INFINITY,
    NARROW,
    NEARER,
    POLLED,
    ROWS,
    STOP,
    STUCK,
    control_size,
    kernel,
    result,
)  # fmt: skip

ON, HELD, HOLD, ALL = range(4)
"""What a branch sees: what the one before it sees and that one's result; what is held; all earlier
results, which are held from now on; all earlier results."""

TOO_MANY: Final = 2
"""In the `STOP` cell: a node has more branches than the policy has columns."""

KINDS: Final = ("max", "min", "chance")


class Followed(NamedTuple):
    """What a policy found: the interval that holds the value, and counts."""

    lo: float
    hi: float
    nodes: int
    leaves: int
    inlined: int
    """Sparks that the policy asked for."""
    pruned: int
    """Branches whose window was closed when their turn came."""


class NoPolicy(ValueError):
    """A strategy that is no policy, perhaps only for so many branches."""


Rows = Callable[[str, int], tuple[Sequence[int], int]]


def table(rows: Rows, most: int) -> Any:
    """A policy for nodes of up to `most` branches.

    Requires: ``rows(kind, n)`` gives a code for each of n branches, and the number of sparks.
    Ensures: cell 0 is `most`; then a row for each kind and n: the sparks, then the codes.
    """
    width = most + 1
    policy = cells(1 + 3 * width * width)
    policy[0] = most
    for k, kind in enumerate(KINDS):
        for n in range(1, width):
            codes, sparks = rows(kind, n)
            start = 1 + (k * width + n) * width
            policy[start] = sparks
            for i, code in enumerate(codes):
                policy[start + 1 + i] = code
    return policy


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


def run(
    engine: Engine, state: Any, depth: int, window: tuple[float, float], policy: Policy, *,
    narrow: bool, nearer: bool, stop: Stop,
) -> tuple[Followed, tuple[int, ...]]:  # fmt: skip
    """`follow` on an engine: what was found, and the branches of the best line.

    Raises: `Stopped` if `stop` was set; `RuleFailed` where a rule fails; `NoPolicy` where a node
    has too many branches for the policy.
    """
    while True:
        control = cells(control_size(depth))
        control[NARROW], control[NEARER] = narrow, nearer
        try:
            with stop.watching(control):
                found = engine.call(follow, state, depth, *window, control, policy.table)
        except Exception as error:
            raise failure(engine.game, state, depth, control, error) from error
        if control[STOP] != TOO_MANY:
            break
        policy.widen()
    if control[STOP] == STUCK:
        raise stuck(engine.game, state, depth, control)
    if control[STOP]:
        raise Stopped("the search was stopped")
    lo, hi, *counts = found
    if engine.in_ints(state):
        lo, hi = plain(lo), plain(hi)
    return Followed(lo, hi, *counts), best_line(control, depth)


class Policy:
    """The table of a policy; it widens when a node with more branches is met."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.most = 16
        self.table = table(rows, self.most)

    def widen(self) -> None:
        """Room for twice as many branches.

        Raises: NoPolicy.
        """
        self.table = table(self.rows, 2 * self.most)
        self.most *= 2
