"""Tables: sets, dicts, Counters and defaultdicts: made, changed, iterated over and copied."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules import storage
from strategies.rules.code import ONE, ZERO, Code, Val
from strategies.rules.contents import (
    contains,
    equal_tables,
    hash_of_set,
    ordered,
    scan,
    subset,
    within,
)
from strategies.rules.kinds import INT, NEVER, NONE, Boxed, Kind, form, same, size
from strategies.rules.known import contains_constant, get_constant
from strategies.rules.shapes import (
    CELLS,
    MAPPINGS,
    SET_LIKE,
    SETS,
    VIEWS,
    hashable,
    item_at,
    item_kind,
    length,
    member,
    named,
)
from strategies.rules.storage import TABLE, has_values, key_at, value_at, value_kind
from strategies.rules.values import coerce, fail, is_table, spread
from strategies.rules.walk import Merge, Walk


def new(w: Walk, node: ast.AST, name: str) -> Val:
    """Return a new table, which is empty."""
    k = w.site(node, name, CELLS[name])
    if name == "counter":
        w.widen(k, 1, INT)
    return Val(
        k, storage.new_header(w, size(form(factory_kind(k))) if name == "defaultdict" else 0)
    )


def factory_kind(k: Boxed) -> Kind:
    return k.cells[2].root().kind


def factory(c: Code, a: Val) -> Val:
    """Return what a defaultdict calls for a key that is not there."""
    assert isinstance(a.kind, Boxed)
    k = factory_kind(a.kind)
    return Val(k, c.load(c.element(a.v, TABLE, ONE), form(k)))


def set_factory(w: Walk, a: Val, f: Val) -> None:
    assert isinstance(a.kind, Boxed)
    w.widen(a.kind, 2, f.kind)
    if f.kind is not NEVER:
        w.store(coerce(w, f, factory_kind(a.kind)).v, w.element(a.v, TABLE, ONE))


# Items


def get(w: Walk, a: Val, i: Any, node: ast.AST) -> Val:
    """Return `a[i]`."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name not in MAPPINGS:
        return fail(w, TypeError, f"{k} has no items")
    if a.known and i.known:
        return _of_constant(w, a, i)
    i = hashable(w, i)
    if i.kind is NEVER:
        return Val(NEVER, w.undef(NEVER))
    if k.name != "dict":
        return _or_missing(w, a, i, node)
    at = storage.find(w, k, a.v, i)
    w.check(w.b.icmp_signed("<", at, ZERO), KeyError, "the key is not in the dict")
    if value_kind(k) is NEVER:
        return Val(NEVER, w.undef(NEVER))
    return value_at(w, k, a.v, at)


def _of_constant(w: Walk, a: Val, i: Val) -> Val:
    try:
        return w.program.constants.value(a.py[i.py])
    except (KeyError, TypeError) as error:
        return fail(w, type(error), "the key is not in the dict")


def _or_missing(w: Walk, a: Val, i: Val, node: ast.AST) -> Val:
    """Return an item of a Counter or defaultdict."""
    from strategies.rules import calls
    from strategies.rules.arguments import Arguments

    k = a.kind
    assert isinstance(k, Boxed)
    if k.name == "defaultdict":
        w.widen(k, 0, i.kind)
    at = storage.find(w, k, a.v, i)
    missing = w.b.icmp_signed("<", at, ZERO)
    there, absent, after = w.block("there"), w.block("absent"), w.block("after")
    value = value_kind(k)
    out = w.temp(form(value))
    w.branch(missing, absent, there)
    w.at(absent)
    if k.name == "counter":
        made = w.program.constants.value(0)
    else:

        def make(f: Val) -> Val:
            if f.kind in (NEVER, NONE):
                return fail(w, KeyError, "the key is not in the dict")
            made = calls.call_value(w, f, Arguments([], {}), node)
            put(w, a, i, made)
            return made

        made = spread(w, factory(w, a), make)
    value = value_kind(k)
    if made.kind is NEVER:
        w.unreachable()
    elif value is not NEVER:
        w.store(coerce(w, made, value).v, out)
        w.goto(after)
    w.at(there)
    if value is NEVER:
        w.unreachable()
        w.at(after)
        return Val(NEVER, w.undef(NEVER))
    w.store(value_at(w, k, a.v, at).v, out)
    w.goto(after)
    w.at(after)
    return Val(value, w.load(out, form(value)))


def put(w: Walk, a: Val, i: Any, x: Val) -> None:
    """Do `a[i] = x`."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name not in MAPPINGS:
        fail(w, TypeError, f"{k} does not support item assignment")
        return
    if NEVER in (i.kind, x.kind):
        return
    i = hashable(w, i)
    w.change(a, 0, i.kind)
    w.widen(k, 1, x.kind)
    if i.kind is NEVER or NEVER in (k.item, value_kind(k)):
        return
    at, _ = storage.reserve(w, k, a.v, coerce(w, i, k.item))
    storage.set_value(w, k, a.v, at, coerce(w, x, value_kind(k)).v)


def add(w: Walk, a: Val, x: Val) -> None:
    """Add an element to a set."""
    k = a.kind
    assert isinstance(k, Boxed)
    if x.kind is NEVER:
        return
    x = hashable(w, x)
    w.change(a, 0, x.kind)
    if NEVER not in (x.kind, k.item):
        storage.reserve(w, k, a.v, coerce(w, x, k.item))


def delete(w: Walk, a: Val, i: Any) -> None:
    """Do `del a[i]`."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name not in MAPPINGS:
        fail(w, TypeError, f"{k} does not support item deletion")
        return
    i = hashable(w, i)
    if i.kind is NEVER:
        return
    w.change(a, 0, NEVER)
    at = storage.find(w, k, a.v, i)
    missing = w.b.icmp_signed("<", at, ZERO)
    if k.name == "counter":
        with w.when(w.b.not_(missing)):
            storage.remove(w, k, a.v, at)
        return
    w.check(missing, KeyError, "the key is not in the dict")
    storage.remove(w, k, a.v, at)


