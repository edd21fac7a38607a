"""Tables: sets, dicts, Counters and defaultdicts, and the views of dicts.

A view is the address of its dict, and shares the cells of its kinds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules import storage
from strategies.rules.code import ONE, ZERO, Code, Val, c1
from strategies.rules.kinds import (
    BOOL,
    I1,
    I64,
    INT,
    NEVER,
    NONE,
    Boxed,
    Either,
    Kind,
    Static,
    Tup,
    form,
    key,
    parts,
    same,
    size,
)
from strategies.rules.known import contains_constant, get_constant
from strategies.rules.messages import Refusal
from strategies.rules.storage import LENGTH, TABLE, has_values, key_at, value_at, value_kind
from strategies.rules.values import (
    coerce,
    equal,
    fail,
    is_one_of,
    is_table,
    mixed,
    narrowed,
    unhashable,
)
from strategies.rules.walk import Merge, Walk

CELLS = {"set": 1, "frozenset": 1, "dict": 2, "counter": 2, "defaultdict": 3}
MAPPINGS = ("dict", "counter", "defaultdict")
SETS = ("set", "frozenset")
VIEWS = ("keys", "values", "items")
SET_LIKE = (*SETS, "keys", "items")


def named(k: Kind, names: tuple[str, ...]) -> bool:
    return isinstance(k, Boxed) and k.name in names


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


def length(c: Code, a: Val) -> Any:
    return c.get(a.v, TABLE, LENGTH)


def item_kind(k: Kind) -> Kind:
    """Return the kind of what an iteration over a table gives."""
    assert isinstance(k, Boxed)
    if k.name == "values":
        return value_kind(k)
    if k.name == "items":
        return NEVER if NEVER in (k.item, value_kind(k)) else Tup([k.item, value_kind(k)])
    return k.item


def item_at(c: Code, a: Val, i: Any) -> Val:
    """Return what an iteration over a table gives for an entry."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name == "values":
        return value_at(c, k, a.v, i)
    x = key_at(c, k, a.v, i)
    if k.name != "items":
        return x
    both = item_kind(k)
    if both is NEVER:
        return Val(NEVER, c.undef(NEVER))
    return Val(both, c.pack(form(both), [x.v, value_at(c, k, a.v, i).v]))


# Keys


def hashable(c: Code, x: Val) -> Val:
    """Return a key, or fail with TypeError if it has no hash."""
    if _has_large_int(x.kind):
        raise Refusal("an int of more than 64 bits as a key is not compiled")
    bad = is_one_of(c, x, unhashable)
    if bad.known and not bad.py:
        return x
    if bad.known or all(map(unhashable, x.kind.items)):  # type: ignore[attr-defined]
        return fail(c, TypeError, f"unhashable type: {x.kind}")
    c.check(bad.v, TypeError, "unhashable type")
    return narrowed(c, x, lambda k: not unhashable(k))


def _has_large_int(k: Kind) -> bool:
    return (isinstance(k, Static) and isinstance(k.value, int)) or any(
        map(_has_large_int, parts(k))
    )


def member(c: Code, x: Val, a: Val) -> Val:
    """Return the key that a set looks for: a set stands for a frozenset of its elements."""
    if isinstance(x.kind, Boxed) and x.kind.name == "set" and named(a.kind, SETS):
        return Val(Boxed("frozenset", *x.kind.cells), x.v)
    return hashable(c, x)


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
        return i
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
        f = factory(w, a)
        if isinstance(f.kind, Either):
            raise Refusal("a defaultdict with several factories is not compiled")
        if f.kind in (NEVER, NONE):
            made = fail(w, KeyError, "the key is not in the dict")
        else:
            made = calls.call_value(w, f, calls.Arguments([], {}), node)
            put(w, a, i, made)
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
    w.widen(k, 0, i.kind)
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
    w.widen(k, 0, x.kind)
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
    w.widen(k, 0, NEVER)
    at = storage.find(w, k, a.v, i)
    missing = w.b.icmp_signed("<", at, ZERO)
    if k.name == "counter":
        with w.when(w.b.not_(missing)):
            storage.remove(w, k, a.v, at)
        return
    w.check(missing, KeyError, "the key is not in the dict")
    storage.remove(w, k, a.v, at)


# Membership and equality


def contains(w: Walk, x: Val, a: Val) -> Val:
    """Return `x in a`."""
    if a.known and x.known:
        try:
            return w.program.constants.value(x.py in a.py)
        except TypeError:
            return fail(w, TypeError, "unhashable type")
    if named(a.kind, ("values", "items")):
        return Val(BOOL, within(w, x, a))
    x = member(w, x, a)
    if x.kind is NEVER:
        return x
    return Val(BOOL, within(w, x, a))


def within(c: Code, x: Val, a: Val) -> Any:
    """Whether a table has an element, which is hashable."""
    k = a.kind
    assert isinstance(k, Boxed)
    if not c.emitting:
        return a.v
    if k.name == "items":
        return _has_item(c, x, a)
    if k.name == "values":
        return _has_value(c, x, a)
    return c.b.icmp_signed(">=", storage.find(c, k, a.v, x), ZERO)


