"""Strategies that cannot spark, with their own type: the counterpart of ``Control.Seq``."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from graphs.arguments import shown
from strategies.algebra.combinators import eval_list
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.values.basic import SequentialStrategy
from strategies.values.eval import Evaluator
from strategies.values.parallel import eval_list_n, eval_list_nth, eval_traversable, eval_tuple


@frozen(repr=False)
class Seq(SequentialStrategy):
    """An ``eval_…`` strategy whose inner strategies are all sequential."""

    body: Strategy

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        return thread.evaluate(x, self.body)

    def __repr__(self) -> str:
        body = "eval_list(seq)" if self.body == eval_list else repr(self.body)
        return "seq_" + body.removeprefix("eval_")


def _only(name: str, s: Strategy) -> Strategy:
    if s == seq or isinstance(s, SequentialStrategy):
        return s
    raise StrategyError(
        f"{name} cannot spark: it takes seq, r0, rseq, rdeepseq or a seq_… strategy, not {shown(s)}"
    )


def seq_list(s: Strategy) -> SequentialStrategy:
    """Evaluate the elements in order by `s`, in the caller's task.

    Degree: that of `s` on each element.  Sparks: none, ever.
    Law: ``seq_list(s) ≅ eval_list(s)``.
    Raises: StrategyError if `s` might spark.  Source: ``seqList`` of Control.Seq.

    >>> from strategies.values.basic import rpar, rseq
    >>> seq_list(seq_list(rseq))
    seq_list(seq_list(rseq))
    >>> seq_list(rpar)
    Traceback (most recent call last):
    strategies.algebra.strategy.StrategyError: seq_list cannot spark: it takes seq, r0, rseq, ...
    """
    return Seq(eval_list(_only("seq_list", s)))


def seq_list_n(n: int, s: Strategy) -> SequentialStrategy:
    """Evaluate the first `n` elements in order by `s`, in the caller's task; the others as by `r0`.

    Degree: that of `s` on the first n.  Sparks: none, ever.
    Law: ``seq_list_n(n, s) ≅ eval_list_n(n, s)``.
    Raises: StrategyError if `s` might spark, or n is negative.  Source: ``seqListN``.
    """
    return Seq(eval_list_n(n, _only("seq_list_n", s)))


def seq_list_nth(i: int, s: Strategy) -> SequentialStrategy:
    """Evaluate the element at index `i` by `s`, in the caller's task; the others as by `r0`.

    Degree: that of `s` on the element.  Sparks: none, ever.
    Law: ``seq_list_nth(i, s) ≅ eval_list_nth(i, s)``.
    Raises: StrategyError if `s` might spark, or i is negative.  Source: ``seqListNth``.
    """
    return Seq(eval_list_nth(i, _only("seq_list_nth", s)))


def seq_tuple(*each: Strategy) -> SequentialStrategy:
    """Evaluate the components of a tuple in order, each by its own strategy, in the caller's task.

    Degree: that of each.  Sparks: none, ever.  Law: ``seq_tuple(s, t) ≅ eval_tuple(s, t)``.
    Raises: StrategyError if any might spark.  Source: ``seqTuple2`` … ``seqTuple9``.
    """
    return Seq(eval_tuple(*(_only("seq_tuple", s) for s in each)))


def seq_traversable(s: Strategy) -> SequentialStrategy:
    """Evaluate every thunk in nested containers, in order, by `s`, in the caller's task.

    Degree: that of `s` on each.  Sparks: none, ever.
    Law: ``seq_traversable(s) ≅ eval_traversable(s)``.
    Raises: StrategyError if `s` might spark.
    Source: ``seqFoldable``; ``seqMap`` and ``seqArray`` are its cases.
    """
    return Seq(eval_traversable(_only("seq_traversable", s)))
