"""Equality of values: of numbers, texts, tuples, records and lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from strategies.rules.code.coercion import as_text, as_tuple, boolean, each_kind, number, parts_of
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import is_list, is_table, item_kind, span
from strategies.rules.code.val import ONE, ZERO, Val, c1, c64
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import endless
from strategies.rules.kinds.kind import (
    BOOL,
    I1,
    I64,
    NEVER,
    NONE,
    RANGE,
    STR,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Member,
    Method,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import key
from strategies.rules.kinds.record_classes import (
    by_a_key,
    check_complete,
    defined,
    fields_in,
    is_generated,
)
from strategies.rules.language.messages import OwnEquality, Refusal, advised
from strategies.rules.values import numbers, numpy_numbers, texts
from strategies.rules.values.arithmetic import wide_compare

# How values of a kind are compared that a module above this one knows, which adds it here: tables.
COMPARES: list[Callable[..., Val | None]] = []  # of containers that may contain themselves
EQUALS: dict[type[Kind], Callable[[Code, Val, Val], Val]] = {}


def equal(c: Code, a: Val, b: Val) -> Val:
    """Return `a == b`. Numbers in containers are compared by value, also NaN."""
    ka, kb = a.kind, b.kind
    if ka is NEVER or kb is NEVER:
        return c.never
    if a.known and b.known:
        return boolean(bool(a.py == b.py))
    if isinstance(ka, Either) or isinstance(kb, Either):
        return each_kind(c, partial(equal, c), a, b)
    if isinstance(ka, Scalar) or isinstance(kb, Scalar):
        found = numpy_numbers.compare(c, "==", a, b)
        if found is not None:
            return Val(BOOL, found.v)
    ka_number, kb_number = number(c, a), number(c, b)
    if ka_number is not None and kb_number is not None:
        return numbers.compare(c, "==", ka_number, kb_number)
    if isinstance(ka, Static) != isinstance(kb, Static):
        met = wide_compare(c, "==", ka_number or a, kb_number or b)
        if met is not None:
            return met
    if isinstance(ka, Member) or isinstance(kb, Member):
        if isinstance(ka, Member) and isinstance(kb, Member) and ka.of is kb.of:
            return Val(BOOL, c.b.icmp_signed("==", a.v, b.v))
        x, y = as_text(c, a), as_text(c, b)
        return boolean(False) if x is a and y is b else equal(c, x, y)
    if isinstance(ka, Static) and isinstance(kb, Static):
        return boolean(c.program.reads.answer(_are_equal, ka.value, kb.value))
    if ka is STR and kb is STR:
        return Val(BOOL, c.b.icmp_signed("==", a.v, b.v))
    if is_text(ka) and is_text(kb):
        return _equal_texts(c, a, b)
    if ka is NONE and kb is NONE:
        return boolean(True)
    if isinstance(ka, Record) or isinstance(kb, Record):
        return equal_records(c, a, b)
    if isinstance(ka, Tup | Row) and isinstance(kb, Tup | Row):
        return _equal_rows(c, a, b)
    if isinstance(ka, Boxed) and isinstance(kb, Boxed):
        if endless(ka) or endless(kb):
            return compared_endless(c, a, b)
        return _equal_boxed(c, a, b)
    own = [isinstance(k, Closure | Method | Generator) for k in (ka, kb)]
    if all(own) or (any(own) and (isinstance(ka, Static) or isinstance(kb, Static))):
        raise Refusal(f"comparing {ka} with {kb} is not compiled")
    if ka is RANGE and kb is RANGE:
        raise Refusal("comparing ranges is not compiled; compare lists")
    if _has_own_equality(ka) or _has_own_equality(kb):
        raise Refusal(f"comparing {ka} with {kb} is not compiled")
    return boolean(False)


def _has_own_equality(k: Kind) -> bool:
    """Whether a Python object is compared by a method of the user's."""
    own = defined(type(k.value), "__eq__") if isinstance(k, Static) else None
    return own is not None and not is_generated(*own)


def _are_equal(a: Any, b: Any) -> bool:
    return bool(a == b)


def compared_endless(c: Code, a: Val, b: Val, op: Any = None) -> Val:
    """Return `a == b`, or `a op b`, of containers that may contain themselves."""
    met = COMPARES[0](c, a, b, op)
    if met is None:
        raise Refusal("comparing these containers, that contain themselves, is not compiled")
    return met


def all_equal(c: Code, pairs: list[tuple[Val, Val]], any_: bool = False) -> Val:
    """Whether all pairs are equal, or any is; the parts of a pair in memory are read only if those
    before do not decide it."""
    out, after = c.temp(I1), c.block("compared")
    c.store(c1(any_), out)
    for x, y in pairs:
        one = equal(c, x, y)
        if one.known and one.py is any_:
            c.goto(after)
            c.at(after)
            return boolean(any_)
        if not one.known:
            more = c.block("more")
            c.branch(one.v, *((after, more) if any_ else (more, after)))
            c.at(more)
    c.store(c1(not any_), out)
    c.goto(after)
    c.at(after)
    return Val(BOOL, c.load(out, I1)) if pairs else boolean(not any_)


