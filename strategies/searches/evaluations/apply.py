"""Application and composition of functions whose argument is evaluated by a strategy.

As in other names, ``eval_…`` evaluates the argument in the function's own task before the call, and
``par_…`` in a spark.  Dask's calls are strict: a function starts when its argument is known, so a
spark runs in parallel with later calls, not with the function that needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphs.arguments import check_functions
from strategies.algebra.strategy import Strategy, checked
from strategies.searches.evaluations.using import run_eval
from strategies.values.basic import rpar_with, rseq
from strategies.values.eval import Eval, evaluate, evaluation

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
