"""`itertools`, written as Python's C code is, so that a failure leaves the same behind."""

from __future__ import annotations

import ast
import itertools
from typing import Any

from strategies.rules import sequences
from strategies.rules.builtins.declared import function
from strategies.rules.builtins.functions import as_index
from strategies.rules.builtins.iterators import (
    call_python,
    iterable,
    iterator,
    iterators,
    library,
    unrolled,
)
from strategies.rules.code import Val
from strategies.rules.constants import LONGEST
from strategies.rules.kinds import BOOL, NEVER, NONE, Either, Static, Tup
from strategies.rules.messages import Refusal
from strategies.rules.values import fail
from strategies.rules.walk import Walk

DIE = frozenset({"islice_", "pairwise_", "zip_longest_"})  # an error ends these


def absent(a: Val) -> bool:
    """Whether an argument with the default `...` was left out."""
    return isinstance(a.kind, Static) and a.kind.value is ...


# Numbers and repetition


def _count(n: Any, step: Any) -> Any:
    while True:
        yield n
        n = n + step


@function(itertools.count, "start=0, step=1")
def count(w: Walk, node: ast.AST, start: Val, step: Val) -> Val:
    from strategies.rules.values import number

    for a in (start, step):
        if a.kind is NEVER:
            return a
        if isinstance(a.kind, Either) or a.kind is BOOL:
            raise Refusal("count() from a bool or one of several kinds is not compiled; use an int")
        if number(w, a) is None:
            return fail(w, TypeError, "a number is required")
    return call_python(w, _count, [start, step])


@library(itertools.cycle, "iterable, /", iterable=iterator)
def cycle_(it: Any) -> Any:
    saved = []
    for x in it:
        saved.append(x)
        yield x
    while saved:
        for x in saved:
            yield x


def _forever(x: Any) -> Any:
    while True:
        yield x


def _times(x: Any, n: Any) -> Any:
    while n > 0:
        n -= 1
        yield x


@function(itertools.repeat, "object, times=...")
def repeat(w: Walk, node: ast.AST, x: Val, times: Val) -> Val:
    if absent(times):
        return call_python(w, _forever, [x])
    return call_python(w, _times, [x, as_index(w, times)])


# One iterable


@library(itertools.accumulate, "iterable, func=None, *, initial=None", iterable=iterator)
def accumulate_(it: Any, f: Any, total: Any) -> Any:
    if total is None:
        total = next(it)
    yield total
    while True:
        x = next(it)
        total = total + x if f is None else f(total, x)
        yield total


@library(itertools.takewhile, "predicate, iterable, /", iterable=iterator)
def takewhile_(f: Any, it: Any) -> Any:
    while True:
        x = next(it)
        if not f(x):
            return
        yield x


@library(itertools.dropwhile, "predicate, iterable, /", iterable=iterator)
def dropwhile_(f: Any, it: Any) -> Any:
    while True:
        x = next(it)
        if not f(x):
            break
    yield x
    while True:
        yield next(it)


@library(itertools.filterfalse, "function, iterable, /", iterable=iterator)
def filterfalse_(f: Any, it: Any) -> Any:
    while True:
        x = next(it)
        if not (x if f is None else f(x)):
            yield x


@library(itertools.starmap, "function, iterable, /", iterable=iterator)
def starmap_(f: Any, it: Any) -> Any:
    while True:
        args = next(it)
        yield f(*args)


@library(itertools.pairwise, "iterable, /", iterable=iterator)
def pairwise_(it: Any) -> Any:
    old = next(it)
    while True:
        new = next(it)
        yield old, new
        old = new


def _place(value: Any, default: Any) -> Any:
    """Return a bound of `islice`."""
    if value is None:
        return default
    if isinstance(value, float):
        raise ValueError("islice() takes ints that are not negative, or None")
    if value < 0:
        raise ValueError("islice() takes ints that are not negative, or None")
    return value


def islice_(it: Any, following: Any, stop: Any, step: Any) -> Any:
    done = 0
    while True:
        while done < following:
            next(it)
            done += 1
        if stop is not None:
            if done >= stop:
                return
        x = next(it)
        done += 1
        following += step
        if stop is not None:
            if following > stop:
                following = stop
        yield x


