"""Iterators that are kept, such as `iter`, `zip` and `map`, and builtins that read iterables.

Each iterator is a generator that is written as Python's C code is: it takes elements by `next`,
whose StopIteration ends it, and an error leaves it where it was. What reads an iterable, such as
`sum`, is written in Python. A parameter that may be left out is told by its kind, so no test of it
remains in the code.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from strategies.rules.builtins.conversions import len_
from strategies.rules.builtins.declared import LEFT_OUT, absent, function, parsed, private, written
from strategies.rules.code.coercion import (
    as_text,
    as_tuple,
    fail,
    in_row,
    parts_of,
    spread,
    tuple_of,
)
from strategies.rules.code.storage import is_list
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.iteration.generators import resume
from strategies.rules.iteration.lazy import backwards
from strategies.rules.iteration.steps import as_iterable, iterable_constant
from strategies.rules.kinds.kind import (
    NEVER,
    RANGE,
    STR,
    TEXT,
    Array,
    Boxed,
    Either,
    Generator,
    Kind,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import is_flags, is_letters
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import parameters
from strategies.rules.values import texts
from strategies.rules.values.numbers import as_index

Prepare = Callable[[Walk, ast.AST, Val], Val]


def library(value: Any, signature: str, **prepare: Prepare) -> Callable[[Any], Any]:
    """Declare an iterator of Python that is written as a generator, which has its name.

    Args:
        prepare: what is done with arguments when the iterator is made.
    """

    names = parameters(parsed(signature)[0])

    def declare(f: Any) -> Any:
        @function(value, signature)
        def build(w: Walk, node: ast.AST, *args: Val) -> Val:
            made = []
            for i, (name, a) in enumerate(zip(names, args, strict=True)):
                with w.apart("argument", i):
                    made.append(prepare[name](w, node, a) if name in prepare else a)
            return w.call(f, *made)

        return f

    return declare


# Parts of tuples


@private("")
def checkpoint(w: Walk, node: ast.AST) -> None:
    """Mark where a generator of the library goes on after a failure."""
    w.checkpoint()


@private("f, values, /, *more")
def unrolled(w: Walk, node: ast.AST, f: Val, values: Val, more: Val) -> Val:
    """Return the results of a function for each element of a tuple, its index, and more."""
    assert isinstance(more.kind, Tup)
    rest = parts_of(w, more)
    if not isinstance(values.kind, Tup):
        return w.call(_in_turn, f, values, *rest)
    found = []
    for i, x in enumerate(parts_of(w, values)):
        with w.apart("unrolled", i):
            given = Arguments([x, w.constant(i), *rest], {})
            found.append(w.call_value(f, given, node))
    return tuple_of(w, found)


def _in_turn(f: Any, values: Any, *more: Any) -> Any:
    found = []
    i = 0
    for x in values:
        found.append(f(x, i, *more))
        i += 1
    return tuple(found)


def advance(it: Any, i: Any) -> Any:
    return next(it)


# iter and next


def elements(values: Any) -> Any:
    for x in values:
        yield x


def elements_of_table(values: Any, n: Any) -> Any:
    if len(values) != n:
        raise RuntimeError("the size changed during iteration")
    for x in values:
        yield x


def iterable(w: Walk, a: Val) -> Val:
    """Return a value that a loop may run over later; fail with TypeError where none can."""
    k = a.kind
    plain = is_letters(k) or is_flags(k) or k in (NEVER, RANGE)
    if plain or isinstance(k, Array | Static | Record | Either | Generator | Tup | Row | Boxed):
        return a
    return fail(w, TypeError, f"{k} is not iterable")


def iterator(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return `iter(a)`."""
    k = a.kind
    if isinstance(k, Either):
        return spread(w, a, lambda x: iterator(w, node, x))
    if k is NEVER or isinstance(k, Generator):
        return a
    a = in_row(w, as_iterable(w, a))
    if a.kind is NEVER or isinstance(a.kind, Generator):
        return a
    if isinstance(a.kind, Row | Array) or is_list(a.kind) or a.kind in (RANGE, TEXT):
        return w.call(elements, a)
    if isinstance(a.kind, Boxed):
        return w.call(elements_of_table, a, len_(w, node, a))
    return fail(w, TypeError, f"{k} is not iterable")


