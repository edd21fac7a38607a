"""Strategies of containers: as in Haskell, a ``par_…(s)`` is the ``eval_…`` of ``rpar_with(s)``.

An ``eval_…`` strategy never sparks itself; its inner strategy may, and it does not wait for that.
`eval_list`, `par_list`, `par_list_chunk`, `par_buffer` and `split_at` are those of searches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve, frozen

from strategies.algebra.strategy import Strategy, StrategyError, checked, count, seq, unfolded
from strategies.values.basic import ValueStrategy, r0, rpar_with
from strategies.values.containers_of import SEQUENCES, parts, rebuilt
from strategies.values.eval import Evaluator

PARTS: Final[dict[str, Callable[[int], slice]]] = {
    "eval_list_n": slice, "eval_list_nth": lambda i: slice(i, i + 1),
}  # fmt: skip
"""The elements that a strategy for a part of a list evaluates, by its name."""


@frozen(repr=False)
class EvalPart(ValueStrategy):
    """The class of `eval_list_n` and `eval_list_nth`."""

    name: str
    number: int
    inner: Strategy

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        held, part = elements(self, x), PARTS[self.name](self.number)
        held[part] = [thread.evaluate(v, self.inner) for v in held[part]]
        return rebuilt(x, held)

    def __repr__(self) -> str:
        return f"{self.name}({self.number}, {self.inner!r})"


@frozen(repr=False)
class EvalBuffer(ValueStrategy):
    """The class of `eval_buffer`."""

    size: int
    inner: Strategy = seq

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        done: list[Any] = []
        ends: list[frozenset[Any]] = []
        for i, v in enumerate(elements(self, x)):

            def one(t: Evaluator, v: Any = v) -> Any:
                return t.evaluate(v, self.inner)

            if i >= self.size:
                thread.wait(ends[i - self.size])
            new, end = thread.followed(one)
            done.append(new)
            ends.append(end)
        return rebuilt(x, done)

    def plug(self, inner: Strategy) -> Strategy:
        return evolve(self, inner=inner if self.inner == seq else self.inner(inner))

    def __repr__(self) -> str:
        return f"eval_buffer({self.size})" + ("" if self.inner == seq else f"({self.inner!r})")


@frozen(repr=False)
class EvalTuple(ValueStrategy):
    """The class of `eval_tuple`."""

    each: tuple[Strategy, ...]

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        held = elements(self, x)
        if len(held) != (count := len(self.each)):
            raise StrategyError(
                f"{self} needs {count} component{'s' * (count != 1)}, not {len(held)}"
            )
        return rebuilt(x, [thread.evaluate(v, s) for v, s in zip(held, self.each, strict=True)])

    def __repr__(self) -> str:
        return f"eval_tuple({', '.join(map(repr, self.each))})"


@frozen(repr=False)
class EvalTraversable(ValueStrategy):
    """The class of `eval_traversable`."""

    inner: Strategy

    def evaluate(self, thread: Evaluator, x: Any) -> Any:
        return thread.deep(x, lambda leaf: thread.evaluate(leaf, self.inner))

    def __repr__(self) -> str:
        return f"eval_traversable({self.inner!r})"


def elements(s: Strategy, x: Any) -> list[Any]:
    """Return the elements of a list, tuple, deque or `Seq`.

    Raises: StrategyError if `x` is something else; the elements of a delayed value are unknown.
    """
    if not isinstance(x, SEQUENCES):
        raise StrategyError(
            f"{s} needs a list or a tuple of values, not {type(x).__name__}; "
            "use par_traversable for other containers, and rseq or rpar for a single value"
        )
    return parts(x) or []


def eval_list_n(n: int, s: Strategy) -> Strategy:
    """Evaluate the first `n` elements in order by `s`; the others as by `r0`.

    Degree: that of `s` on the first n.  Sparks: those of `s`.
    Law: ``eval_list_n(n, s) ≅ eval_list(s)`` on n elements or fewer.
    Raises: StrategyError if n is negative.  Source: ``evalListN``.

    >>> eval_list_n(2, rpar_with(seq))
    eval_list_n(2, rpar_with(seq))
    """
    return EvalPart("eval_list_n", count("eval_list_n", n, 0), checked(s))


def par_list_n(n: int, s: Strategy) -> Strategy:
    """Spark each of the first `n` elements, evaluated by `s`; the others as by `r0`.

    Degree: that of `s` on the first n.  Sparks: one for each of them.
    Law: ``par_list_n(n, s) == eval_list_n(n, rpar_with(s))``.
    Raises: StrategyError if n is negative.  Source: ``parListN``.
    """
    return EvalPart("eval_list_n", count("par_list_n", n, 0), rpar_with(s))


def eval_list_nth(i: int, s: Strategy) -> Strategy:
    """Evaluate the element at index `i` by `s`; the others, or all if there is none, as by `r0`.

    Degree: that of `s` on the element.  Sparks: those of `s`.
    Raises: StrategyError if i is negative.  Source: ``evalListNth``.
    """
    return EvalPart("eval_list_nth", count("eval_list_nth", i, 0), checked(s))


def par_list_nth(i: int, s: Strategy) -> Strategy:
    """Spark the element at index `i`, evaluated by `s`; the others as by `r0`.

    Degree: that of `s` on the element.  Sparks: one.
    Law: ``par_list_nth(i, s) == eval_list_nth(i, rpar_with(s))``.
    Raises: StrategyError if i is negative.  Source: ``parListNth``.
    """
    return EvalPart("eval_list_nth", count("par_list_nth", i, 0), rpar_with(s))


def eval_buffer(size: int) -> Strategy:
    """Evaluate the elements in order, element i only after elements 0…i-size are known.

    Degree: that of the inner strategy.  Sparks: those of the inner strategy.
    Laws: ``eval_buffer(n)(rseq) ≅ eval_list(rseq)``,
    ``eval_buffer(n)(rpar_with(s)) ≅ par_buffer(n)(s)`` on two or more elements that share no calls.
    Raises: StrategyError if size is less than 1.  Source: ``evalBuffer``, in which a lazy consumer
    pulls the elements; here, known elements release the next ones.

    >>> eval_buffer(3)(rpar_with(seq))
    eval_buffer(3)(rpar_with(seq))
    """
    return EvalBuffer(count("eval_buffer", size, 1))


def eval_tuple(*each: Strategy) -> Strategy:
    """Evaluate the components of a tuple in order, each by its own strategy.

    Degree: that of each.  Sparks: those of each.
    Raises: StrategyError, when it is used, if the number of components differs.
    Source: ``evalTuple2`` … ``evalTuple9``.
    """
    return EvalTuple(tuple(map(checked, each)))


def par_tuple(*each: Strategy) -> Strategy:
    """Spark each component of a tuple, evaluated by its own strategy.

    Degree: that of each.  Sparks: one for each that evaluates anything.
    Law: ``par_tuple(s, t) == eval_tuple(rpar_with(s), rpar_with(t))``.
    Source: ``parTuple2`` … ``parTuple9``.

    >>> from strategies.values.basic import r0, rseq
    >>> par_tuple(rseq, r0)
    eval_tuple(rpar, r0)
    """
    return EvalTuple(tuple(map(rpar_with, each)))


def eval_traversable(s: Strategy) -> Strategy:
    """Evaluate every thunk in nested containers, as `using` takes them, in order, by `s`.

    Degree: that of `s` on each.  Sparks: those of `s`.
    Laws: ``eval_traversable(rseq) ≅ rdeepseq``; ``eval_traversable(s) ≅ eval_list(s)`` on a list
    of thunks.  Source: ``evalTraversable``, whose containers may be composed.
    """
    return EvalTraversable(checked(s))


def par_traversable(s: Strategy) -> Strategy:
    """Spark every thunk in nested containers, evaluated by `s`.

    Degree: that of `s` on each.  Sparks: one for each thunk.
    Law: ``par_traversable(s) == eval_traversable(rpar_with(s))``.  Source: ``parTraversable``.
    """
    return EvalTraversable(rpar_with(s))


def evaluate_list(thread: Evaluator, xs: Any, s: Strategy) -> Any:
    """Evaluate the elements of a list by a partial order, each spark in a new thread.

    Ensures: a group starts when all elements before its `after` are known, with their sparks.
    Inside a group, and between steps, an element does not wait for the sparks of the one before.
    """
    held = elements(s, xs)
    layer = unfolded(s, "list", len(held))
    pairs = list(zip(held, layer.inner, strict=True))
    record, edges = thread.record, {g.after for g in layer.groups}
    known: dict[int, frozenset[Any]] = {0: frozenset()}
    front: set[Any] = set()  # what to wait for when all elements so far are to be known
    out: list[Any] = []
    for g, spark in zip(layer.groups, layer.sparks, strict=True):

        def row(
            t: Evaluator, part: list[tuple[Any, Strategy]] = pairs[g.start : g.stop]
        ) -> list[Any]:
            return [t.evaluate(x, inner) for x, inner in part]

        before = known[g.after]
        if spark:
            thread.close()
            ahead = any(inner != r0 for _, inner in pairs[g.start : g.stop])
            new, ends = thread.spark(row, record.joined(thread.after, before), ahead)
            if ends:  # else it called nothing, and nothing stands for what it waited for
                front.difference_update(before, *(record.place[k].after for k in ends))
            front |= ends
        else:
            thread.wait(before)
            new, ends = thread.followed(row)
            front = front.difference(before) | ends  # the thread waits for its own calls anyway
        if g.stop in edges:
            known[g.stop] = frozenset(front)
        out += new
    return rebuilt(xs, out)
