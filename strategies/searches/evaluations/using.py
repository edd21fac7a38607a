"""``using`` and its kin: evaluate a value by a strategy, and leave do-notation.

``x `using` s`` of Haskell is ``using(x, s)``.  As there, it is the result that must be used: `x`
itself stays what it was, and whoever computes it computes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphs.arguments import check_functions, row_of
from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import Strategy, checked
from strategies.values.basic import rseq
from strategies.values.eval import Eval, _eval, evaluate

if TYPE_CHECKING:
    from strategies.searches.evaluations.evaluated import Evaluated


def run_eval(e: Eval) -> Evaluated:
    """Run an evaluation: return its result as one delayed value, known when all that was called is.

    Ensures: equal evaluations have equal keys.  A spark whose result is dropped never runs.
    Work: linear in the graph.
    """
    return _concluded(_eval(e))


def _concluded(e: Eval, strategy: Strategy | None = None) -> Evaluated:
    from strategies.searches.evaluations.evaluated import Evaluated
    from strategies.values.evaluated import concluded
    from strategies.values.thread import Record, Thread

    thread = Thread(Record())
    return concluded(Evaluated, thread, e.run(thread), strategy)


def using(x: Any, s: Strategy) -> Evaluated:
    """Evaluate `x` as the strategy `s` says, and return the same value: Haskell's ``x `using` s``.

    Requires: `x` is a thunk (anything that Dask computes), or a container of values: of any kind
    that Dask looks into (lists, tuples, sets, dicts with their keys, named tuples, dataclasses;
    an iterator is a list), a subclass of one, a deque, an attrs class, a `Seq`.  Only a
    thunk's own call is moved into the task that `s` says; its inputs stay tasks of Dask's, which
    may run earlier.
    Ensures: it computes to what `x` computes to, whatever the strategy, scheduler and workers.
    Of a list, tuple or dict the parts can be taken, ``using(xs, s)[0]``, and waited for alone.
    `explain`, `run` and `visualize` of what comes back tell of its tasks and sparks.  What Dask
    makes of it (a slice ``[1:3]``, an operation, or itself out of a pickle) is a plain value of
    Dask's, which computes the same and tells nothing.
    Degree and sparks: those of `s`.  No law says that twice is once: each use may spark again.
    Raises: StrategyError, if `s` does not fit `x`, a thunk is in a collection of another kind, or
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
    """Return a function that evaluates its argument by `s`: `using` the other way round.

    Law: ``with_strategy(s)(x)`` is ``using(x, s)``.
    """
    checked(s)
    return lambda x: using(x, s)


def par_map(f: Callable[[Any], Any], xs: Sequence[Any], s: Strategy = rseq) -> Evaluated:
    """Map `f` over `xs`, each in a spark that evaluates the result by `s`.

    Degree: that of `s` on each result.  Sparks: one for each element.
    Law: ``par_map(f, xs, s)`` is ``using([delayed(f)(x) for x in xs], par_list(s))``.

    >>> par_map(abs, [-1, 2, -3]).compute()
    [1, 2, 3]
    """
    from dask import delayed

    check_functions(f=f)
    xs = row_of("xs", xs, "values, as [1, 2]")
    call = delayed(f)
    return using([call(x) for x in xs], par_list(s))