def iterators(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the iterators of all elements of a tuple."""
    if not isinstance(a.kind, Tup):
        return w.call(_iterators, a)
    return tuple_of(w, [iterator(w, node, x) for x in parts_of(w, a)])


def _iterators(values: Any) -> Any:
    return [iter(x) for x in values]


@function(iter, "iterable, sentinel=..., /")
def iter_(w: Walk, node: ast.AST, a: Val, sentinel: Val) -> Val:
    if not absent(sentinel):
        raise Refusal("iter() of a function is not compiled; write a generator")
    return iterator(w, node, a)


function(next, "iterator, default=..., /")(
    lambda w, node, a, default: spread(w, a, lambda x: _next(w, node, x, default))
)


def _next(w: Walk, node: ast.AST, a: Val, default: Val) -> Val:
    if not isinstance(a.kind, Generator):
        if isinstance(a.kind, Static | Record):
            raise Refusal(f"next() of {a.kind} is not compiled; make the iterator in a function")
        return fail(w, TypeError, f"{a.kind} is not an iterator")
    w.note_change(a.kind.instance)
    after = Merge(w, node, "next", valued=True)

    def ended() -> None:
        if absent(default):
            fail(w, StopIteration, "")
            w.env = None
        else:
            after.arrive(default)

    after.arrive(resume(w, a.kind.instance, a.v, lambda more: w.go_on(more, ended)))
    return after.land()


# The iterators


def _zip(its: Any) -> Any:
    while its:
        yield unrolled(advance, its)


def _zip_strict(its: Any) -> Any:
    while its:
        yield unrolled(_advance_alike, its, its)


def _advance_alike(it: Any, i: Any, its: Any) -> Any:
    for x in it:
        return x
    if i > 0:
        raise ValueError("an argument of zip() is shorter than the one before")
    unrolled(_must_end, its)
    raise StopIteration


def _must_end(it: Any, i: Any) -> None:
    if i > 0:
        for _ in it:
            raise ValueError("an argument of zip() is longer than the one before")


@function(zip, "*iterables, strict=False")
def zip_(w: Walk, node: ast.AST, strict: Val, iterables: Val) -> Val:
    if not strict.known:
        raise Refusal("whether zip() is strict must be known; write True or False")
    return w.call(_zip_strict if strict.py else _zip, iterators(w, node, iterables))


@library(map, "func, iterable, /, *iterables", iterable=iterator, iterables=iterators)
def map_(f: Any, it: Any, its: Any) -> Any:
    while True:
        yield f(next(it), *unrolled(advance, its))


@library(filter, "function, iterable, /", iterable=iterator)
def filter_(f: Any, it: Any) -> Any:
    while True:
        x = next(it)
        if x if f is None else f(x):
            yield x


def _enumerate(it: Any, n: Any) -> Any:
    while True:
        x = next(it)
        n += 1  # before the yield: after an error, what follows it runs again
        yield n - 1, x


@function(enumerate, "iterable, start=0")
def enumerate_(w: Walk, node: ast.AST, a: Val, start: Val) -> Val:
    first = as_index(w, start)
    return w.call(_enumerate, iterator(w, node, a), first)


def _backward(values: Any, i: Any) -> Any:
    while 0 <= i < len(values):
        yield values[i]
        i -= 1


@function(reversed, "sequence, /", each=True)
def reversed_(w: Walk, node: ast.AST, a: Val) -> Val:
    if isinstance(a.kind, Static):
        a = iterable_constant(w, a.kind.value)
    a = as_text(w, a)
    if a.kind is STR:
        a = texts.letters(w, a)
    a = as_tuple(a)
    a = in_row(w, a)
    k: Kind = a.kind
    if k is RANGE:
        return w.call(elements, backwards(w, a))
    if isinstance(k, Row | Array) or is_list(k) or k is TEXT:
        n = len_(w, node, a)
        last = Val(n.kind, w.b.sub(n.v, w.constant(1).v))
        return w.call(_backward, a, last)
    if isinstance(k, Boxed | Record):
        raise Refusal(f"reversed() of a {k} is not compiled; reverse a list of it")
    return fail(w, TypeError, f"{k} is not reversible")


# What reads an iterable


@written(any)
def any_(iterable: Any, /) -> bool:
    for x in iterable:
        if x:
            return True
    return False


@written(all)
def all_(iterable: Any, /) -> bool:
    for x in iterable:
        if not x:
            return False
    return True


@written(sum)
def sum_(iterable: Any, /, start: Any = 0) -> Any:
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings")
    total = start
    for x in iterable:
        total = total + x
    return total


def _extreme(value: Any, is_better: Any) -> None:
    """Declare `min` or `max`, the first of the elements than which none is better."""

    def found(first: Any, /, *rest: Any, key: Any = None, default: Any = LEFT_OUT) -> Any:
        if rest:
            best = first
            if key is None:
                for x in rest:
                    if is_better(x, best):
                        best = x
                return best
            rank = key(first)
            for x in rest:
                other = key(x)
                if is_better(other, rank):
                    best, rank = x, other
            return best
        empty = True
        for x in first:
            if key is None:
                if empty or is_better(x, best):
                    best = x
            else:
                other = key(x)
                if empty or is_better(other, rank):
                    best, rank = x, other
            empty = False
        if empty:
            if default is LEFT_OUT:
                raise ValueError("min() or max() of nothing")
            return default
        return best

    found.__qualname__ = f"{value.__name__}_"
    written(value)(found)


_extreme(min, operator.lt)
_extreme(max, operator.gt)