@function(itertools.islice, "iterable, first, second=..., step=None, /")
def islice(w: Walk, node: ast.AST, a: Val, first: Val, second: Val, step: Val) -> Val:
    constant = w.program.constants.value
    start, stop = (constant(0), first) if absent(second) else (first, second)
    if any(isinstance(x.kind, Either) for x in (start, stop, step)):
        raise Refusal("a bound of islice() that may be None is not compiled")
    it = iterator(w, node, a)
    # Python checks stop, then start, then step.
    last = stop if stop.kind is NONE else call_python(w, _place, [stop, constant(0)])
    begin = call_python(w, _place, [start, constant(0)])
    by = call_python(w, _step, [step])
    return call_python(w, islice_, [it, begin, last, by])


def _step(value: Any) -> Any:
    if value is None:
        return 1
    if isinstance(value, float):
        raise ValueError("the step of islice() must be a positive int or None")
    if value < 1:
        raise ValueError("the step of islice() must be a positive int or None")
    return value


# Several iterables


@library(itertools.compress, "data, selectors", data=iterator, selectors=iterator)
def compress_(data: Any, selectors: Any) -> Any:
    while True:
        x = next(data)
        if next(selectors):
            yield x


@library(itertools.chain, "*iterables")
def chain_(iterables: Any) -> Any:
    for values in iterables:
        for x in values:
            yield x


@library(itertools.chain.from_iterable, "iterable, /", iterable=iterator)
def from_iterable_(it: Any) -> Any:
    for values in it:
        for x in values:
            yield x


def _next_or(it: Any, i: Any, alive: Any, fill: Any) -> Any:
    if alive[i]:
        for x in it:
            return x
        alive[i] = False
    return fill


@library(itertools.zip_longest, "*iterables, fillvalue=None", iterables=iterators)
def zip_longest_(fill: Any, its: Any) -> Any:
    alive = [True] * len(its)
    while True:
        found = unrolled(_next_or, its, alive, fill)
        if True not in alive:
            return
        yield found


# Choices


