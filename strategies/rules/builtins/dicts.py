"""Dicts, defaultdicts and Counters: how they are made, and their methods."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from typing import Any

from strategies.rules.builtins.declared import absent, by_name, function, method, written_method
from strategies.rules.code import storage
from strategies.rules.code.coercion import coerce, fail, spread
from strategies.rules.code.storage import TABLE, USED
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import tables
from strategies.rules.containers.tables import (
    MAPPINGS,
    SETS,
    VIEWS,
    choice,
    element_kind,
    item_at,
    view,
)
from strategies.rules.iteration import walking
from strategies.rules.iteration.steps import Iteration, for_each
from strategies.rules.kinds.kind import (
    CELLS,
    INT,
    NEVER,
    NONE,
    Closure,
    Either,
    Kind,
    Method,
    Static,
)
from strategies.rules.kinds.parts import alternatives, named
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import mappings, operators
from strategies.rules.operations.sets import copied


@written_method("counter", "total")
def total(self: Any, /) -> Any:
    return sum(self.values())


@written_method("counter", "elements")
def elements(self: Any, /) -> Any:
    for x, n in self.items():
        for _ in range(n):
            yield x


@written_method("counter", "most_common")
def most_common(self: Any, n: Any = None) -> Any:
    found = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
    if n is None:
        return found
    if n == 1:
        return found[:1]  # as Python, which takes the greatest then, also for 1.0
    range(n)  # n must be an int
    return found[: max(n, 0)]


ALL = "dict counter defaultdict"


@function(dict, "iterable=..., /, **entries")
def dict_(w: Walk, node: ast.AST, x: Val, entries: Val) -> Val:
    if named(x.kind, MAPPINGS):
        made = copied(w, node, x, "dict")
    else:
        made = tables.new(w, node, "dict")
        if not absent(x):
            mappings.update(w, node, made, x, "dict")
    return _with_entries(w, made, entries)


def _with_entries(w: Walk, a: Val, entries: Val) -> Val:
    """Return a dict, if control can be here, with the arguments that have names put into it."""
    for name, v in by_name(w, entries).items() if w.env is not None else ():
        tables.put(w, a, w.constant(name), v)
    return w.reached(a)


def _is_factory(k: Kind) -> bool:
    if isinstance(k, Static):
        return callable(k.value)
    return isinstance(k, Closure | Method) or k is NONE


@function(defaultdict, "default_factory=None, iterable=..., /, **entries")
def defaultdict_(w: Walk, node: ast.AST, f: Val, x: Val, entries: Val) -> Val:
    if isinstance(f.kind, Either) and not all(map(_is_factory, f.kind.items)):
        raise Refusal("a factory that may be no function is not compiled")
    if not all(map(_is_factory, alternatives(f.kind))):
        return fail(w, TypeError, "the first argument must be callable or None")
    k = w.site(node, "defaultdict", CELLS["defaultdict"])
    w.widen(k, 2, f.kind)
    made = tables.new(w, node, "defaultdict")
    tables.set_factory(w, made, f)
    if not absent(x):
        mappings.update(w, node, made, x, "dict")
    return _with_entries(w, made, entries)


@method("dict defaultdict", "update", "self, other=..., /, **entries", changes=True)
def update(w: Walk, node: ast.AST, a: Val, x: Val, entries: Val) -> None:
    if not absent(x):
        mappings.update(w, node, a, x, "update")
    _with_entries(w, a, entries)


@function(Counter, "iterable=None, /, **counts")
def counter(w: Walk, node: ast.AST, x: Val, counts: Val) -> Val:
    made = tables.new(w, node, "counter")
    return _counted(w, node, made, x, counts, ast.Add)


def _counted(
    w: Walk, node: ast.AST, a: Val, x: Val, counts: Val, op: type[ast.operator]
) -> Val:  # fmt: skip
    """Return a Counter, if control can be here, that counts more, or less."""

    def use(y: Val) -> Val:
        if y.kind is not NONE:
            count_all(w, node, a, y, "counted", op)
        return w.reached(w.constant(None))

    if NONE in alternatives(x.kind):
        spread(w, x, use)
    else:
        use(x)
    for name, v in by_name(w, counts).items():
        if w.env is not None:
            count(w, a, w.constant(name), v, node, op)
    return w.reached(a)


for _name, _op in (("update", ast.Add), ("subtract", ast.Sub)):

    @method("counter", _name, "self, iterable=None, /, **counts")
    def change(
        w: Walk, node: ast.AST, a: Val, x: Val, counts: Val, op: type[ast.operator] = _op
    ) -> None:  # fmt: skip
        _counted(w, node, a, x, counts, op)


@function(dict.fromkeys, "iterable, value=None, /")
def fromkeys(w: Walk, node: ast.AST, x: Val, value: Val) -> Val:
    made = tables.new(w, node, "dict")
    if named(x.kind, SETS):
        walking.steps(Iteration(w, node, "keys"), x)
    walking.each(w, node, x, lambda y: tables.put(w, made, y, value), "keys")
    return w.reached(made)


# Reading


@method(ALL, "get", "self, key, default=None, /")
def get(w: Walk, node: ast.AST, a: Val, i: Val, default: Val) -> Val:
    if a.known and i.known:
        try:
            return w.constant(a.py[i.py]) if i.py in a.py else default
        except TypeError:
            return fail(w, TypeError, "unhashable type")
    at, i = mappings.without(w, a, i)
    return i if i.kind is NEVER else choice(w, a, at, lambda: default)


@method(ALL, "setdefault", "self, key, default=None, /")
def setdefault(w: Walk, node: ast.AST, a: Val, i: Val, default: Val) -> Val:
    k = a.boxed
    at, i = mappings.without(w, a, i)
    if i.kind is NEVER:
        return i
    w.widen(k, 0, i.kind)
    w.widen(k, 1, default.kind)

    def other() -> Val:
        tables.put(w, a, i, default)
        return coerce(w, default, k.value) if k.value is not NEVER else default

    return choice(w, a, at, other)


@method(ALL, "pop", "self, key, default=..., /", changes=True)
def pop(w: Walk, node: ast.AST, a: Val, i: Val, default: Val) -> Val:
    k = a.boxed
    at, i = mappings.without(w, a, i)
    if i.kind is NEVER:
        return i

    def other() -> Val:
        return fail(w, KeyError, "the key is not in the dict") if absent(default) else default

    x = choice(w, a, at, other)
    with w.when(w.b.icmp_signed(">=", at, ZERO)):
        storage.remove(w, k, a.v, at)
    return x


@method(ALL, "popitem", "self, /", changes=True)
def popitem(w: Walk, node: ast.AST, a: Val) -> Val:
    k = a.boxed
    last = w.b.sub(w.get(a.v, TABLE, USED), ONE)
    at = storage.last_live(w, k, a.v, last)
    w.check(w.b.icmp_signed("<", at, ZERO), KeyError, "the dict is empty")
    items = view(a, "items")
    if element_kind(items.kind) is NEVER:
        return w.never
    x = item_at(w, items, at)
    storage.remove(w, k, a.v, at)
    storage.shorten(w, a.v, at)
    return x


method(ALL, "copy", "self, /")(mappings.copy)


for _name in VIEWS:
    method(ALL, _name, "self, /")(lambda w, node, a, name=_name: view(a, name))


def count_all(w: Walk, node: ast.AST, a: Val, b: Val, what: str, op: type[ast.operator]) -> None:
    """Add to a Counter, or subtract from it, the counts of a mapping, or one for each element."""
    one = w.constant(1)
    if named(b.kind, MAPPINGS):
        if b.boxed.value not in (INT, NEVER):
            raise Refusal("a Counter is made of a mapping with ints only")
        return walking.pairs(w, node, b, lambda x, n: count(w, a, x, n, node, op), what)
    for_each(w, node, b, lambda x: count(w, a, x, one, node, op), what=what)
    return None


def count(w: Walk, a: Val, x: Val, n: Val, node: ast.AST, op: type[ast.operator]) -> None:
    """Count an element n times more, or less."""
    if NEVER in (x.kind, n.kind):
        return
    old = tables.get(w, a, x, node)
    order = (n, old) if op is ast.Add else (old, n)
    tables.put(w, a, x, operators.binary(w, op, *order, node))
