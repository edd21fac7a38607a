"""Eval."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from attrs import frozen

from strategies.algebra.strategy import Strategy, StrategyError, checked

if TYPE_CHECKING:
    from strategies.values.thread import Thread

P = ParamSpec("P")


@frozen(eq=False)
class Eval:
    """An evaluation: something to be done in a thread, with a result.  Made by `evaluate`.

    Degree and sparks: those of what it does.  Nothing is done before `run_eval`.
    Source: ``Eval`` of Control.Parallel.Strategies, the strict identity monad.
    """

    run: Callable[[Thread], Any]


def evaluate(x: Any, s: Strategy) -> Eval:
    """The evaluation of `x` by the strategy `s`; ``rseq(x)`` is short for ``evaluate(x, rseq)``.

    Degree and sparks: those of `s`.  Law: ``run_eval(evaluate(x, s))`` is ``using(x, s)``.
    """
    from strategies.values.containers_of import listed
    from strategies.values.thread import is_thunk

    checked(s)
    known = listed(x, is_thunk)
    return Eval(lambda thread: thread.evaluate(known, s))


def par_eval(e: Eval) -> Eval:
    """A spark that does all of an evaluation, while what follows goes on.

    Degree: that of `e`.  Sparks: one for what `e` calls, and those of `e`.
    Law: ``par_eval(evaluate(x, s))`` does what ``evaluate(x, rpar_with(s))`` does.
    """
    return Eval(lambda thread: thread.spark(_eval(e).run)[0])


def evaluation(function: Callable[P, Generator[Eval, Any, Any]]) -> Callable[P, Eval]:
    """Make a generator function an evaluation: do-notation, in which ``yield`` is Haskell's arrow.

    Requires: the function yields evaluations, gets back their results, and returns its own.
    Ensures: calling it does nothing yet; yielded in another, it is part of that one.
    Degree and sparks: those of the evaluations that it yields.

    >>> from dask import delayed
    >>> from strategies.values.basic import rpar, rseq
    >>> @evaluation
    ... def both(x, y):
    ...     a = yield rpar(x)
    ...     b = yield rseq(y)
    ...     return a, b
    >>> run_eval(both(delayed(2) + 3, delayed(4) * 5)).compute()
    (5, 20)
    """

    @wraps(function)
    def made(*args: P.args, **kwargs: P.kwargs) -> Eval:
        def run(thread: Thread) -> Any:
            steps, got = function(*args, **kwargs), None
            try:
                while True:
                    got = _eval(steps.send(got)).run(thread)
            except StopIteration as stop:
                return stop.value

        return Eval(run)

    return made


def _eval(e: object) -> Eval:
    if not isinstance(e, Eval):
        raise StrategyError(f"an evaluation is needed here, as rseq(x) or rpar(x), not {e!r}")
    return e