def _equal_texts(c: Code, a: Val, b: Val) -> Val:
    """Compare texts of which one is made, or both are; mostly, the first letters tell."""
    x, y = texts.codes(c, a), texts.codes(c, b)
    (p, n), (q, m) = span(c, x), span(c, y)
    out = c.temp(I1)
    alike = c.b.icmp_signed("==", n, m)
    c.store(alike, out)
    with c.when(c.b.and_(alike, c.b.icmp_signed("!=", n, ZERO))):
        first = c.b.icmp_signed("==", c.load(p, I64), c.load(q, I64))
        c.store(first, out)
        with c.when(c.b.and_(first, c.b.icmp_signed("!=", n, ONE))):
            c.store(_equal_rows(c, x, y).v, out)
    return Val(BOOL, c.load(out, I1))


def _equal_rows(c: Code, a: Val, b: Val) -> Val:
    ka, kb = a.kind, b.kind
    if isinstance(ka, Tup) and isinstance(kb, Tup):
        if len(ka.items) != len(kb.items):
            return boolean(False)
        return all_equal(c, list(zip(parts_of(c, a), parts_of(c, b), strict=True)))
    if isinstance(ka, Tup):
        return _equal_rows(c, b, a)

    def build(r: Code, args: Any) -> Any:
        x, y = Val(ka, args[0]), Val(kb, args[1])
        (p, n), k = span(r, x), item_kind(ka)
        if isinstance(kb, Tup):
            with r.when(r.b.icmp_signed("!=", n, c64(len(kb.items)))):
                r.b.ret(c1(False))
            if k is NEVER:  # both are empty
                return c1(True)
            for i, v in enumerate(parts_of(r, y)):
                one = equal(r, r.item(k, p, c64(i)), v)
                with r.when(r.b.not_(one.v)):
                    r.b.ret(c1(False))
            return c1(True)
        (q, m), j = span(r, y), item_kind(kb)
        with r.when(r.b.icmp_signed("!=", n, m)):
            r.b.ret(c1(False))
        if NEVER in (k, j):  # one has no elements
            return c1(True)
        with r.counting(n) as i, r.when(r.b.not_(equal(r, r.item(k, p, i), r.item(j, q, i)).v)):
            r.b.ret(c1(False))
        return c1(True)

    return Val(BOOL, c.helper(f"jam.equal.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


def _equal_boxed(c: Code, a: Val, b: Val) -> Val:
    ka, kb = a.boxed, b.boxed
    if is_list(ka) != is_list(kb):
        return boolean(False)
    if is_table(ka):
        return EQUALS[Boxed](c, a, b)
    return _equal_rows(c, a, b) if ka.name == kb.name else boolean(False)


def equal_records(c: Code, a: Val, b: Val) -> Val:
    """Return `a == b`, of which one is a record; inside of containers, too."""
    x, y = as_tuple(a), as_tuple(b)
    if x is not a or y is not b:
        return equal(c, x, y)
    found = None
    for k in (a.kind, b.kind):
        found = defined(k.of, "__eq__") if isinstance(k, Record) else None
        if found is not None and not is_generated(*found):
            raise OwnEquality(
                cast(Record, k).of,
                f"an own == of {k} is compiled only where it stands itself, not in containers: "
                + by_a_key(k),
            )
    ka, kb = a.kind, b.kind
    if not isinstance(ka, Record) or not isinstance(kb, Record) or ka.of is not kb.of:
        return boolean(False)
    if found is None:
        told = f"{ka.of.__name__} has no == of its fields, and records have no identity"
        raise OwnEquality(ka.of, told)
    check_complete(ka)
    chosen = fields_in(found[1], "eq")
    return equal(c, keyed(c, a, chosen), keyed(c, b, chosen))


def keyed(c: Code, a: Val, chosen: list[tuple[str, Any]]) -> Val:
    """Return the tuple of chosen fields, of some by a key."""
    there = fields(c, a)
    for n, by in chosen:
        if hasattr(by, "_is_comparable_to"):  # a class that attrs makes
            what = f"attrs.cmp_using(…) of {cast(Record, a.kind).of.__name__}.{n}"
            raise advised(what, "write a function of the value that is compared, as eq=str.lower")
    values = [there[n] if by is None else c.call(by, there[n]) for n, by in chosen]
    if any(v.kind is NEVER for v in values):
        return c.never
    kind = Tup(v.kind for v in values)
    return Val(kind, c.pack(form(kind), [v.v for v in values]))


def fields(c: Code, a: Val) -> dict[str, Val]:
    """Return what a record holds, by name."""
    return dict(zip(cast(Record, a.kind).names, parts_of(c, a), strict=True))
