"""`itertools`, written as Python's C code is, so that a failure leaves the same behind."""

from __future__ import annotations

import ast
import itertools
from operator import index
from typing import Any

from strategies.rules.builtins.declared import absent, function
from strategies.rules.builtins.iterators import checkpoint, iterator, iterators, library, unrolled
from strategies.rules.code.coercion import fail, number
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, NEVER, NONE, Either
from strategies.rules.language.messages import Refusal
from strategies.rules.values.numbers import as_index, refuse_wide

DIE = frozenset({"islice_", "pairwise_", "zip_longest_"})  # an error ends these


# Numbers and repetition


def _count(n: Any, step: Any) -> Any:
    while True:
        yield n
        n = n + step


@function(itertools.count, "start=0, step=1")
def count(w: Walk, node: ast.AST, start: Val, step: Val) -> Val:
    for a in (start, step):
        if a.kind is NEVER:
            return a
        if isinstance(a.kind, Either) or a.kind is BOOL:
            raise Refusal("count() from a bool or one of several kinds is not compiled; use an int")
        refuse_wide(a)
        if number(w, a) is None:
            return fail(w, TypeError, "a number is required")
    return w.call(_count, start, step)


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
        return w.call(_forever, x)
    return w.call(_times, x, as_index(w, times))


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


def _bound(value: Any, default: Any, least: Any) -> Any:
    """Return a bound of `islice`."""
    if value is None:
        return default
    try:
        value = index(value)
    except TypeError:
        raise ValueError("the bounds of islice() are ints, or None") from None
    if value < least:
        raise ValueError("the bounds of islice() are not negative, and its step is positive")
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
    start, stop = (w.constant(0), first) if absent(second) else (first, second)
    if any(isinstance(x.kind, Either) for x in (start, stop, step)):
        raise Refusal("a bound of islice() that may be None is not compiled")
    # Python checks stop, then start, then step, then the iterable.
    last = stop if stop.kind is NONE else w.call(_bound, stop, w.constant(0), w.constant(0))
    begin = w.call(_bound, start, w.constant(0), w.constant(0))
    by = w.call(_bound, step, w.constant(1), w.constant(1))
    return w.call(islice_, iterator(w, node, a), begin, last, by)


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
        checkpoint()
        for x in values:
            yield x


@library(itertools.chain.from_iterable, "iterable, /", iterable=iterator)
def from_iterable_(it: Any) -> Any:
    asked = False
    while True:
        checkpoint()
        if asked:
            return  # the iterable of iterables failed, which ends the chain
        asked = True
        values = next(it)
        asked = False
        checkpoint()
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
    keys: list[Any] = []
    values: list[Any] = []
    target: list[Any] = []
    turn = [0]
    while True:
        turn[0] += 1
        while not keys or (target and target[0] == keys[0]):
            _step_to(it, key, keys, values)
        target = [keys[0]]
        yield keys[0], _group(it, key, keys, values, turn, turn[0], keys[0])
