"""What tables contain: membership, equality, subsets, and hashes of sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategies.rules import storage
from strategies.rules.code import ONE, ZERO, Code, Val, c1
from strategies.rules.kinds import BOOL, I1, I64, NEVER, Boxed, Tup, key
from strategies.rules.messages import Refusal
from strategies.rules.shapes import (
    MAPPINGS,
    SET_LIKE,
    hashable,
    item_at,
    item_kind,
    length,
    member,
    named,
    view,
)
from strategies.rules.storage import value_at, value_kind
from strategies.rules.values import equal, fail, mixed, unhashable
from strategies.rules.walk import Walk


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
    k = a.boxed
    if not c.emitting:
        return a.v
    if k.name == "items":
        return _has_item(c, x, a)
    if k.name == "values":
        return _has_value(c, x, a)
    return c.b.icmp_signed(">=", storage.find(c, k, a.v, x), ZERO)


def _has_item(c: Code, x: Val, a: Val) -> Any:
    k = a.boxed
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
    k = a.boxed
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
    k = a.boxed
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
    ka, kb = a.boxed, b.boxed
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
        inside = subset(c, view(a, "items"), view(b, "items"))
    else:
        return Val(BOOL, c1(False), False)
    return Val(BOOL, c.b.and_(alike, inside))


def ordered(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return whether a set is a part of another."""
    ka, kb = a.boxed, b.boxed
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
    k = a.boxed

    def build(r: Code, args: Any) -> Any:
        out = r.temp(I64)
        r.store(ZERO, out)

        def take(i: Any) -> None:
            own = r.get(storage.entry(r, k, args[0], i), storage.entry_type(k), 0)
            r.store(r.b.add(r.load(out, I64), mixed(r, own)), out)

        scan(r, k, args[0], take)
        return r.load(out, I64)

    return c.helper(f"jam.hash_of_set.{key(k)}", I64, [a.v], build)
