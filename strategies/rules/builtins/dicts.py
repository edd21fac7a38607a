"""Dicts, defaultdicts and Counters: how they are made, and their methods."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from attrs import frozen

from strategies.rules import counters, mappings, storage, tables
from strategies.rules.builtins.declared import FUNCTIONS, METHODS, function, method
from strategies.rules.builtins.sets import nothing
from strategies.rules.code import ONE, ZERO, Val
from strategies.rules.kinds import (
    NEVER,
    NONE,
    Boxed,
    Closure,
    Either,
    Kind,
    Method,
    Static,
    alternatives,
    form,
    join,
)
from strategies.rules.messages import Refusal
from strategies.rules.storage import TABLE, USED, value_kind
from strategies.rules.tables import MAPPINGS, named, value_at
from strategies.rules.values import coerce, fail
from strategies.rules.walk import Walk

ALL = "dict counter defaultdict"
ABSENT = object()


@frozen(eq=False)
class Open:
    """A builtin that takes arguments with any names, as entries of a dict."""

    name: str
    build: Callable[[Walk, ast.AST, list[Val], dict[str, Val]], Val]

    def call(self, w: Walk, given: Any, node: ast.AST) -> Val:
        if not given.known:
            return Val(NEVER, w.undef(NEVER))
        return self.build(w, node, given.values, given.named)


def _named_entries(w: Walk, a: Val, named_values: dict[str, Val]) -> None:
    for name, v in named_values.items():
        tables.put(w, a, w.program.constants.value(name), v)


def dict_(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    if len(values) > 1:
        return fail(w, TypeError, "dict() takes one argument by place")
    x = values[0] if values else None
    if x is not None and named(x.kind, MAPPINGS):
        made = tables.copied(w, node, x, "dict")
    else:
        made = tables.new(w, node, "dict")
        if x is not None:
            mappings.update(w, node, made, x, "dict")
    return _with_names(w, made, named_values)


def _with_names(w: Walk, made: Val, named_values: dict[str, Val]) -> Val:
    if w.env is None:
        return Val(NEVER, w.undef(NEVER))
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
    k = w.site(node, "defaultdict", tables.CELLS["defaultdict"])
    w.widen(k, 2, f.kind)
    made = tables.new(w, node, "defaultdict")
    tables.set_factory(w, made, f)
    if len(values) == 2:
        mappings.update(w, node, made, values[1], "dict")
    return _with_names(w, made, named_values)


def counter(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    made = tables.new(w, node, "counter")
    _counted(w, node, made, values, named_values, ast.Add)
    return made if w.env is not None else Val(NEVER, w.undef(NEVER))


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
        counters.count_all(w, node, a, values[0], "counted", op)
    for name, v in named_values.items():
        if w.env is not None:
            counters.count(w, a, w.program.constants.value(name), v, node, op)


def _update(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    a, *rest = values
    if len(rest) > 1:
        return fail(w, TypeError, "update() takes one argument by place")
    assert isinstance(a.kind, Boxed)
    w.change(a, 0, NEVER)
    if rest:
        mappings.update(w, node, a, rest[0], "update")
    return _none(w, lambda: _named_entries(w, a, named_values))


def _none(w: Walk, use: Callable[[], None]) -> Val:
    if w.env is None:
        return Val(NEVER, w.undef(NEVER))
    use()
    return nothing(w)


def _count_update(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    _counted(w, node, values[0], values[1:], named_values, ast.Add)
    return _none(w, lambda: None)


def _count_subtract(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    _counted(w, node, values[0], values[1:], named_values, ast.Sub)
    return _none(w, lambda: None)


FUNCTIONS[dict] = Open("dict", dict_)  # type: ignore[assignment]
FUNCTIONS[defaultdict] = Open("defaultdict", defaultdict_)  # type: ignore[assignment]
FUNCTIONS[Counter] = Open("Counter", counter)  # type: ignore[assignment]
for _family in ("dict", "defaultdict"):
    METHODS[_family, "update"] = Open("update", _update)  # type: ignore[assignment]
METHODS["counter", "update"] = Open("update", _count_update)  # type: ignore[assignment]
METHODS["counter", "subtract"] = Open("subtract", _count_subtract)  # type: ignore[assignment]


@function(dict.fromkeys, "iterable, value=None, /")
def fromkeys(w: Walk, node: ast.AST, x: Val, value: Val) -> Val:
    made = tables.new(w, node, "dict")
    if named(x.kind, tables.SETS):
        tables.steps(w, node, x, False, "keys")
    tables.each(w, node, x, lambda y: tables.put(w, made, y, value), "keys")
    return made if w.env is not None else Val(NEVER, w.undef(NEVER))


# Reading


def choice(w: Walk, a: Val, at: Any, other: Callable[[], Val]) -> Val:
    """Return the value of an entry, or something else where its number is negative."""
    k = a.kind
    assert isinstance(k, Boxed)
    value = value_kind(k)
    there, absent, after = w.block("there"), w.block("absent"), w.block("after")
    w.branch(w.b.icmp_signed("<", at, ZERO), absent, there)
    w.at(absent)
    x = other()
    met: Kind = join(value, x.kind)
    out = w.temp(form(met))
    if x.kind is NEVER:
        w.unreachable()
    else:
        w.store(coerce(w, x, met).v, out)
        w.goto(after)
    w.at(there)
    if value is NEVER:
        w.unreachable()
    else:
        w.store(coerce(w, value_at(w, k, a.v, at), met).v, out)
        w.goto(after)
    w.at(after)
    if met is NEVER:
        w.unreachable()
        w.dead()
        return Val(NEVER, w.undef(NEVER))
    return Val(met, w.load(out, form(met)))


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
    k = a.kind
    assert isinstance(k, Boxed)
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
    k = a.kind
    assert isinstance(k, Boxed)
    w.change(a, 0, NEVER)
    at, i = mappings.without(w, a, i)
    if i.kind is NEVER:
        return i
    x = choice(w, a, at, other)
    with w.when(w.b.icmp_signed(">=", at, ZERO)):
        storage.remove(w, k, a.v, at)
    return x


class Missing:
    """Stands for an argument that was left out."""


def _pop_item(w: Walk, node: ast.AST, values: list[Val], named_values: dict[str, Val]) -> Val:
    a, *rest = values
    if named_values or not 1 <= len(rest) <= 2:
        return fail(w, TypeError, "pop() takes a key, and a default")
    if len(rest) == 2:
        return _pop(w, a, rest[0], lambda: rest[1])
    return _pop(w, a, rest[0], lambda: fail(w, KeyError, "the key is not in the dict"))


for _family in ALL.split():
    METHODS[_family, "pop"] = Open("pop", _pop_item)  # type: ignore[assignment]


@method(ALL, "popitem", "self, /")
def popitem(w: Walk, node: ast.AST, a: Val) -> Val:
    k = a.kind
    assert isinstance(k, Boxed)
    w.change(a, 0, NEVER)
    last = w.b.sub(w.get(a.v, TABLE, USED), ONE)
    at = storage.last_live(w, k, a.v, last) if w.emitting else None
    w.check(w.b.icmp_signed("<", at, ZERO), KeyError, "the dict is empty")
    both = tables.item_kind(Boxed("items", *k.cells[:2]))
    if both is NEVER:
        return Val(NEVER, w.undef(NEVER))
    x = tables.item_at(w, Val(Boxed("items", *k.cells[:2]), a.v), at)
    storage.remove(w, k, a.v, at)
    storage.shorten(w, k, a.v, at)
    return x


@method(ALL, "copy", "self, /")
def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    return mappings.copy(w, node, a)


def _view(name: str) -> None:
    @method(ALL, name, "self, /")
    def view(w: Walk, node: ast.AST, a: Val) -> Val:
        assert isinstance(a.kind, Boxed)
        return Val(Boxed(name, *a.kind.cells[:2]), a.v)


for _name in tables.VIEWS:
    _view(_name)
