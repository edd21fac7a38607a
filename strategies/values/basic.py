"""The basic strategies: how one value is evaluated.

A value is a *thunk* (anything that Dask computes), a container of values, or plain.  Evaluation
has a degree: none; the value itself (its outermost call; a container is one already, whatever is
in it); or all of it, with every thunk in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from strategies.by_node import Budget, ByKind, ByType
from strategies.strategy import (
    Everywhere,
    Kind,
    Layer,
    Live,
    Sequential,
    SplitAt,
    Strategy,
    StrategyError,
    ToPly,
    checked,
    seq,
)
from strategies.values.shape import parts, rebuilt

if TYPE_CHECKING:
    from strategies.values.thread import Thread


class ValueStrategy(Strategy):
    """A strategy for values only; a new one implements `evaluate` and prints as what makes it."""

    __slots__ = ()

    def evaluate(self, thread: Thread, x: Any) -> Any:
        """The same value as `x`, evaluated in `thread` or in sparks of it.

        Ensures: what comes back computes to what `x` computes to.
        """
        raise NotImplementedError  # each strategy has its own

    def unfold(self, kind: Kind, n: int) -> Layer:
        raise self.refused()

    def refused(self) -> StrategyError:
        """Why a search cannot take this strategy."""
        return StrategyError(
            f"{self} evaluates values; the branches of a node take seq, rseq or a list strategy"
        )

    def plug(self, inner: Strategy) -> Strategy:
        raise StrategyError(f"{self} has no branches that {inner} could evaluate")

    def __call__(self, *inner: Any) -> Any:
        """Of a strategy: each part evaluated by it.  Of a value: its evaluation, to be yielded."""
        if len(inner) != 1:
            raise StrategyError(f"{self} is called with one value, not with {len(inner)}")
        if isinstance(inner[0], Strategy):
            return self.plug(inner[0])
        from strategies.values.monad import evaluate

        return evaluate(inner[0], self)


class SequentialStrategy(ValueStrategy):
    """A strategy that cannot spark: it works in its caller's task, whatever it is applied to.

    The counterpart of ``Control.Seq``: ``isinstance(s, SequentialStrategy)`` tells that `s` makes
    no task of its own.
    """

    __slots__ = ()


@frozen(repr=False)
class R0(SequentialStrategy):
    """See `r0`."""

    def evaluate(self, thread: Thread, x: Any) -> Any:
        return x

    def __repr__(self) -> str:
        return "r0"


@frozen(repr=False)
class RSeq(SequentialStrategy):
    """See `rseq`."""

    def evaluate(self, thread: Thread, x: Any) -> Any:
        return thread.call(x)

    def __repr__(self) -> str:
        return "rseq"


@frozen(repr=False)
class RDeepSeq(SequentialStrategy):
    """See `rdeepseq`."""

    def evaluate(self, thread: Thread, x: Any) -> Any:
        return thread.deep(x)

    def __repr__(self) -> str:
        return "rdeepseq"


@frozen(repr=False)
class RParWith(ValueStrategy):
    """See `rpar_with`."""

    inner: Strategy

    def evaluate(self, thread: Thread, x: Any) -> Any:
        return thread.spark(lambda child: child.evaluate(x, self.inner))[0]

    def __repr__(self) -> str:
        return "rpar" if self.inner == rseq else f"rpar_with({self.inner!r})"


r0 = R0()
"""Nothing is evaluated: the value is left to Dask, as if no strategy had been used.

Degree: none.  Sparks: none.  Law: ``using(x, r0)`` leaves every task of `x` as it is.
"""

rseq = RSeq()
"""The value itself is evaluated, in the task of its consumer, before what follows.

Degree: the value itself.  Sparks: none.  Law: ``rpar_with(rseq) == rpar``.
"""

rdeepseq = RDeepSeq()
"""All of the value is evaluated, every thunk in it in order, in the task of its consumer.

Degree: all.  Sparks: none.  Law: `rseq` on a thunk; on values, `seq` means the same.
"""


def rpar_with(s: Strategy) -> Strategy:
    """A spark that evaluates the value by `s`, while what follows goes on.

    Ensures: one task more where `s` itself calls anything (all that it calls in order shares the
    task), none where it only sparks.  Degree: that of `s`.  A spark that nobody needs never runs.
    Laws: ``rpar_with(r0) == r0``, ``rpar_with(rseq) == rpar == rpar_with(rpar)``.
    Raises: StrategyError if `s` is no strategy.
    Source: ``rparWith`` of Control.Parallel.Strategies.

    >>> rpar_with(rdeepseq), rpar_with(rseq), rpar_with(rpar), rpar_with(r0)
    (rpar_with(rdeepseq), rpar, rpar, r0)
    """
    return s if isinstance(s, (R0, RParWith)) else RParWith(checked(s))


rpar = rpar_with(rseq)
"""The value itself is evaluated in a spark, a task of its own, while what follows goes on.

Degree: the value itself.  Sparks: one for a thunk, none for a container, which is one already.
Law: ``rpar == rpar_with(rseq)``.
"""


def for_search(s: Strategy) -> Strategy:
    """The strategy as a search understands it: without `rseq` and `r0`.

    `rseq` is `seq`, in the parent's task.  A branch under `r0` is not searched ahead: the node's
    fold searches it when it gets there, seeing all earlier results.  So a node whose branches are
    all under `r0` is searched as by `seq`, whatever list strategy `r0` stands in.
    Raises: StrategyError, if a part of it is for values only.

    >>> from strategies.combinators import par_list
    >>> for_search(par_list(rseq)), for_search(par_list(r0)), for_search(par_list.to_ply(3)(r0))
    (par_list, seq, par_list.to_ply(2))
    """
    if s in (rseq, r0):
        return seq
    if isinstance(s, ValueStrategy):
        raise s.refused()
    if getattr(s, "inner", None) == r0:
        return _not_ahead(s)
    held = parts(s) or []
    new = rebuilt(s, [for_search(v) if isinstance(v, Strategy) else v for v in held])
    return _in_order(new) if new is not s else s


def _not_ahead(s: Any) -> Strategy:
    """A strategy whose innermost branches are under `r0`: one ply less of it."""
    if isinstance(s, Budget):
        raise StrategyError(
            f"{s}: a branch with one thread is searched in order as it is; leave out (r0)"
        )
    match s:
        case ToPly(plies=int(n)) | ByType(plies=int(n)) if n > 1:
            return for_search(evolve(s, inner=seq, plies=n - 1))
        case ByType(plies=None):  # its inner strategy is never reached
            return for_search(evolve(s, inner=seq))
    return seq


def _in_order(s: Strategy) -> Strategy:
    """`seq`, if nothing but `seq` is left in a strategy."""
    match s:
        case (
            SplitAt(first=Sequential(), rest=Sequential())
            | Everywhere(body=Sequential())
            | Live(body=Sequential())
            | ByKind(max=Sequential(), min=Sequential(), chance=Sequential())
            | ToPly(body=Sequential(), inner=Sequential())
        ):
            return seq
    return s