# Iteration


def over(w: Walk, node: ast.AST, a: Val, use: Callable[[Val], None], what: str) -> None:
    """Use each element of a table, in an order that does not matter or is a dict's."""
    from strategies.rules.walking import OfTable

    if item_kind(a.kind) is NEVER and not w.infer:
        return
    found: list[Val] = []
    it = OfTable(w, node, what, False, a)

    def step(done: Merge) -> None:
        found.append(it.next(done.arrive))
        w.env = dict(w.env) if w.env is not None else None

    w.loop(node, what, step, lambda: use(found[-1]))


def each(w: Walk, node: ast.AST, a: Val, use: Callable[[Val], None], what: str) -> None:
    """Use each element of an iterable to make a table."""
    from strategies.rules import iteration

    if is_table(a.kind):
        over(w, node, a, use, what)
    else:
        iteration.each(w, node, a, use, what)


def steps(w: Walk, node: ast.AST, a: Val, lasting: bool, what: str) -> Any:
    """Return the elements of a table, if their order is not chance."""
    from strategies.rules.orderless import check_order
    from strategies.rules.walking import OfTable

    if named(a.kind, SETS):
        check_order(w, node, a)
    return OfTable(w, node, what, lasting, a)


def only(w: Walk, a: Val) -> Val:
    """Return the only element of a table, which has but one order, or fail with ValueError."""
    k = a.kind
    assert isinstance(k, Boxed)
    w.check(w.b.icmp_signed("!=", length(w, a), ONE), ValueError, "not one value to unpack")
    if item_kind(k) is NEVER:
        return Val(NEVER, w.undef(NEVER))
    return item_at(w, a, storage.next_live(w, k, a.v, ZERO))


# Copies


def pour(w: Walk, node: ast.AST, made: Val, b: Val, what: str) -> None:
    """Add all elements of an iterable to a set."""
    each(w, node, b, lambda x: add(w, made, x), what)


def copied(w: Walk, node: ast.AST, a: Val, name: str, what: str = "copy") -> Val:
    """Return a new set or dict of the elements of a table."""
    made = new(w, node, name)
    k, ka = made.kind, a.kind
    assert isinstance(k, Boxed)
    assert isinstance(ka, Boxed)
    for i in range(min(CELLS[name], 2)):
        w.widen(k, i, ka.cells[i].root().kind)
    alike = has_values(k) == has_values(ka) and ka.name not in VIEWS
    if alike and all(
        same(k.cells[i].root().kind, ka.cells[i].root().kind) for i in range(min(CELLS[name], 2))
    ):
        storage.copy_all(w, k, a.v, made.v)
    elif CELLS[name] == 1:
        pour(w, node, made, a, what)
    else:
        from strategies.rules import mappings

        mappings.update(w, node, made, a, what)
    return made


def replace(w: Walk, a: Val, b: Val) -> None:
    """Let a table have the entries of another, which nothing else uses."""
    assert isinstance(a.kind, Boxed)
    assert isinstance(b.kind, Boxed)
    for i in range(len(b.kind.cells)):
        w.change(a, i, b.kind.cells[i].root().kind)
        w.widen(b.kind, i, a.kind.cells[i].root().kind)
    for i in range(len(TABLE.elements)):
        if i not in (storage.ADDED, storage.LOWEST):
            w.put(a.v, TABLE, i, w.get(b.v, TABLE, i))
    w.put(a.v, TABLE, storage.LOWEST, ONE)


# Operators


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b`; None if Python has no such operator."""
    from strategies.rules import counters, mappings, sets

    if not (is_table(a.kind) or is_table(b.kind)):
        return None
    if named(a.kind, SETS) or named(b.kind, SETS) or named(a.kind, VIEWS) or named(b.kind, VIEWS):
        return sets.binary(w, op, a, b, node)
    if named(a.kind, ("counter",)) or named(b.kind, ("counter",)):
        return counters.binary(w, op, a, b, node)
    return mappings.binary(w, op, a, b, node)


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a table by `a op= b`."""
    from strategies.rules import counters, mappings, sets

    if named(a.kind, ("set",)) and named(b.kind, SETS):
        return sets.in_place(w, op, a, b, node)
    if named(a.kind, ("counter",)):
        return counters.in_place(w, op, a, b, node)
    if named(a.kind, MAPPINGS):
        return mappings.in_place(w, op, a, b, node)
    return None


__all__ = [
    "CELLS",
    "MAPPINGS",
    "SETS",
    "SET_LIKE",
    "VIEWS",
    "contains",
    "contains_constant",
    "equal_tables",
    "get_constant",
    "hash_of_set",
    "hashable",
    "item_at",
    "item_kind",
    "key_at",
    "length",
    "member",
    "named",
    "ordered",
    "scan",
    "subset",
    "value_at",
    "value_kind",
    "within",
]
