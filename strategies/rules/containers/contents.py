"""What tables contain: membership, equality, subsets, and hashes of sets."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.coercion import computed, fail
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import key_at, length, value_at
from strategies.rules.code.val import ZERO, Val, c1
from strategies.rules.code.walk import Walk
from strategies.rules.containers import finding
from strategies.rules.containers.tables import (
    MAPPINGS,
    SET_LIKE,
    choice,
    element_kind,
    hashable,
    item_at,
    member,
    view,
)
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import BOOL, I1, NEVER, NUMBERS, Boxed, Tup
from strategies.rules.kinds.parts import key, named
from strategies.rules.language.messages import Refusal
from strategies.rules.values import numbers
from strategies.rules.values.equality import EQUALS, equal
from strategies.rules.values.hashing import scan, unhashable


def contains(w: Walk, x: Val, a: Val) -> Val:
    """Return `x in a`."""
    if a.known and x.known:
        return computed(w, lambda: x.py in a.py)
    if named(a.kind, ("values", "items")):
        return Val(BOOL, within(w, x, a))
    x = member(w, x, a)
    if x.kind is NEVER:
        return x
    return Val(BOOL, within(w, x, a))


def within(c: Code, x: Val, a: Val) -> Any:
    """Whether a table has an element, which is hashable."""
    k = a.boxed
    if k.name == "items":
        return _has_item(c, x, a)
    if k.name == "values":
        return _has_value(c, x, a)
    return c.b.icmp_signed(">=", finding.find(c, k, a.v, x), ZERO)


def _has_item(c: Code, x: Val, a: Val) -> Any:
    k = a.boxed
    if not (isinstance(x.kind, Tup) and len(x.kind.items) == 2):
        raise Refusal("`in` of items() is compiled for pairs only")
    first, second = (Val(item, c.part(x.v, i)) for i, item in enumerate(x.kind.items))
    first = hashable(c, first)
    if NEVER in (k.item, k.value, first.kind):
        return c1(False)
    out = c.temp(I1)
    c.store(c1(False), out)
    at = finding.find(c, k, a.v, first)
    with c.when(c.b.icmp_signed(">=", at, ZERO)):
        c.store(equal(c, value_at(c, k, a.v, at), second).v, out)
    return c.load(out, I1)


def _has_value(c: Code, x: Val, a: Val) -> Any:
    k = a.boxed
    if k.value is NEVER:
        return c1(False)

    def build(r: Code, args: Any) -> Any:
        def test(i: Any) -> None:
            with r.when(equal(r, value_at(r, k, args[0], i), Val(x.kind, args[1])).v):
                r.b.ret(c1(True))

        scan(r, k, args[0], test)
        return c1(False)

    return c.helper(f"jam.has_value.{key(k)}.{key(x.kind)}", I1, [a.v, x.v], build)


def subset(c: Code, a: Val, b: Val) -> Any:
    """Whether all that is in one table is in another."""
    k = a.boxed
    item = element_kind(k)
    if not named(b.kind, ("items",)) and unhashable(item):
        raise Refusal(f"comparing {a.kind} with {b.kind} is not compiled")
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
        return compared(c, "==", a, b)
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
        return compared(c, op, a, b)
    if not (ka.name in SET_LIKE and kb.name in SET_LIKE):
        return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")
    if op in (">", ">="):
        a, b = b, a
    fits = c.b.icmp_signed("<" if op in ("<", ">") else "<=", length(c, a), length(c, b))
    return Val(BOOL, c.b.and_(fits, subset(c, a, b)))


def compared(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b` of two Counters."""
    ka, kb = a.boxed, b.boxed
    if ka.value not in NUMBERS or kb.value not in NUMBERS:
        raise Refusal("comparing Counters is compiled for counts of one kind of number")
    if op in (">", ">="):
        return compared(c, "<" if op == ">" else "<=", b, a)
    if op == "<":
        fits, alike = compared(c, "<=", a, b), compared(c, "==", a, b)
        return Val(BOOL, c.b.and_(fits.v, c.b.not_(alike.v)))

    def build(r: Code, args: Any) -> Any:
        one, other = Val(ka, args[0]), Val(kb, args[1])
        _all_compared(r, op, one, other)
        _all_compared(r, {"==": "==", "<=": ">="}[op], other, one)
        return c1(True)

    return Val(BOOL, c.helper(f"jam.counted{op}.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


def _all_compared(r: Code, op: str, a: Val, b: Val) -> None:
    """Return false from a helper unless all counts of a Counter compare with those of another."""
    k, value = a.boxed, b.boxed.value
    if k.item is NEVER:
        return

    def test(i: Any) -> None:
        at = finding.find(r, b.boxed, b.v, key_at(r, k, a.v, i))
        there = choice(r, b, at, lambda: Val(value, form(value)(0)))
        with r.when(r.b.not_(numbers.compare(r, op, value_at(r, k, a.v, i), there).v)):
            r.b.ret(c1(False))

    scan(r, k, a.v, test)


EQUALS[Boxed] = equal_tables
