"""Order: `<` and its like, of numbers, and of tuples and lists element by element."""

from __future__ import annotations

import operator
from typing import Any

from strategies.rules import numbers, wide
from strategies.rules.code import Code, Val, c32
from strategies.rules.kinds import (
    BOOL,
    I1,
    NEVER,
    STR,
    Boxed,
    Either,
    Record,
    Row,
    Static,
    Tup,
    endless,
    form,
    key,
)
from strategies.rules.messages import Refusal
from strategies.rules.values import boolean, equal, fail, is_table, number, span, spread

OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def ordered(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b`, for `<`, `<=`, `>` and `>=`."""
    ka, kb = a.kind, b.kind
    if NEVER in (ka, kb):
        return Val(NEVER, c.undef(NEVER))
    if isinstance(ka, Either):
        return spread(c, a, lambda x: ordered(c, op, x, b))
    if isinstance(kb, Either):
        return spread(c, b, lambda x: ordered(c, op, a, x))
    x, y = number(c, a), number(c, b)
    if x is not None and y is not None:
        return numbers.compare(c, op, x, y)
    met = wide.compare(c, op, x or a, y or b)
    if met is not None:
        return met
    if ka is STR and kb is STR:
        if a.known and b.known:
            return boolean(numbers.COMPARED[op](a.py, b.py))
        raise Refusal("the order of texts is not compiled; use numbers")
    if isinstance(ka, Record) or isinstance(kb, Record):
        from strategies.rules import records

        return records.ordered(c, op, a, b)
    if isinstance(ka, Tup) and isinstance(kb, Tup):
        return _tuples(c, op, a, b)
    if isinstance(ka, Tup | Row) and isinstance(kb, Tup | Row):
        from strategies.rules.sequences import in_row

        return _spans(c, op, in_row(c, a), in_row(c, b))
    if endless(ka) or endless(kb):
        from strategies.rules.builtins.comparing import compared

        met = compared(c, a, b, OPERATORS[op])
        if met is None:
            raise Refusal("the order of these containers, that contain themselves, is not compiled")
        return met
    if is_table(ka) and is_table(kb):
        from strategies.rules import tables

        return tables.ordered(c, op, a, b)
    if isinstance(ka, Boxed) and isinstance(kb, Boxed) and ka.name == kb.name:
        return _spans(c, op, a, b)
    if isinstance(ka, Static) or isinstance(kb, Static):
        raise Refusal(f"the order of {ka} and {kb} is not compiled")
    return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")


def _tuples(c: Code, op: str, a: Val, b: Val) -> Val:
    """Compare the first elements that differ, or else the lengths."""
    assert isinstance(a.kind, Tup)
    assert isinstance(b.kind, Tup)
    out, after = c.temp(I1), c.block("ordered")
    for i, (x, y) in enumerate(zip(a.kind.items, b.kind.items, strict=False)):
        u, v = Val(x, c.part(a.v, i)), Val(y, c.part(b.v, i))
        differ, more = c.block("differ"), c.block("more")
        c.branch(equal(c, u, v).v, more, differ)
        c.at(differ)
        found = ordered(c, op, u, v)
        if found.kind is not NEVER:
            c.store(found.v, out)
            c.goto(after)
        else:
            c.unreachable()
        c.at(more)
    lengths = boolean(numbers.COMPARED[op](len(a.kind.items), len(b.kind.items)))
    c.store(lengths.v, out)
    c.goto(after)
    c.at(after)
    return Val(BOOL, c.load(out, I1))


def _spans(c: Code, op: str, a: Val, b: Val) -> Val:
    """Compare sequences in memory."""
    ka, kb = a.kind, b.kind
    item_a, item_b = ka.item, kb.item  # type: ignore[attr-defined]
    if not c.emitting:
        ordered(c, op, Val(item_a), Val(item_b))
        c.fail(None)
        return Val(BOOL)

    def build(r: Code, args: Any) -> Any:
        (p, n), (q, m) = span(r, Val(ka, args[0])), span(r, Val(kb, args[1]))
        s, t = form(item_a), form(item_b)
        if NEVER in (item_a, item_b):  # one has no elements
            return r.b.icmp_signed(op, n, m)
        with r.counting(r.b.select(r.b.icmp_signed("<", n, m), n, m)) as i:
            u = Val(item_a, r.load(r.element(p, s, i), s))
            v = Val(item_b, r.load(r.element(q, t, i), t))
            with r.when(r.b.not_(equal(r, u, v).v)):
                found = ordered(r, op, u, v)
                if found.kind is not NEVER:
                    r.store(found.v, r.function.args[1])
                    r.b.ret(c32(0))
        return r.b.icmp_signed(op, n, m)

    return Val(BOOL, c.risky(f"jam.order{op}.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))
