"""Tables: sets, dicts, Counters and defaultdicts: made, changed, iterated over and copied.

What is known of them by their kinds comes first: their elements, and which values can be keys. A
view of a dict is the address of its dict, and shares the cells of its kinds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules.code import storage
from strategies.rules.code.coercion import (
    arrive,
    coerce,
    computed,
    fail,
    is_one_of,
    narrowed,
    spread,
)
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import TABLE, key_at, length, value_at
from strategies.rules.code.val import ONE, ZERO, Arguments, New, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import finding
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.joining import endless, join
from strategies.rules.kinds.kind import CELLS, INT, NEVER, NONE, Boxed, Kind, Tup
from strategies.rules.kinds.parts import alternatives, named, somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.values.hashing import unhashable
from strategies.rules.values.numbers import is_wide

MAPPINGS = ("dict", "counter", "defaultdict")
SETS = ("set", "frozenset")
VIEWS = ("keys", "values", "items")
SET_LIKE = (*SETS, "keys", "items")


def view(a: Val, name: str) -> Val:
    """Return the keys, values or items of a mapping."""
    return Val(Boxed(name, *a.boxed.cells[:2]), a.v)


def element_kind(k: Kind) -> Kind:
    """Return the kind of what an iteration over a table gives."""
    assert isinstance(k, Boxed)
    if k.name == "values":
        return k.value
    if k.name == "items":
        return NEVER if NEVER in (k.item, k.value) else Tup([k.item, k.value])
    return k.item


def item_at(c: Code, a: Val, i: Any) -> Val:
    """Return what an iteration over a table gives for an entry."""
    k = a.boxed
    if k.name == "values":
        return value_at(c, k, a.v, i)
    x = key_at(c, k, a.v, i)
    if k.name != "items":
        return x
    both = element_kind(k)
    if both is NEVER:
        return c.never
    return Val(both, c.pack(form(both), [x.v, value_at(c, k, a.v, i).v]))


# Keys


def hashable(c: Code, x: Val) -> Val:
    """Return a key, or fail with TypeError if it has no hash."""
    if somewhere(x.kind, lambda k: is_wide(Val(k))):
        raise Refusal("an int of more than 64 bits as a key is not compiled")
    if endless(x.kind):
        raise Refusal("a key of a kind that contains itself is not compiled")
    bad = is_one_of(c, x, unhashable)
    if bad.known and not bad.py:
        return x
    if bad.known or all(map(unhashable, alternatives(x.kind))):
        return fail(c, TypeError, f"unhashable type: {x.kind}")
    c.check(bad.v, TypeError, "unhashable type")
    return narrowed(c, x, lambda k: not unhashable(k))


def member(c: Code, x: Val, a: Val) -> Val:
    """Return the key that a set looks for: a set stands for a frozenset of its elements."""
    if isinstance(x.kind, Boxed) and x.kind.name == "set" and named(a.kind, SETS):
        return Val(Boxed("frozenset", *x.kind.cells), x.v)
    return hashable(c, x)


# Tables


def new(w: Walk, node: ast.AST, name: str) -> Val:
    """Return a new table, which is empty."""
    k = w.site(node, name, CELLS[name])
    if name == "counter":
        w.widen(k, 1, INT)
    return New(k, storage.new_header(w, size(form(k.factory)) if name == "defaultdict" else 0))


def factory(c: Code, a: Val) -> Val:
    """Return what a defaultdict calls for a key that is not there."""
    k = a.boxed.factory
    return Val(k, c.load(c.element(a.v, TABLE, ONE), form(k)))


def set_factory(w: Walk, a: Val, f: Val) -> None:
    w.widen(a.boxed, 2, f.kind)
    if f.kind is not NEVER:
        w.store(coerce(w, f, a.boxed.factory).v, w.element(a.v, TABLE, ONE))


# Items


def get(w: Walk, a: Val, i: Any, node: ast.AST) -> Val:
    """Return `a[i]`."""
    k = a.boxed
    if k.name not in MAPPINGS:
        return fail(w, TypeError, f"{k} has no items")
    if a.known and i.known:
        return computed(w, lambda: a.py[i.py])
    i = hashable(w, i)
    if i.kind is NEVER:
        return w.never
    if k.name != "dict":
        return _or_missing(w, a, i, node)
    at = finding.find(w, k, a.v, i)
    w.check(w.b.icmp_signed("<", at, ZERO), KeyError, "the key is not in the dict")
    if k.value is NEVER:
        return w.never
    return value_at(w, k, a.v, at)


def _or_missing(w: Walk, a: Val, i: Val, node: ast.AST) -> Val:
    """Return an item of a Counter or defaultdict."""
    k = a.boxed
    if k.name == "defaultdict":
        w.widen(k, 0, i.kind)

    def missing() -> Val:
        if k.name == "counter":
            return w.constant(0)
        return spread(w, factory(w, a), of)

    def of(f: Val) -> Val:
        if f.kind in (NEVER, NONE):
            return fail(w, KeyError, "the key is not in the dict")
        made = w.call_value(f, Arguments([], {}), node)
        put(w, a, i, made)
        return made

    return choice(w, a, finding.find(w, k, a.v, i), missing)


def choice(c: Code, a: Val, at: Any, other: Callable[[], Val]) -> Val:
    """Return the value of an entry, or something else where its number is negative."""
    absent, there, after = c.block("absent"), c.block("there"), c.block("after")
    c.branch(c.b.icmp_signed("<", at, ZERO), absent, there)
    c.at(absent)
    x = other()
    value = a.boxed.value
    met = join(value, x.kind)
    out = c.temp(form(met))
    arrive(c, x, met, out, after)
    c.at(there)
    arrive(c, Val(NEVER) if value is NEVER else value_at(c, a.boxed, a.v, at), met, out, after)
    c.at(after)
    return c.outcome(met, out)


def put(w: Walk, a: Val, i: Any, x: Val) -> None:
    """Do `a[i] = x`."""
    k = a.boxed
    if k.name not in MAPPINGS:
        fail(w, TypeError, f"{k} does not support item assignment")
        return
    if NEVER in (i.kind, x.kind):
        return
    i = hashable(w, i)
    w.change(a, 0, i.kind)
    w.widen(k, 1, x.kind)
    if i.kind is NEVER or NEVER in (k.item, k.value):
        return
    at, _ = finding.reserve(w, k, a.v, coerce(w, i, k.item))
    storage.set_value(w, k, a.v, at, coerce(w, x, k.value).v)


def add(w: Walk, a: Val, x: Val) -> None:
    """Add an element to a set."""
    k = a.boxed
    if x.kind is NEVER:
        return
    x = hashable(w, x)
    w.change(a, 0, x.kind)
    if NEVER not in (x.kind, k.item):
        finding.reserve(w, k, a.v, coerce(w, x, k.item))


def delete(w: Walk, a: Val, i: Any) -> None:
    """Do `del a[i]`."""
    k = a.boxed
    if k.name not in MAPPINGS:
        fail(w, TypeError, f"{k} does not support item deletion")
        return
    i = hashable(w, i)
    if i.kind is NEVER:
        return
    w.change(a, 0, NEVER)
    at = finding.find(w, k, a.v, i)
    missing = w.b.icmp_signed("<", at, ZERO)
    if k.name == "counter":
        with w.when(w.b.not_(missing)):
            storage.remove(w, k, a.v, at)
        return
    w.check(missing, KeyError, "the key is not in the dict")
    storage.remove(w, k, a.v, at)


def only(w: Walk, a: Val) -> Val:
    """Return the only element of a table, which has but one order, or fail with ValueError."""
    k = a.boxed
    w.check(w.b.icmp_signed("!=", length(w, a), ONE), ValueError, "not one value to unpack")
    if element_kind(k) is NEVER:
        return w.never
    return item_at(w, a, storage.next_live(w, k, a.v, ZERO))
