"""Calls the kernel that searches by a policy of windows, and lays out the policy as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.kernels.control import NARROW, NEARER, STOP
from strategies.native.kernels.window_policy import KINDS, TOO_MANY, follow
from strategies.native.memory.cells import Stop, Stopped, cells


class Followed(NamedTuple):
    """The result of a search by a policy: the interval that holds the value, and counts."""

    lo: float
    hi: float
    nodes: int
    leaves: int
    inlined: int
    """The number of sparks that the policy created."""
    pruned: int
    """The number of branches whose window was closed when their turn came."""


Rows = Callable[[str, int], tuple[Sequence[int], int]]


def table(rows: Rows, most: int) -> Any:
    """Lay out a policy for nodes of up to `most` branches.

    Requires: ``rows(kind, n)`` returns a code for each of n branches, and the number of sparks.
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


def run(
    engine: Engine, state: Any, depth: int, window: tuple[float, float], policy: Policy, *,
    narrow: bool, nearer: bool, stop: Stop,
) -> tuple[Followed, tuple[int, ...]]:  # fmt: skip
    """Search a position by a policy; return the result and the principal variation.

    Raises: `Stopped` if `stop` was set; `RuleFailed` where a rule fails; `NoPolicy` where a node
    has too many branches for the policy.
    """
    while True:
        control = control_for(depth)
        control[NARROW], control[NEARER] = narrow, nearer
        found, line = run_kernel(
            engine, follow, state, depth, *window, control=control, memory=policy.table, stop=stop
        )
        if control[STOP] != TOO_MANY:
            break
        policy.widen()
    if control[STOP]:
        raise Stopped("the search was stopped")
    lo, hi, *counts = found
    if engine.in_ints(state):
        lo, hi = plain(lo), plain(hi)
    return Followed(lo, hi, *counts), line


class Policy:
    """The table of a policy, which is widened for nodes with more branches."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.most = 16
        self.table = table(rows, self.most)

    def widen(self) -> None:
        """Make room for twice as many branches.

        Raises: NoPolicy.
        """
        self.table = table(self.rows, 2 * self.most)
        self.most *= 2
