"""Dicts, defaultdicts and Counters: how they are made, and their methods."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from attrs import frozen

from strategies.rules.builtins.declared import FUNCTIONS, METHODS, function, method
from strategies.rules.builtins.sets import nothing
from strategies.rules.code import storage
from strategies.rules.code.coercion import coerce, fail
from strategies.rules.code.storage import TABLE, USED, value_kind
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import shapes, tables
from strategies.rules.containers.shapes import MAPPINGS, SETS, VIEWS, element_kind, item_at
from strategies.rules.containers.tables import choice
from strategies.rules.iteration import walking
from strategies.rules.iteration.steps import each
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
    alternatives,
    named,
)
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import copying, mappings, operators

ALL = "dict counter defaultdict"


@frozen(eq=False)
class Open:
    """A builtin that takes arguments with any names, as entries of a dict."""

    name: str
    build: Callable[[Walk, ast.AST, list[Val], dict[str, Val]], Val]

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        if not given.known:
            return w.never
        return self.build(w, node, given.values, given.named)


def _named_entries(w: Walk, a: Val, named_values: dict[str, Val]) -> None:
    for name, v in named_values.items():
        tables.put(w, a, w.program.constants.value(name), v)


def dict_(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    if len(values) > 1:
        return fail(w, TypeError, "dict() takes one argument by place")
    x = values[0] if values else None
    if x is not None and named(x.kind, MAPPINGS):
        made = copying.copied(w, node, x, "dict")
    else:
        made = tables.new(w, node, "dict")
        if x is not None:
            mappings.update(w, node, made, x, "dict")
    return _with_names(w, made, named_values)


def _with_names(w: Walk, made: Val, named_values: dict[str, Val]) -> Val:
    if w.env is None:
        return w.never
    _named_entries(w, made, named_values)
    return made


def _is_factory(k: Kind) -> bool:
    if isinstance(k, Static):
        return callable(k.value)
    return isinstance(k, Closure | Method) or k is NONE


def defaultdict_(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    f = values[0] if values else nothing(w)
    if len(values) > 2:
        return fail(w, TypeError, "defaultdict() takes two arguments by place")
    if isinstance(f.kind, Either) and not all(map(_is_factory, f.kind.items)):
        raise Refusal("a factory that may be no function is not compiled")
    if not all(map(_is_factory, alternatives(f.kind))):
        return fail(w, TypeError, "the first argument must be callable or None")
    k = w.site(node, "defaultdict", CELLS["defaultdict"])
    w.widen(k, 2, f.kind)
    made = tables.new(w, node, "defaultdict")
    tables.set_factory(w, made, f)
    if len(values) == 2:
        mappings.update(w, node, made, values[1], "dict")
    return _with_names(w, made, named_values)


def counter(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    made = tables.new(w, node, "counter")
    _counted(w, node, made, values, named_values, ast.Add)
    return w.reached(made)


def _counted(
    w: Walk,
    node: ast.AST,
    a: Val,
    values: list[Val],
    named_values: dict[str, Val],
    op: type[ast.operator],
) -> None:
    if len(values) > 1:
        fail(w, TypeError, "one argument by place is taken")
        return
    if values and values[0].kind is not NONE:
        count_all(w, node, a, values[0], "counted", op)
    for name, v in named_values.items():
        if w.env is not None:
            count(w, a, w.program.constants.value(name), v, node, op)


def _update(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    a, *rest = values
    if len(rest) > 1:
        return fail(w, TypeError, "update() takes one argument by place")
    w.change(a, 0, NEVER)
    if rest:
        mappings.update(w, node, a, rest[0], "update")
    return _none(w, lambda: _named_entries(w, a, named_values))


def _none(w: Walk, use: Callable[[], None]) -> Val:
    if w.env is None:
        return w.never
    use()
    return nothing(w)


def _count_update(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    _counted(w, node, values[0], values[1:], named_values, ast.Add)
    return _none(w, lambda: None)


def _count_subtract(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    _counted(w, node, values[0], values[1:], named_values, ast.Sub)
    return _none(w, lambda: None)


FUNCTIONS[dict] = Open("dict", dict_)
FUNCTIONS[defaultdict] = Open("defaultdict", defaultdict_)
FUNCTIONS[Counter] = Open("Counter", counter)
for _family in ("dict", "defaultdict"):
    METHODS[_family, "update"] = Open("update", _update)
METHODS["counter", "update"] = Open("update", _count_update)
METHODS["counter", "subtract"] = Open("subtract", _count_subtract)


@function(dict.fromkeys, "iterable, value=None, /")
def fromkeys(w: Walk, node: ast.AST, x: Val, value: Val) -> Val:
    made = tables.new(w, node, "dict")
    if named(x.kind, SETS):
        walking.steps(w, node, x, False, "keys")
    walking.each(w, node, x, lambda y: tables.put(w, made, y, value), "keys")
    return w.reached(made)


# Reading


@method(ALL, "get", "self, key, default=None, /")
def get(w: Walk, node: ast.AST, a: Val, i: Val, default: Val) -> Val:
    if a.known and i.known:
        try:
            return w.program.constants.value(a.py[i.py]) if i.py in a.py else default
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
        return coerce(w, default, value_kind(k)) if value_kind(k) is not NEVER else default

    return choice(w, a, at, other)


def _pop(w: Walk, a: Val, i: Val, other: Callable[[], Val]) -> Val:
    k = a.boxed
    w.change(a, 0, NEVER)
    at, i = mappings.without(w, a, i)
    if i.kind is NEVER:
        return i
    x = choice(w, a, at, other)
    with w.when(w.b.icmp_signed(">=", at, ZERO)):
        storage.remove(w, k, a.v, at)
    return x


def _pop_item(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    a, *rest = values
    if named_values or not 1 <= len(rest) <= 2:
        return fail(w, TypeError, "pop() takes a key, and a default")
    if len(rest) == 2:
        return _pop(w, a, rest[0], lambda: rest[1])
    return _pop(w, a, rest[0], lambda: fail(w, KeyError, "the key is not in the dict"))


for _family in ALL.split():
    METHODS[_family, "pop"] = Open("pop", _pop_item)


@method(ALL, "popitem", "self, /")
def popitem(w: Walk, node: ast.AST, a: Val) -> Val:
    k = a.boxed
    w.change(a, 0, NEVER)
    last = w.b.sub(w.get(a.v, TABLE, USED), ONE)
    at = storage.last_live(w, k, a.v, last) if w.emitting else None
    w.check(w.b.icmp_signed("<", at, ZERO), KeyError, "the dict is empty")
    items = shapes.view(a, "items")
    if element_kind(items.kind) is NEVER:
        return w.never
    x = item_at(w, items, at)
    storage.remove(w, k, a.v, at)
    storage.shorten(w, k, a.v, at)
    return x


@method(ALL, "copy", "self, /")
def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    return mappings.copy(w, node, a)


def _view(name: str) -> None:
    @method(ALL, name, "self, /")
    def view(w: Walk, node: ast.AST, a: Val) -> Val:
        return shapes.view(a, name)


for _name in VIEWS:
    _view(_name)


def count_all(w: Walk, node: ast.AST, a: Val, b: Val, what: str, op: type[ast.operator]) -> None:
    """Add to a Counter, or subtract from it, the counts of a mapping, or one for each element."""
    one = w.program.constants.value(1)
    if named(b.kind, MAPPINGS):
        if value_kind(b.boxed) not in (INT, NEVER):
            raise Refusal("a Counter is made of a mapping with ints only")
        return walking.pairs(w, node, b, lambda x, n: count(w, a, x, n, node, op), what)
    if named(b.kind, SETS):
        return walking.over(w, node, b, lambda x: count(w, a, x, one, node, op), what)
    each(w, node, b, lambda x: count(w, a, x, one, node, op), what)
    return None


def count(w: Walk, a: Val, x: Val, n: Val, node: ast.AST, op: type[ast.operator]) -> None:
    """Count an element n times more, or less."""
    if NEVER in (x.kind, n.kind):
        return
    old = tables.get(w, a, x, node)
    order = (n, old) if op is ast.Add else (old, n)
    tables.put(w, a, x, operators.binary(w, op, *order, node))
