"""Comparisons by order, `<` and its like, and membership, `x in container`.

Numbers are ordered by value, and tuples and lists element by element.
"""

from __future__ import annotations

import enum
from functools import partial
from typing import Any, cast

from strategies.rules.code.coercion import (
    arrive,
    as_text,
    as_tuple,
    boolean,
    each_kind,
    fail,
    in_row,
    number,
    parts_of,
    plain,
    refuse,
    spread,
)
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import is_list, is_table, item_kind, span
from strategies.rules.code.val import Val, c1, c32, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import contents
from strategies.rules.kinds.joining import endless
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I1,
    NEVER,
    RANGE,
    STR,
    TEXT,
    WORD,
    Array,
    Boxed,
    Either,
    Generator,
    Member,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import is_flags, key
from strategies.rules.kinds.record_classes import (
    by_a_key,
    check_complete,
    defined,
    fields_in,
    is_generated,
    own,
)
from strategies.rules.language.messages import Refusal, advised
from strategies.rules.language.sources import COMPARED, METHODS
from strategies.rules.values import enums, numbers, numpy_numbers, specials, texts
from strategies.rules.values.arithmetic import wide_compare
from strategies.rules.values.equality import all_equal, compared_endless, equal, keyed
from strategies.rules.values.numbers import as_int


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
        return compared_endless(c, a, b, COMPARED[op])
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
            raise advised(f"{k}.{method} inside of a container", by_a_key(k))
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
        arrive(c, _of_parts(c, op, u, v), BOOL, out, after)
        c.at(more)
    arrive(c, boolean(COMPARED[op](len(a.kind.items), len(b.kind.items))), BOOL, out, after)
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
            raise advised(f"{k}.{method} inside of a container", by_a_key(k))
    found = defined(ka.of, name) if isinstance(ka, Record) else None
    if isinstance(ka, Record) and isinstance(kb, Record) and ka.of is kb.of and found is not None:
        check_complete(ka)
        chosen = fields_in(found[1], "order")
        return ordered(c, op, keyed(c, a, chosen), keyed(c, b, chosen))
    return fail(c, TypeError, f"{op} is not defined between {ka} and {kb}")


def contains(w: Walk, x: Val, a: Val) -> Val:
    """Return `x in a`."""
    a = as_text(w, a)
    k = a.kind
    if NEVER in (k, x.kind):
        return w.never
    if isinstance(k, Either):
        return spread(w, a, lambda y: contains(w, x, y))
    if isinstance(k, Record):
        own = specials.contains(w, x, a)
        if own is not None:
            return own
        a = as_tuple(a)
        k = a.kind
    if isinstance(k, Static) and isinstance(k.value, enum.EnumMeta):
        return enums.contains(w, k.value, x)
    if isinstance(k, Array):
        return spread(w, x, lambda y: _in_array(w, y, a))
    refuse(k)
    if isinstance(k, Static):
        return _in_constant(w, a)
    if is_table(k):
        return contents.contains(w, x, a)
    if isinstance(k, Tup):
        return all_equal(w, [(x, y) for y in parts_of(w, a)], any_=True)
    if isinstance(k, Row) or is_list(k):
        return _in_span(w, x, a)
    if k is RANGE:
        return _in_range(w, x, a)
    if is_text(k):
        return spread(w, x, lambda y: _in_text(w, y, a))
    if is_flags(k):
        return spread(w, x, lambda y: enums.has_flags(w, y, a))
    if isinstance(k, Generator):
        return w.call(found_in, a, x)
    return fail(w, TypeError, f"{k} is not a container")


def _in_constant(w: Walk, a: Val) -> Val:
    """Return `x in a` of a Python object that is known, such as an enumeration."""
    value: Any = cast(Static, a.kind).value
    if hasattr(type(value), "__contains__") or hasattr(type(value), "__iter__"):
        raise Refusal(
            f"`in` of {type(value).__name__} is not compiled; write a tuple, a set or a dict"
        )
    return fail(w, TypeError, f"{type(value).__name__} is not a container")


def _in_array(w: Walk, x: Val, a: Val) -> Val:
    if number(w, plain(w, x)) is None:
        raise Refusal(f"`in` of an array is compiled for numbers, and this is a {x.kind}")
    assert isinstance(a.kind, Array)
    return w.call(found_in if a.kind.ndim == 1 else found_below, a, x)


def _in_text(w: Walk, x: Val, a: Val) -> Val:
    x = as_text(w, x)
    if not is_text(x.kind):
        return fail(w, TypeError, "a text contains texts only")
    if (x.known or a.known) and TEXT not in (x.kind, a.kind):
        return texts.contains(w, x, a)
    if x.known and len(x.py) == 1:
        return _in_span(w, w.constant(ord(x.py)), texts.codes(w, a))
    return w.call(is_part, texts.as_made(w, x), texts.as_made(w, a))


def _in_span(w: Walk, x: Val, a: Val) -> Val:
    ka, kx = a.kind, x.kind
    item = item_kind(ka)
    if item is NEVER:
        return Val(BOOL, c1(False))
    equal(w, Val(item), Val(kx)) if not w.emitting else None

    def build(r: Any, args: Any) -> Any:
        p, n = span(r, Val(ka, args[0]))
        with r.counting(n) as i:
            one = equal(r, r.item(item, p, i), Val(kx, args[1]))
            with r.when(one.v):
                r.b.ret(c1(True))
        return c1(False)

    return Val(BOOL, w.helper(f"jam.contains.{key(ka)}.{key(kx)}", I1, [a.v, x.v], build))


def _in_range(w: Walk, x: Val, a: Val) -> Val:
    if isinstance(x.kind, Either):
        return spread(w, x, lambda y: _in_range(w, y, a))
    n = number(w, x)
    if n is None:
        return boolean(False)
    if n.kind is FLOAT:
        raise Refusal("whether a float is in a range is not compiled; compare it with the bounds")
    b, v = w.b, as_int(w, n)
    start, step = w.part(a.v, 0), w.part(a.v, 2)
    up = b.icmp_signed(">", step, c64(0))
    inside = b.select(
        up,
        b.and_(b.icmp_signed(">=", v, start), b.icmp_signed("<", v, w.part(a.v, 1))),
        b.and_(b.icmp_signed("<=", v, start), b.icmp_signed(">", v, w.part(a.v, 1))),
    )
    gap = b.select(up, b.sub(v, start), b.sub(start, v))
    by = b.select(up, step, b.sub(c64(0), step))
    fits = b.and_(inside, b.icmp_signed("==", b.urem(gap, by), c64(0)))
    if n.kind is WORD:
        fits = b.and_(fits, b.icmp_signed(">=", v, c64(0)))
    return Val(BOOL, fits)


def is_part(part: Any, whole: Any) -> bool:
    n = len(part)
    return any(whole[i : i + n] == part for i in range(len(whole) - n + 1))


def found_below(rows: Any, x: Any) -> bool:
    return any(x in row for row in rows)


def found_in(it: Any, x: Any) -> bool:
    return any(y == x for y in it)
