"""A strategy's policy of windows as a table, where it is the same at every node."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from strategies.groups import Window, sparks
from strategies.native.policies import ALL, HELD, HOLD, KINDS, ON, Policy
from strategies.strategy import Kind, Strategy


@lru_cache(maxsize=64)
def policy_of(strategy: Strategy) -> Policy | None:
    """The policy of a strategy; None where it differs from node to node, tests with zero windows,
    or looks back at results that are neither the latest nor held (`par_buffer`)."""
    if any(codes(strategy, kind, n) is None for kind in KINDS for n in range(1, 17)):
        return None

    def rows(kind: Any, n: int) -> tuple[list[int], int]:
        found = codes(strategy, kind, n)
        assert found is not None, f"{strategy} has no policy for {n} branches"
        return found

    return Policy(rows)


def codes(strategy: Strategy, kind: Kind, n: int) -> tuple[list[int], int] | None:
    """What each of n branches sees, and how many sparks there are; None if there is no code for it.

    >>> from strategies import jamboree
    >>> codes(jamboree(0.5).everywhere.grain(0), "max", 4)
    ([2, 0, 2, 1], 2)
    """
    layer = strategy.unfold(kind, n)
    if any(inner != strategy for inner in layer.inner):
        return None
    out: list[int] = []
    held = 0
    for g in layer.groups:
        if g.window is Window.ZERO:
            return None
        if g.window is Window.LIVE:
            out.append(ALL)
        elif g.after == g.start:
            out.append(HOLD)
            held = g.start
        elif g.after == held:
            out.append(HELD)
        else:
            return None
        out += [ON] * (g.stop - g.start - 1)
    return out, sum(sparks(layer.groups))
