"""Evaluate values by a strategy with ``using`` and its relatives, and run evaluations.

As in other names, ``eval_…`` evaluates the argument in the function's own task before the call, and
``par_…`` in a spark.  Dask's calls are strict: a function starts when its argument is known, so a
spark runs in parallel with later calls, not with the function that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphs.arguments import check_functions, row_of
from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import Strategy, checked
from strategies.values.basic import rpar_with, rseq
from strategies.values.eval import Eval, evaluate, evaluation, ran

if TYPE_CHECKING:
    from strategies.searches.evaluations.evaluated import Evaluated


def run_eval(e: Eval) -> Evaluated:
    """Run an evaluation, and return its result as one delayed value, known when all its calls are.

    Ensures: equal evaluations have equal keys.  A spark whose result is not used never runs.
    Raises: StrategyError if evaluations are nested deeper than Python's limit of recursion allows.
    Work: linear in the graph.
    """
    return _concluded(e)


def _concluded(e: Eval, strategy: Strategy | None = None) -> Evaluated:
    from strategies.searches.evaluations.evaluated import Evaluated
    from strategies.values.evaluated import concluded
    from strategies.values.thread import Record, Thread

    thread = Thread(Record())
    return concluded(Evaluated, thread, ran(e, thread), strategy)


def using(x: Any, s: Strategy) -> Evaluated:
    """Evaluate `x` by the strategy `s`, and return the same value: Haskell's ``x `using` s``.

    Requires: `x` is a thunk (anything that Dask computes), or a container of values: of any kind
    that Dask traverses (lists, tuples, sets, dicts with their keys, named tuples, dataclasses; an
    iterator counts as a list), a subclass of one, a deque, an attrs class, a `Seq`.  Only a thunk's
    own call moves into the task that `s` defines; its inputs stay separate Dask tasks, which may
    run earlier.
    Ensures: the result computes to the value of `x`, with any strategy, scheduler and number of
    workers.  Parts of a list, tuple or dict can be computed alone, as ``using(xs, s)[0]``.
    `explain`, `run` and `visualize` of the result, and of its copies, show its tasks and sparks; a
    value that Dask derives from it (a slice ``[1:3]`` or an operation) has none of these.
    Degree and sparks: those of `s`.  Using a strategy twice may spark twice.
    Raises: StrategyError if `s` does not fit `x`, a thunk is in a collection of another kind, or
    containers are nested more than 100 deep.

    >>> from dask import delayed
    >>> from strategies.algebra.combinators import par_list_chunk
    >>> squares = [delayed(pow)(i, 2) for i in range(10)]
    >>> answer = using(squares, par_list_chunk(4))
    >>> answer.compute()
    [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
    >>> len(answer.__dask_graph__())  # three chunks, and the list
    4
    """
    return _concluded(evaluate(x, s), s)


def with_strategy(s: Strategy) -> Callable[[Any], Evaluated]:
    """Return a function that evaluates its argument by `s`: `using` with swapped arguments.

    Law: ``with_strategy(s)(x)`` is ``using(x, s)``.
    """
    checked(s)
    return lambda x: using(x, s)


def par_map(f: Callable[[Any], Any], xs: Sequence[Any], s: Strategy = rseq) -> Evaluated:
    """Map `f` over `xs`, each call in a spark that evaluates the result by `s`.

    Degree: that of `s` on each result.  Sparks: one for each element.
    Law: ``par_map(f, xs, s)`` is ``using([delayed(f)(x) for x in xs], par_list(s))``.

    >>> par_map(abs, [-1, 2, -3]).compute()
    [1, 2, 3]
    """
    from dask import delayed

    check_functions(f=f)
    xs = row_of("xs", xs, "values, such as [1, 2]")
    call = delayed(f)
    return using([call(x) for x in xs], par_list(s))


Function = Callable[[Any], Any]


def eval_apply(f: Function, s: Strategy) -> Function:
    """Return a function that evaluates its argument by `s`, then calls `f` with it: ``f $| s``.

    Degree: the result itself, after that of `s` on the argument.  Sparks: those of `s`.
    Law: ``eval_apply(f, r0)(x)`` is ``using(delayed(f)(x), rseq)``.

    >>> from dask import delayed
    >>> from strategies.algebra.combinators import eval_list
    >>> total = eval_apply(sum, eval_list)([delayed(abs)(-1), delayed(abs)(-2)])
    >>> total.compute(), len(total.__dask_graph__())
    (3, 1)
    """
    checked(s)
    check_functions(f=f)
    return lambda x: run_eval(_application(f, s, x))


def par_apply(f: Function, s: Strategy) -> Function:
    """Return a function that calls `f` with its argument, evaluated by `s` in a spark: ``f $|| s``.

    Degree: the result itself, after that of `s` on the argument.  Sparks: one, and those of `s`.
    Law: ``par_apply(f, s) ≅ eval_apply(f, rpar_with(s))``.
    """
    return eval_apply(f, rpar_with(s))


def eval_compose(f: Function, s: Strategy, g: Function) -> Function:
    """Compose `f` after `g`, whose result is evaluated by `s` before the call: ``(f .| s) g``.

    Degree: the result itself.  Sparks: those of `s`.
    Law: ``eval_compose(f, s, g)(x) ≅ eval_apply(f, s)(delayed(g)(x))``.

    >>> double_abs = eval_compose(lambda n: 2 * n, rseq, abs)
    >>> double_abs(-3).compute(), len(double_abs(-3).__dask_graph__())
    (6, 1)
    """
    from dask import delayed

    check_functions(g=g)
    then, call = eval_apply(f, s), delayed(g)
    return lambda x: then(call(x))


def par_compose(f: Function, s: Strategy, g: Function) -> Function:
    """Compose `f` after `g`, whose result is evaluated by `s` in a spark: ``(f .|| s) g``.

    Degree: the result itself.  Sparks: one, and those of `s`.
    Law: ``par_compose(f, s, g) ≅ eval_compose(f, rpar_with(s), g)``.
    """
    return eval_compose(f, rpar_with(s), g)


def eval_pipe(g: Function, s: Strategy, f: Function) -> Function:
    """Compose as `eval_compose`, from left to right: first `g`, then `f`: ``(g -| s) f``.

    Degree: the result itself.  Sparks: those of `s`.
    Law: ``eval_pipe(g, s, f) ≅ eval_compose(f, s, g)``.
    """
    return eval_compose(f, s, g)


def par_pipe(g: Function, s: Strategy, f: Function) -> Function:
    """Compose as `par_compose`, from left to right: first `g`, then `f`: ``(g -|| s) f``.

    Degree: the result itself.  Sparks: one, and those of `s`.
    Law: ``par_pipe(g, s, f) ≅ par_compose(f, s, g)``.
    """
    return par_compose(f, s, g)


@evaluation
def _application(f: Function, s: Strategy, x: Any) -> Any:
    from dask import delayed

    from strategies.values.evaluated import gathered

    evaluated = yield evaluate(x, s)
    argument = yield Eval(lambda thread: gathered(thread, evaluated))
    result = yield rseq(delayed(f)(argument))
    return result
