"""Evaluations: computations in a thread of evaluation, and do-notation for them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from sys import getrecursionlimit
from traceback import walk_tb
from typing import Any, ParamSpec, Protocol

from attrs import frozen

from graphs.arguments import check_functions, shown
from strategies.algebra.strategy import Strategy, StrategyError, checked, forget_own

P = ParamSpec("P")
NESTED = 100
"""The fewest frames of this module that show that evaluations, not other calls, are nested."""


class Evaluator(Protocol):
    """The protocol of a thread of evaluation: calls in order, and the sparks between them."""

    after: frozenset[Any]
    """The keys for which the next call waits."""

    @property
    def record(self) -> Any:
        """Return the record shared by all threads of an evaluation."""

    def call(self, x: Any) -> Any:
        """Call a thunk after all earlier calls."""

    def deep(self, x: Any, f: Callable[[Any], Any] | None = None) -> Any:
        """Call every thunk in nested containers."""

    def evaluate(self, x: Any, s: Strategy) -> Any:
        """Evaluate `x` by `s`."""

    def followed(self, action: Callable[[Any], Any]) -> tuple[Any, frozenset[Any]]:
        """Run an action in this thread; return its result, and the sparks that it leaves behind."""

    def spark(
        self, action: Callable[[Any], Any], after: frozenset[Any] | None = None, ahead: bool = True
    ) -> tuple[Any, frozenset[Any]]:
        """Run an action in a new thread, and go on; it is a spark if it evaluates anything."""

    def close(self) -> None:
        """Close the step, so that the next call waits for it."""

    def wait(self, keys: frozenset[Any]) -> None:
        """Make the next call wait for `keys`."""


@frozen(eq=False)
class Eval:
    """An evaluation: an action in a thread of evaluation, with a result.  Made by `evaluate`.

    Degree and sparks: those of its action.  Nothing runs before `run_eval`.
    Source: ``Eval`` of Control.Parallel.Strategies, the strict identity monad.
    """

    run: Callable[[Evaluator], Any]

    def __repr__(self) -> str:
        return "<Eval: an evaluation that run_eval begins>"


def evaluate(x: Any, s: Strategy) -> Eval:
    """Return the evaluation of `x` by the strategy `s`; ``rseq(x)`` is short for it.

    Degree and sparks: those of `s`.  Law: ``run_eval(evaluate(x, s))`` is ``using(x, s)``.
    """
    from strategies.values.containers_of import listed
    from strategies.values.thunks import is_thunk

    checked(s)
    forget_own()
    known = listed(x, is_thunk)
    return Eval(lambda thread: thread.evaluate(known, s))


def par_eval(e: Eval) -> Eval:
    """Spark a whole evaluation, while what follows goes on.

    Degree: that of `e`.  Sparks: one for the calls of `e`, and those of `e`.
    Law: ``par_eval(evaluate(x, s))`` does what ``evaluate(x, rpar_with(s))`` does.
    """
    _eval(e)
    return Eval(lambda thread: thread.spark(e.run)[0])


def evaluation(function: Callable[P, Generator[Eval, Any, Any]]) -> Callable[P, Eval]:
    """Turn a generator function into an evaluation: in do-notation, ``yield`` is Haskell's arrow.

    Requires: the function yields evaluations, receives their results, and returns its own result.
    Ensures: calling the function runs nothing yet; an evaluation yielded in another is part of it.
    Degree and sparks: those of the evaluations that it yields.

    >>> from dask import delayed
    >>> from strategies import rpar, rseq, run_eval
    >>> @evaluation
    ... def both(x, y):
    ...     a = yield rpar(x)
    ...     b = yield rseq(y)
    ...     return a, b
    >>> run_eval(both(delayed(2) + 3, delayed(4) * 5)).compute()
    (5, 20)
    """

    check_functions(function=function)

    @wraps(function)
    def made(*args: P.args, **kwargs: P.kwargs) -> Eval:
        def run(thread: Evaluator) -> Any:
            steps, got = function(*args, **kwargs), None
            if not isinstance(steps, Generator):
                raise StrategyError(
                    f"{shown(function)} yields no evaluation: write y = yield rseq(x), or return "
                    "what it computes without @evaluation"
                )
            try:
                while True:
                    got = _eval(steps.send(got)).run(thread)
            except StopIteration as stop:
                return stop.value

        return Eval(run)

    return made


def ran(e: Eval, thread: Evaluator) -> Any:
    """Run an evaluation in a thread, and return its result.

    Raises: StrategyError if evaluations are nested deeper than Python allows.
    """
    try:
        return _eval(e).run(thread)
    except RecursionError as error:
        frames = (frame for frame, _ in walk_tb(error.__traceback__))
        if sum(frame.f_code.co_filename == __file__ for frame in frames) < NESTED:
            raise
    raise StrategyError(
        "evaluations that yield or spark one another are nested deeper than Python allows "
        f"(sys.getrecursionlimit() is {getrecursionlimit()}); yield them one after the other, in a "
        "loop of one evaluation"
    )


def _eval(e: object) -> Eval:
    if not isinstance(e, Eval):
        raise StrategyError(
            f"an evaluation is needed here, such as rseq(x) or rpar(x), not {shown(e)}"
        )
    return e