def pool(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuple of an iterable's elements, in memory."""
    return sequences.in_row(w, sequences.tuple_from(w, node, iterable(w, a)))


def pools(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuples of the elements of iterables."""
    from strategies.rules.arguments import parts_of

    if not isinstance(a.kind, Tup):
        return call_python(w, _pools, [a])
    path, found = w.path, []
    for i, x in enumerate(parts_of(w, a)):
        w.path = (*path, "pool", i)
        found.append(pool(w, node, x))
    w.path = path
    return sequences.tuple_of(w, found)


def _pools(values: Any) -> Any:
    return tuple([tuple(x) for x in values])


def _places(w: Walk, r: Val) -> Val:
    """Return 0, 1, ..., r - 1, whose number is known if r is."""
    if r.known and 0 <= int(r.py) <= LONGEST:
        return w.program.constants.value(tuple(range(int(r.py))))
    return call_python(w, _up_to, [r])


def _up_to(n: Any) -> Any:
    if n < 0:
        raise ValueError("r must be non-negative")
    return tuple([i for i in range(n)])


def _at(place: Any, i: Any, values: Any, indices: Any) -> Any:
    return values[indices[place]]


def _combinations(values: Any, places: Any) -> Any:
    n, r = len(values), len(places)
    if r > n:
        return
    indices = [i for i in range(r)]
    while True:
        yield unrolled(_at, places, values, indices)
        i = r - 1
        while i >= 0 and indices[i] == i + n - r:
            i -= 1
        if i < 0:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + 1


def _with_replacement(values: Any, places: Any) -> Any:
    n, r = len(values), len(places)
    if n == 0 and r > 0:
        return
    indices = [0] * r
    while True:
        yield unrolled(_at, places, values, indices)
        i = r - 1
        while i >= 0 and indices[i] == n - 1:
            i -= 1
        if i < 0:
            return
        new = indices[i] + 1
        for j in range(i, r):
            indices[j] = new


def _permutations(values: Any, places: Any) -> Any:
    n, r = len(values), len(places)
    if r > n:
        return
    indices = [i for i in range(n)]
    cycles = [n - i for i in range(r)]
    while True:
        yield unrolled(_at, places, values, indices)
        i = r - 1
        while i >= 0:
            cycles[i] -= 1
            if cycles[i] > 0:
                j = n - cycles[i]
                indices[i], indices[j] = indices[j], indices[i]
                break
            first = indices[i]
            for j in range(i, n - 1):
                indices[j] = indices[j + 1]
            indices[n - 1] = first
            cycles[i] = n - i
            i -= 1
        if i < 0:
            return


@function(itertools.combinations, "iterable, r")
def combinations(w: Walk, node: ast.AST, a: Val, r: Val) -> Val:
    values = pool(w, node, a)
    return call_python(w, _combinations, [values, _places(w, as_index(w, r))])


@function(itertools.combinations_with_replacement, "iterable, r")
def with_replacement(w: Walk, node: ast.AST, a: Val, r: Val) -> Val:
    values = pool(w, node, a)
    return call_python(w, _with_replacement, [values, _places(w, as_index(w, r))])


@function(itertools.permutations, "iterable, r=None")
def permutations(w: Walk, node: ast.AST, a: Val, r: Val) -> Val:
    from strategies.rules.builtins.conversions import len_

    known = a.kind.items if isinstance(a.kind, Tup) else None
    values = pool(w, node, a)
    if isinstance(r.kind, Either):
        raise Refusal("the length of permutations() that may be None is not compiled")
    if values.kind is NEVER:
        return values
    if r.kind is NONE:
        r = w.program.constants.value(len(known)) if known is not None else len_(w, node, values)
    return call_python(w, _permutations, [values, _places(w, as_index(w, r))])


def _pick(values: Any, i: Any, indices: Any) -> Any:
    return values[indices[i]]


def _size(values: Any, i: Any) -> Any:
    return len(values)


def _product(values: Any) -> Any:
    sizes = unrolled(_size, values)
    if 0 in sizes:
        return
    indices = [0] * len(values)
    while True:
        yield unrolled(_pick, values, indices)
        i = len(values) - 1
        while i >= 0:
            indices[i] += 1
            if indices[i] < sizes[i]:
                break
            indices[i] = 0
            i -= 1
        if i < 0:
            return


@function(itertools.product, "*iterables, repeat=1")
def product(w: Walk, node: ast.AST, repeat: Val, iterables: Val) -> Val:
    from strategies.rules.operators import binary

    n = as_index(w, repeat)
    if repeat.known:
        n = w.program.constants.value(int(repeat.py)) if n.kind is not NEVER else n
    if n.kind is NEVER:
        return n
    if not n.known:
        w.check(w.b.icmp_signed("<", n.v, w.program.constants.value(0).v), ValueError, "repeat")
    elif n.py < 0:
        return fail(w, ValueError, "repeat argument cannot be negative")
    found = pools(w, node, iterables)
    if n.known and n.py == 1:
        return call_python(w, _product, [found])
    return call_python(w, _product, [binary(w, ast.Mult, found, n, node)])


# Groups


def _step_to(it: Any, key: Any, keys: Any, values: Any) -> None:
    x = next(it)
    k = x if key is None else key(x)
    if keys:
        keys[0] = k
        values.clear()
        values.append(x)
    else:
        keys.append(k)
        values.append(x)


def _group(it: Any, key: Any, keys: Any, values: Any, turn: Any, mine: Any, target: Any) -> Any:
    while turn[0] == mine:
        if not values:
            _step_to(it, key, keys, values)
        if not target == keys[0]:
            return
        yield values.pop()


@library(itertools.groupby, "iterable, key=None", iterable=iterator)
def groupby_(it: Any, key: Any) -> Any:
    keys, values, target, turn = [], [], [], [0]
    while True:
        turn[0] += 1
        while not keys or (target and target[0] == keys[0]):
            _step_to(it, key, keys, values)
        target = [keys[0]]
        yield keys[0], _group(it, key, keys, values, turn, turn[0], keys[0])


__all__ = ["DIE"]
