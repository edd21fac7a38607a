"""Order: `<` and its like, of numbers, and of tuples and lists element by element."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from strategies.rules.code.coercion import (
    as_text,
    as_tuple,
    boolean,
    each_kind,
    fail,
    in_row,
    number,
    parts_of,
)
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import is_table, item_kind, span
from strategies.rules.code.val import Val, c32
from strategies.rules.containers import contents
from strategies.rules.kinds.joining import endless
from strategies.rules.kinds.kind import (
    BOOL,
    I1,
    NEVER,
    STR,
    Boxed,
    Either,
    Member,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import key
from strategies.rules.kinds.record_classes import (
    check_complete,
    defined,
    fields_in,
    is_generated,
    own,
)
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import COMPARED, METHODS
from strategies.rules.values import numbers, numpy_numbers, texts
from strategies.rules.values.arithmetic import wide_compare
from strategies.rules.values.equality import _keyed, compared_endless, equal

OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def ordered(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b`, for `<`, `<=`, `>` and `>=`."""
    a, b = as_text(c, a), as_text(c, b)
    ka, kb = a.kind, b.kind
    if NEVER in (ka, kb):
        return c.never
    if isinstance(ka, Either) or isinstance(kb, Either):
        return each_kind(c, partial(ordered, c, op), a, b)
    if isinstance(ka, Scalar) or isinstance(kb, Scalar):
        found = numpy_numbers.compare(c, op, a, b)
        if found is not None:
            return Val(BOOL, found.v)
    x, y = number(c, a), number(c, b)
    if x is not None and y is not None:
        return numbers.compare(c, op, x, y)
    met = wide_compare(c, op, x or a, y or b)
    if met is not None:
        return met
    if ka is STR and kb is STR:
        if a.known and b.known:
            return boolean(COMPARED[op](a.py, b.py))
        return texts.compare(c, op, a, b)
    if is_text(ka) and is_text(kb):
        return _spans(c, op, texts.codes(c, a), texts.codes(c, b))
    if isinstance(ka, Record) or isinstance(kb, Record):
        return ordered_records(c, op, a, b)
    if isinstance(ka, Tup) and isinstance(kb, Tup):
        return _tuples(c, op, a, b)
    if isinstance(ka, Tup | Row) and isinstance(kb, Tup | Row):
        return _spans(c, op, in_row(c, a), in_row(c, b))
    if isinstance(ka, Boxed) and isinstance(kb, Boxed) and (endless(ka) or endless(kb)):
        return compared_endless(c, a, b, OPERATORS[op])
    if is_table(ka) and is_table(kb):
        return contents.ordered(c, op, a, b)
    if isinstance(ka, Boxed) and isinstance(kb, Boxed) and ka.name == kb.name:
        return _spans(c, op, a, b)
    if isinstance(ka, Static) or isinstance(kb, Static):
        raise Refusal(f"the order of {ka} and {kb} is not compiled")
    return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")


def _of_parts(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b` of elements, of which none is a member whose class says what `<` is."""
    if isinstance(a.kind, Either) or isinstance(b.kind, Either):
        return each_kind(c, partial(_of_parts, c, op), a, b)
    for k, method in zip((a.kind, b.kind), METHODS[op], strict=True):
        if isinstance(k, Member) and own(k, method) is not None:
            raise Refusal(f"{k}.{method} is not compiled inside of a container")
    return ordered(c, op, a, b)


def _tuples(c: Code, op: str, a: Val, b: Val) -> Val:
    """Compare the first elements that differ, or else the lengths."""
    assert isinstance(a.kind, Tup)
    assert isinstance(b.kind, Tup)
    out, after = c.temp(I1), c.block("ordered")
    for u, v in zip(parts_of(c, a), parts_of(c, b), strict=False):
        differ, more = c.block("differ"), c.block("more")
        c.branch(equal(c, u, v).v, more, differ)
        c.at(differ)
        found = _of_parts(c, op, u, v)
        if found.kind is not NEVER:
            c.store(found.v, out)
            c.goto(after)
        else:
            c.unreachable()
        c.at(more)
    lengths = boolean(COMPARED[op](len(a.kind.items), len(b.kind.items)))
    c.store(lengths.v, out)
    c.goto(after)
    c.at(after)
    return Val(BOOL, c.load(out, I1))


def _spans(c: Code, op: str, a: Val, b: Val) -> Val:
    """Compare sequences in memory."""
    ka, kb = a.kind, b.kind
    item_a, item_b = item_kind(ka), item_kind(kb)
    if not c.emitting:
        _of_parts(c, op, Val(item_a), Val(item_b))

    def build(r: Code, args: Any) -> Any:
        (p, n), (q, m) = span(r, Val(ka, args[0])), span(r, Val(kb, args[1]))
        if NEVER in (item_a, item_b):  # one has no elements
            return r.b.icmp_signed(op, n, m)
        with r.counting(r.b.select(r.b.icmp_signed("<", n, m), n, m)) as i:
            u = r.item(item_a, p, i)
            v = r.item(item_b, q, i)
            with r.when(r.b.not_(equal(r, u, v).v)):
                found = _of_parts(r, op, u, v)
                if found.kind is not NEVER:
                    r.store(found.v, r.function.args[1])
                    r.b.ret(c32(0))
        return r.b.icmp_signed(op, n, m)

    return Val(BOOL, c.risky(f"jam.order{op}.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


def ordered_records(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return `a op b`, where one is a record."""
    x, y = as_tuple(a), as_tuple(b)
    if x is not a or y is not b:
        return ordered(c, op, x, y)
    ka, kb = a.kind, b.kind
    name, mirrored = METHODS[op]
    for k, method in ((ka, name), (kb, mirrored)):
        found = defined(k.of, method) if isinstance(k, Record) else None
        if found is not None and not is_generated(*found):
            raise Refusal(f"{k}.{method} is not compiled inside of a container")
    found = defined(ka.of, name) if isinstance(ka, Record) else None
    if isinstance(ka, Record) and isinstance(kb, Record) and ka.of is kb.of and found is not None:
        check_complete(ka)
        chosen = fields_in(found[1], "order")
        return ordered(c, op, _keyed(c, a, chosen), _keyed(c, b, chosen))
    return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")
