"""The basic strategies: how one value is evaluated.

A value is a *thunk* (anything that Dask computes), a container of values, or plain.  Evaluation
has a degree: none; the value itself (its outermost call; a container is one already, whatever is
in it); or all of it, with every thunk in it.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.algebra.strategy import Kind, Layer, Strategy, StrategyError, checked
from strategies.values.eval import Evaluator, evaluate


class ValueStrategy(Strategy):
    """A strategy for values only; a new one implements `evaluate` and prints as what makes it."""

    __slots__ = ()

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        """Evaluate `x` in `thread` or in sparks of it, and return the same value.

        Ensures: what comes back computes to what `x` computes to.
        """
        raise NotImplementedError  # each strategy has its own

    def unfold(self, kind: Kind, n: int) -> Layer:
        raise self.refused()

    def refused(self) -> StrategyError:
        """Say why a search cannot take this strategy."""
        return StrategyError(
            f"{self} evaluates values; the branches of a node take seq, rseq or a list strategy"
        )

    def plug(self, inner: Strategy) -> Strategy:
        raise StrategyError(f"{self} has no branches that {inner} could evaluate")

    def __call__(self, *inner: Any) -> Any:
        """Apply to a strategy for each part, or to a value, which gives an evaluation to yield."""
        if len(inner) != 1:
            raise StrategyError(f"{self} is called with one value, not with {len(inner)}")
        return self.plug(inner[0]) if isinstance(inner[0], Strategy) else evaluate(inner[0], self)


class SequentialStrategy(ValueStrategy):
    """A strategy that cannot spark: it works in its caller's task, whatever it is applied to.

    The counterpart of ``Control.Seq``: ``isinstance(s, SequentialStrategy)`` tells that `s` makes
    no task of its own.
    """

    __slots__ = ()


@frozen(repr=False)
class R0(SequentialStrategy):
    """The class of `r0`."""

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        return x

    def __repr__(self) -> str:
        return "r0"


@frozen(repr=False)
class RSeq(SequentialStrategy):
    """The class of `rseq`."""

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        return thread.call(x)

    def __repr__(self) -> str:
        return "rseq"


@frozen(repr=False)
class RDeepSeq(SequentialStrategy):
    """The class of `rdeepseq`."""

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        return thread.deep(x)

    def __repr__(self) -> str:
        return "rdeepseq"


@frozen(repr=False)
class RParWith(ValueStrategy):
    """The class of `rpar_with`."""

    inner: Strategy

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
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
    """Spark the evaluation of a value by `s`, while what follows goes on.

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
