"""Window policies: a strategy's windows as a table, where they are the same at every node."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from strategies.algebra.groups import Window
from strategies.algebra.strategy import (
    Kind,
    Strategy,
    StrategyError,
    among,
    is_value,
    named,
    remembered,
    seq,
    unfolded,
)
from strategies.algorithms.algorithm import Algorithm
from strategies.native.calls.window_policy import Policy
from strategies.native.kernels.window_policy import ALL, HELD, HOLD, KINDS, ON, NoPolicy
from strategies.values.containers_of import parts

MANY = (2, 3, 5, 8, 16, 32)
"""Numbers of branches for which a strategy is tried."""
MOST = 200
"""Strategies that are tried."""


def may_test(strategy: Strategy, plies: int) -> bool:
    """Tell whether a strategy may test branches with null windows above ply `plies`.

    It is tried for a few numbers of branches, which a game may never have: what it refuses there
    says nothing.

    >>> from strategies import par_list, scout
    >>> may_test(scout.to_ply(1), 2), may_test(par_list(scout), 1), may_test(par_list(scout), 2)
    (True, False, True)
    """
    if not any(_tried(s)[0] for s in _members(strategy)):
        return False
    level, seen = [strategy], [strategy]
    for _ in range(plies):
        below: list[Strategy] = []
        for s in level:
            found, inner = _tried(s)
            if found:
                return True
            below += (x for x in inner if not among(x, (*seen, *below)))
        level = below
        seen += below
        if not level or len(seen) > MOST:
            break
    return False


def _tried(strategy: Strategy) -> tuple[bool, list[Strategy]]:
    """Tell whether a strategy tests at its own ply; return the strategies of its branches too."""
    inner: list[Strategy] = []
    for kind, n in product(KINDS[:2], MANY):
        try:
            layer = unfolded(strategy, kind, n)
        except StrategyError:
            continue
        if any(g.window is Window.ZERO for g in layer.groups):
            return True, []
        for s in layer.inner:
            if not among(s, (seq, *inner)):
                inner.append(s)
    return False, inner


def _members(held: Any) -> Iterator[Strategy]:
    """Return a strategy and all those that it is made of."""
    if isinstance(held, Strategy):
        yield held
    for part in parts(held) or ():
        yield from _members(part)


def without_windows(strategy: Strategy, algorithm: Algorithm) -> StrategyError:
    """Say why a strategy that tests with null windows is refused."""
    other = "paranoid" if algorithm.name == "maxn" else "alphabeta"
    return StrategyError(
        f"{named(strategy)} tests with windows, and {algorithm.name} has none; use {other}"
    )


@remembered(64)
def policy_of(strategy: Strategy) -> Policy | None:
    """Return the window policy of a strategy; None where there is none.

    There is none where windows differ from node to node, where branches are tested with null
    windows, or where they see results that are neither the latest nor kept (`par_buffer`).
    """
    if not is_value(strategy):
        return None

    def rows(kind: Any, n: int) -> tuple[list[int], int]:
        try:
            found = codes(strategy, kind, n)
        except StrategyError as error:  # it is told where a search comes to such a node
            raise NoPolicy(str(error)) from None
        if found is None:
            raise NoPolicy(f"{strategy} has no policy for {n} branches")
        return found

    try:
        return Policy(rows)
    except NoPolicy:
        return None


def codes(strategy: Strategy, kind: Kind, n: int) -> tuple[list[int], int] | None:
    """Code what each of n branches sees, and count the sparks; None if there is no code for it.

    >>> from strategies import jamboree
    >>> codes(jamboree(0.5).everywhere.grain(0), "max", 4)
    ([2, 0, 2, 1], 2)
    """
    layer = unfolded(strategy, kind, n)
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
    return out, sum(layer.sparks)
