"""The strategies that a search takes: those of values among them are turned into its own."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.by_node import Budget, ByKind, ByType
from strategies.algebra.drivers import Auto, Driver
from strategies.algebra.orders import SplitAt
from strategies.algebra.strategy import (
    Modified,
    Sequential,
    Strategy,
    StrategyError,
    forget_own,
    remembered,
    seq,
)
from strategies.values.basic import ValueStrategy, r0, rseq
from strategies.values.containers_of import parts, rebuilt


def check_using(using: Any, *, chosen: bool = False) -> None:
    """Check that an argument is a strategy or a driver or, with `chosen`, ``auto()``.

    Raises: ArgumentError.
    """
    if not isinstance(using, (Strategy, Driver)) and not (chosen and isinstance(using, Auto)):
        hint = f"; write parse_using({shown(using)})" if isinstance(using, str) and using else ""
        raise ArgumentError(
            f"a strategy is needed, as jamboree(0.5).to_ply(2), not {shown(using)}{hint}"
        )


def for_search(s: Strategy) -> Strategy:
    """Return the strategy of a search that a strategy means: without `rseq` and `r0`.

    `rseq` means `seq`, in the parent's task.  A branch under `r0` is not searched ahead: the fold
    of the node searches it in order, with all earlier results.  So a node whose branches are all
    under `r0` is searched as by `seq`, whatever list strategy contains `r0`.
    Raises: StrategyError if a part of it is for values only.

    >>> from strategies.algebra.combinators import par_list
    >>> for_search(par_list(rseq)), for_search(par_list(r0)), for_search(par_list.to_ply(3)(r0))
    (par_list, seq, par_list.to_ply(2))
    """
    forget_own()
    other = _another(s)
    return s if other is None else other


@remembered(256)
def _another(s: Strategy) -> Strategy | None:
    """Return the replacement of a strategy in a search; None if it needs no replacement."""
    if s in (rseq, r0):
        return seq
    if isinstance(s, ValueStrategy):
        raise s.refused()
    if getattr(s, "inner", None) == r0:
        return _not_ahead(s)
    held = parts(s) or []
    new = rebuilt(s, [for_search(v) if isinstance(v, Strategy) else v for v in held])
    return None if new is s else _in_order(new)


def _not_ahead(s: Any) -> Strategy:
    """Return the strategy with its innermost branches under `r0`, which has one ply less."""
    if isinstance(s, Budget):
        raise StrategyError(
            f"{s}: a branch with one thread is searched in order anyway; leave out (r0)"
        )
    match s:
        case Modified(plies=int(n)):
            return for_search(evolve(s, inner=seq).to_ply(n - 1))
    return seq


def _in_order(s: Strategy) -> Strategy:
    """Return `seq` if a strategy consists only of `seq`."""
    match s:
        case Modified():
            return s.on(s.body)
        case (
            SplitAt(first=Sequential(), rest=Sequential())
            | ByKind(max=Sequential(), min=Sequential(), chance=Sequential())
            | ByType(pv=Sequential(), cut=Sequential(), all=Sequential(), inner=Sequential())
        ):
            return seq
    return s