def _has_item(c: Code, x: Val, a: Val) -> Any:
    k = a.kind
    assert isinstance(k, Boxed)
    if not (isinstance(x.kind, Tup) and len(x.kind.items) == 2):
        raise Refusal("`in` of items() is compiled for pairs only")
    first, second = (Val(item, c.part(x.v, i)) for i, item in enumerate(x.kind.items))
    first = hashable(c, first)
    if NEVER in (k.item, value_kind(k), first.kind):
        return c1(False)
    out = c.temp(I1)
    c.store(c1(False), out)
    at = storage.find(c, k, a.v, first)
    with c.when(c.b.icmp_signed(">=", at, ZERO)):
        c.store(equal(c, value_at(c, k, a.v, at), second).v, out)
    return c.load(out, I1)


def _has_value(c: Code, x: Val, a: Val) -> Any:
    k = a.kind
    assert isinstance(k, Boxed)
    if value_kind(k) is NEVER:
        return c1(False)

    def build(r: Code, args: Any) -> Any:
        def test(i: Any) -> None:
            with r.when(equal(r, value_at(r, k, args[0], i), Val(x.kind, args[1])).v):
                r.b.ret(c1(True))

        scan(r, k, args[0], test)
        return c1(False)

    return c.helper(f"jam.has_value.{key(k)}.{key(x.kind)}", I1, [a.v, x.v], build)


def scan(r: Code, k: Boxed, header: Any, use: Callable[[Any], None]) -> None:
    """Use the number of each entry, inside of a helper."""
    at = r.temp(I64)
    r.store(ZERO, at)
    head, body, after = r.block("head"), r.block("body"), r.block("after")
    r.goto(head)
    r.at(head)
    i = storage.next_live(r, k, header, r.load(at, I64))
    r.branch(r.b.icmp_signed("<", i, ZERO), after, body)
    r.at(body)
    use(i)
    r.store(r.b.add(i, ONE), at)
    r.goto(head)
    r.at(after)


def subset(c: Code, a: Val, b: Val) -> Any:
    """Whether all that is in one table is in another."""
    k = a.kind
    assert isinstance(k, Boxed)
    item = item_kind(k)
    if not named(b.kind, ("items",)) and unhashable(item):
        raise Refusal(f"comparing {a.kind} with {b.kind} is not compiled")
    if not c.emitting:
        return a.v
    if item is NEVER:
        return c.b.icmp_signed("==", length(c, a), ZERO)

    def build(r: Code, args: Any) -> Any:
        def test(i: Any) -> None:
            with r.when(r.b.not_(within(r, item_at(r, Val(k, args[0]), i), Val(b.kind, args[1])))):
                r.b.ret(c1(False))

        scan(r, k, args[0], test)
        return c1(True)

    return c.helper(f"jam.subset.{key(k)}.{key(b.kind)}", I1, [a.v, b.v], build)


def equal_tables(c: Code, a: Val, b: Val) -> Val:
    """Return `a == b` of two tables."""
    ka, kb = a.kind, b.kind
    assert isinstance(ka, Boxed) and isinstance(kb, Boxed)
    if "values" in (ka.name, kb.name):
        raise Refusal("comparing values() is not compiled; write list(…)")
    if ka.name == kb.name == "counter":
        from strategies.rules import counters

        return counters.compared(c, "==", a, b)
    if not c.emitting:
        return Val(BOOL)
    alike = c.b.icmp_signed("==", length(c, a), length(c, b))
    if ka.name in SET_LIKE and kb.name in SET_LIKE:
        inside = subset(c, a, b)
    elif ka.name in MAPPINGS and kb.name in MAPPINGS:
        items = (Val(Boxed("items", *x.kind.cells[:2]), x.v) for x in (a, b))  # type: ignore[attr-defined]
        inside = subset(c, *items)
    else:
        return Val(BOOL, c1(False), False)
    return Val(BOOL, c.b.and_(alike, inside))


def ordered(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return whether a set is a part of another."""
    ka, kb = a.kind, b.kind
    assert isinstance(ka, Boxed) and isinstance(kb, Boxed)
    if ka.name == kb.name == "counter":
        from strategies.rules import counters

        return counters.compared(c, op, a, b)
    if not (ka.name in SET_LIKE and kb.name in SET_LIKE):
        return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")
    if op in (">", ">="):
        a, b = b, a
    fits = c.b.icmp_signed("<" if op in ("<", ">") else "<=", length(c, a), length(c, b))
    return Val(BOOL, c.b.and_(fits, subset(c, a, b)))


def hash_of_set(c: Code, a: Val) -> Any:
    """Return a word that does not depend on the order of a set's elements."""
    k = a.kind
    assert isinstance(k, Boxed)

    def build(r: Code, args: Any) -> Any:
        out = r.temp(I64)
        r.store(ZERO, out)

        def take(i: Any) -> None:
            own = r.get(storage.entry(r, k, args[0], i), storage.entry_type(k), 0)
            r.store(r.b.add(r.load(out, I64), mixed(r, own)), out)

        scan(r, k, args[0], take)
        return r.load(out, I64)

    return c.helper(f"jam.hash_of_set.{key(k)}", I64, [a.v], build)


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
    """Return the only element of a table, or fail with ValueError; of one there is but one order."""
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
    assert isinstance(k, Boxed) and isinstance(ka, Boxed)
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
    assert isinstance(a.kind, Boxed) and isinstance(b.kind, Boxed)
    for i in range(len(b.kind.cells)):
        w.widen(a.kind, i, b.kind.cells[i].root().kind)
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


__all__ = ["contains_constant", "get_constant"]
