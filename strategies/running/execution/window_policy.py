"""Window policies: a strategy's windows as a table, if they are the same at every node."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from graphs.limits import POLICIES_TRIED
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
"""The numbers of branches for which a strategy is tried."""


def may_test(strategy: Strategy, plies: int) -> bool:
    """Return whether a strategy may test branches with null windows above ply `plies`.

    The strategy is tried for a few numbers of branches.  Errors are ignored, because the game may
    never have these numbers.

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
        if not level or len(seen) > POLICIES_TRIED:
            break
    return False


def _tried(strategy: Strategy) -> tuple[bool, list[Strategy]]:
    """Return whether a strategy tests at its own ply, and the strategies of its branches."""
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
    """Yield a strategy and all strategies that it consists of."""
    if isinstance(held, Strategy):
        yield held
    for part in parts(held) or ():
        yield from _members(part)


def without_windows(strategy: Strategy, algorithm: Algorithm) -> StrategyError:
    """Return the error for a strategy with null-window tests under an algorithm without windows."""
    other = "paranoid" if algorithm.many else "alphabeta"
    other = "a strategy such as par_list" if algorithm.splits else other
    return StrategyError(
        f"{named(strategy)} tests with windows, but {algorithm.name} has none; use {other}"
    )


@remembered(64)
def policy_of(strategy: Strategy) -> Policy | None:
    """Return the window policy of a strategy; None if there is none.

    There is none if windows differ from node to node, if branches are tested with null windows, or
    if they see results that are neither the latest nor kept (`par_buffer`).
    """
    if not is_value(strategy):
        return None

    def rows(kind: Any, n: int) -> tuple[list[int], int]:
        try:
            found = codes(strategy, kind, n)
        except StrategyError as error:  # raised only if a search reaches such a node
            raise NoPolicy(str(error)) from None
        if found is None:
            raise NoPolicy(f"{strategy} has no policy for {n} branches")
        return found

    try:
        return Policy(rows)
    except NoPolicy:
        return None


def codes(strategy: Strategy, kind: Kind, n: int) -> tuple[list[int], int] | None:
    """Return codes for the results that each of n branches sees, and the number of sparks.

    None if they cannot be encoded.

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
