"""Choices of elements: `product`, `permutations`, `combinations`, with replacement or without."""

from __future__ import annotations

import ast
import itertools
from typing import Any

from strategies.rules.builtins.conversions import len_
from strategies.rules.builtins.declared import function
from strategies.rules.builtins.iterators import iterable, unrolled
from strategies.rules.code.coercion import fail, in_row, parts_of, tuple_of
from strategies.rules.code.val import ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import APART
from strategies.rules.kinds.kind import NEVER, NONE, Either, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import sequences
from strategies.rules.operations.operators import binary
from strategies.rules.values.numbers import as_index


def pool(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuple of an iterable's elements, in memory."""
    return in_row(w, sequences.tuple_from(w, node, iterable(w, a)))


def pools(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuples of the elements of iterables."""
    if not isinstance(a.kind, Tup):
        return w.call(_pools, a)
    found = []
    for i, x in enumerate(parts_of(w, a)):
        with w.apart("pool", i):
            found.append(pool(w, node, x))
    return tuple_of(w, found)


def _pools(values: Any) -> Any:
    return tuple([tuple(x) for x in values])


def _places(w: Walk, r: Val) -> Val:
    """Return 0, 1, ..., r - 1, whose number is known if r is."""
    if r.known and 0 <= int(r.py) <= APART:
        return w.constant(tuple(range(int(r.py))))
    return w.call(_up_to, r)


def _up_to(n: Any) -> Any:
    if n < 0:
        raise ValueError("r must be non-negative")
    return tuple([i for i in range(n)])


def _combinations(values: Any, places: Any, gap: Any) -> Any:
    """Yield the choices in order, with places that grow by `gap` at least: 1, or 0 with repeats."""
    n, r = len(values), len(places)
    if r > 0 and gap * (r - 1) >= n:
        return
    indices = [gap * i for i in range(r)]
    while True:
        yield unrolled(lambda place, i: values[indices[place]], places)
        i, last = r - 1, n - 1
        while i >= 0 and indices[i] == last:
            i -= 1
            last -= gap
        if i < 0:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + gap


def _permutations(values: Any, places: Any) -> Any:
    n, r = len(values), len(places)
    if r > n:
        return
    indices = [i for i in range(n)]
    cycles = [n - i for i in range(r)]
    while True:
        yield unrolled(lambda place, i: values[indices[place]], places)
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


for _choose, _gap in ((itertools.combinations, 1), (itertools.combinations_with_replacement, 0)):

    @function(_choose, "iterable, r")
    def combinations(w: Walk, node: ast.AST, a: Val, r: Val, gap: int = _gap) -> Val:
        values = pool(w, node, a)
        return w.call(_combinations, values, _places(w, as_index(w, r)), w.constant(gap))


@function(itertools.permutations, "iterable, r=None")
def permutations(w: Walk, node: ast.AST, a: Val, r: Val) -> Val:
    known = a.kind.items if isinstance(a.kind, Tup) else None
    values = pool(w, node, a)
    if isinstance(r.kind, Either):
        raise Refusal("the length of permutations() that may be None is not compiled")
    if values.kind is NEVER:
        return values
    if r.kind is NONE:
        r = w.constant(len(known)) if known is not None else len_(w, node, values)
    return w.call(_permutations, values, _places(w, as_index(w, r)))


def _product(values: Any) -> Any:
    sizes = unrolled(lambda pool, i: len(pool), values)
    if 0 in sizes:
        return
    indices = [0] * len(values)
    while True:
        yield unrolled(lambda pool, i: pool[indices[i]], values)
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
    n = as_index(w, repeat)
    if n.kind is NEVER:
        return n
    if n.known and n.py < 0:
        return fail(w, ValueError, "repeat argument cannot be negative")
    if not n.known:
        w.check(w.b.icmp_signed("<", n.v, ZERO), ValueError, "repeat argument cannot be negative")
    found = pools(w, node, iterables)
    if n.known and n.py == 1:
        return w.call(_product, found)
    return w.call(_product, binary(w, ast.Mult, found, n, node))
