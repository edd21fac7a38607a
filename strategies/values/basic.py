"""The basic strategies, which evaluate one value.

A value is a *thunk* (anything that Dask computes), a container of values, or plain.  Evaluation
has a degree: none; the value itself (its outermost call; a container counts as evaluated, whatever
it contains); or all of it, with every thunk in it.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.algebra.strategy import Kind, Layer, Strategy, StrategyError, checked
from strategies.values.eval import Evaluator, evaluate


class ValueStrategy(Strategy):
    """The base class of strategies for values only; a subclass implements `evaluate`, and its repr
    is an expression that makes it."""

    __slots__ = ()

    is_plain = True

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        """Evaluate `x` in `thread` or in sparks of it, and return the same value.

        Ensures: the result computes to the same value as `x`.
        """
        raise NotImplementedError  # every subclass overrides it

    def unfold(self, kind: Kind, n: int) -> Layer:
        raise self.refused()

    def refused(self) -> StrategyError:
        """Return the error for using this strategy in a search."""
        return StrategyError(
            f"{self} evaluates one value; the branches of a node, or the elements of a list, take "
            "seq, rseq or a list strategy such as par_list"
        )

    def plug(self, inner: Strategy) -> Strategy:
        raise StrategyError(f"{self} has no branches, so it cannot be applied to {inner}")

    def __call__(self, *inner: Any) -> Any:
        """Apply to a strategy for each part; or to a value, to get an evaluation to yield."""
        if len(inner) != 1:
            raise StrategyError(f"{self} must be called with one value, not {len(inner)}")
        return self.plug(inner[0]) if isinstance(inner[0], Strategy) else evaluate(inner[0], self)


class SequentialStrategy(ValueStrategy):
    """A strategy that cannot spark: it works in its caller's task, whatever it is applied to.

    The counterpart of ``Control.Seq``: ``isinstance(s, SequentialStrategy)`` guarantees that `s`
    makes no task.
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
"""Evaluates nothing: the value is left to Dask, as if no strategy were used.

Degree: none.  Sparks: none.  Law: ``using(x, r0)`` leaves every task of `x` as it is.
"""

rseq = RSeq()
"""Evaluates the value itself in the task of its consumer, before what follows.

Degree: the value itself.  Sparks: none.  Law: ``rpar_with(rseq) == rpar``.
"""

rdeepseq = RDeepSeq()
"""Evaluates all of the value, every thunk in it in order, in the task of its consumer.

Degree: all.  Sparks: none.  Law: equal to `rseq` on a thunk; on values, `seq` means the same.
"""


def rpar_with(s: Strategy) -> Strategy:
    """Spark the evaluation of a value by `s`, while what follows goes on.

    Ensures: one more task if `s` itself calls anything (its calls in order share the task), none if
    it only sparks.  Degree: that of `s`.  A spark whose value nothing needs never runs.
    Laws: ``rpar_with(r0) == r0``, ``rpar_with(rseq) == rpar == rpar_with(rpar)``.
    Raises: StrategyError if `s` is not a strategy.
    Source: ``rparWith`` of Control.Parallel.Strategies.

    >>> rpar_with(rdeepseq), rpar_with(rseq), rpar_with(rpar), rpar_with(r0)
    (rpar_with(rdeepseq), rpar, rpar, r0)
    """
    return s if isinstance(s, (R0, RParWith)) else RParWith(checked(s))


rpar = rpar_with(rseq)
"""Evaluates the value itself in a spark, its own task, while what follows goes on.

Degree: the value itself.  Sparks: one for a thunk, none for a container, which counts as evaluated.
Law: ``rpar == rpar_with(rseq)``.
"""
