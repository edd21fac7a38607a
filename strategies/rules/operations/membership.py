"""Membership: `x in container`."""

from __future__ import annotations

import enum
from typing import Any, cast

from strategies.rules.code.coercion import (
    as_text,
    as_tuple,
    boolean,
    fail,
    number,
    parts_of,
    plain,
    refuse,
    spread,
)
from strategies.rules.code.storage import is_list, is_table, item_kind, span
from strategies.rules.code.val import Val, c1, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import contents
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I1,
    NEVER,
    RANGE,
    TEXT,
    WORD,
    Array,
    Either,
    Generator,
    Lazy,
    Record,
    Row,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import is_flags, key
from strategies.rules.language.messages import Refusal
from strategies.rules.values import enums, specials, texts
from strategies.rules.values.equality import all_equal, equal
from strategies.rules.values.numbers import as_int


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
    if isinstance(k, Lazy):
        raise Refusal("`in` of a generator is not compiled; write any(…)")
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
        return _in_span(w, w.program.constants.value(ord(x.py)), texts.codes(w, a))
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
