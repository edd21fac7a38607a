"""Values by kind: conversion to a wider kind, alternatives, truth, equality and hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from strategies.rules.code import LIST, NOTHING, ONE, ZERO, Code, Val, c1, c32, c64
from strategies.rules.kinds import (
    BOOL,
    F64,
    FLOAT,
    I1,
    I8,
    I64,
    INT,
    NEVER,
    NONE,
    NUMBERS,
    PTR,
    RANGE,
    STR,
    WORD,
    Array,
    Atom,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Lazy,
    Member,
    Method,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
    alternatives,
    endless,
    form,
    is_scalar,
    join,
    join_all,
    key,
    place_in,
    same,
)
from strategies.rules.messages import Refusal

UNIQUE = {"list": "list", "deque": "list", "cell": "cell"}  # the rest are tables of keys


@contextmanager
def dry(c: Code) -> Iterator[None]:
    """Walk without emitting, to learn kinds."""
    kept = c.emitting, c.b, c.context, c.entry
    c.emitting, c.b, c.context, c.entry = False, NOTHING, NOTHING, NOTHING
    try:
        yield
    finally:
        c.emitting, c.b, c.context, c.entry = kept


def boolean(known: bool) -> Val:
    return Val(BOOL, c1(known), known)


def fail(c: Code, error: type[BaseException], message: str) -> Val:
    """Fail here in any case."""
    status = c32(c.program.error(error, message, c.where())) if c.emitting else NOTHING
    c.fail(status, error)
    c.dead()
    return Val(NEVER, c.undef(NEVER))


# Alternatives


def payload(c: Code, a: Val, index: int) -> Val:
    """Return one alternative of a value, which must be the one that it has."""
    assert isinstance(a.kind, Either)
    k = a.kind.items[index]
    place = place_in(a.kind, index)
    if place is None or not c.emitting:
        return Val(k, c.undef(k))
    v, t = c.part(a.v, place), form(k)
    if is_scalar(t):
        v = _from_word(c, v, t)
    return Val(k, v)


def _from_word(c: Code, v: Any, t: Any) -> Any:
    if t == F64:
        return c.b.bitcast(v, F64)
    if t == PTR:
        return c.b.inttoptr(v, PTR)
    return v if t == I64 else c.b.trunc(v, t)


def _to_word(c: Code, v: Any) -> Any:
    if v.type == F64:
        return c.b.bitcast(v, I64)
    if v.type == PTR:
        return c.b.ptrtoint(v, I64)
    return v if v.type == I64 else c.b.zext(v, I64)


def tag_is(c: Code, a: Val, index: int) -> Any:
    return c.b.icmp_unsigned("==", c.part(a.v, 0), I8(index)) if c.emitting else NOTHING


def spread(c: Code, a: Val, use: Callable[[Val], Val]) -> Val:
    """Use the alternative that a value has; the results are joined."""
    if not isinstance(a.kind, Either):
        return use(a)
    path, env, kinds = c.path, c.env, []
    with dry(c):
        for i, k in enumerate(a.kind.items):
            c.path, c.env = (*path, i), _copied(env)
            kinds.append(use(Val(k)).kind)
    met = join_all(kinds)
    c.path, c.env = path, env
    if not c.emitting:
        return Val(met)
    out, after = c.temp(form(met)), c.block("after")
    for i in range(len(a.kind.items)):
        if i == len(a.kind.items) - 1:
            other = None
        else:
            one, other = c.block("is"), c.block("not")
            c.branch(tag_is(c, a, i), one, other)
            c.at(one)
        c.path, c.env = (*path, i), _copied(env)
        found = use(payload(c, a, i))
        if found.kind is NEVER:
            c.unreachable()
        else:
            c.store(coerce(c, found, met).v, out)
            c.goto(after)
        c.path, c.env = path, env
        if other is not None:
            c.at(other)
    c.at(after)
    if met is NEVER:
        c.unreachable()
        c.dead()
        return Val(NEVER, c.undef(NEVER))
    return Val(met, c.load(out, form(met)))


def _copied(env: Any) -> Any:
    return None if env is None else dict(env)


def narrowed(c: Code, a: Val, keep: Callable[[Kind], bool]) -> Val:
    """Return a value as one of those alternatives that it is known to have."""
    left = [k for k in alternatives(a.kind) if keep(k)]
    if not isinstance(a.kind, Either) or len(left) == len(a.kind.items):
        return a
    met = join_all(left)
    if not c.emitting:
        return Val(met)
    if len(left) == 1:
        return payload(c, a, a.kind.items.index(left[0]))
    out, after = c.temp(form(met)), c.block("after")
    for i, k in enumerate(a.kind.items):
        if keep(k):
            one, other = c.block("is"), c.block("not")
            c.branch(tag_is(c, a, i), one, other)
            c.at(one)
            c.store(coerce(c, payload(c, a, i), met).v, out)
            c.goto(after)
            c.at(other)
    c.unreachable()
    c.at(after)
    return Val(met, c.load(out, form(met)))


def is_one_of(c: Code, a: Val, test: Callable[[Kind], bool]) -> Val:
    """Whether the alternative that a value has passes a test."""
    if not isinstance(a.kind, Either):
        return boolean(test(a.kind))
    met: Any = c1(False)
    for i, k in enumerate(a.kind.items):
        if test(k):
            met = c.b.or_(met, tag_is(c, a, i))
    return Val(BOOL, met)


# Conversion


def coerce(c: Code, a: Val, k: Kind) -> Val:
    """Return a value as one of a kind that has it."""
    ka = a.kind
    if ka is k or same(ka, k):
        return Val(k, a.v, a.py)
    if NEVER in (ka, k) or not c.emitting:
        return Val(k, c.undef(k))
    if isinstance(ka, Either) and (isinstance(k, Either) or len(ka.items) > 1):
        return _each_coerced(c, a, k)
    if isinstance(k, Either):
        return _tagged(c, a, k)
    if isinstance(ka, Tup) and isinstance(k, Tup) and len(ka.items) == len(k.items):
        pairs = enumerate(zip(ka.items, k.items, strict=True))
        return Val(
            k, c.pack(form(k), [coerce(c, Val(x, c.part(a.v, i)), y).v for i, (x, y) in pairs])
        )
    if isinstance(ka, Tup) and isinstance(k, Row):
        return _as_row(c, a, k)
    if isinstance(ka, Row) and isinstance(k, Row):
        return _widened_row(c, a, k)
    if isinstance(ka, Boxed) and isinstance(k, Boxed) and ka.name == k.name:
        return Val(k, a.v)
    if isinstance(ka, Method) and isinstance(k, Method):
        return Val(k, coerce(c, Val(ka.self_kind, a.v), k.self_kind).v)
    raise Refusal(f"{ka} and {k} meet here, which is not compiled")


def _each_coerced(c: Code, a: Val, k: Kind) -> Val:
    out, after = c.temp(form(k)), c.block("after")
    items = a.kind.items  # type: ignore[attr-defined]
    for i, item in enumerate(items):
        one, other = c.block("is"), c.block("not")
        c.branch(tag_is(c, a, i), one, other)
        c.at(one)
        if _holds(k, item):
            c.store(coerce(c, payload(c, a, i), k).v, out)
            c.goto(after)
        else:
            c.unreachable()
        c.at(other)
    c.unreachable()
    c.at(after)
    return Val(k, c.load(out, form(k)))


def _holds(k: Kind, item: Kind) -> bool:
    return same(join(k, item), k)


def _tagged(c: Code, a: Val, k: Either) -> Val:
    for i, item in enumerate(k.items):
        if _holds(item, a.kind):
            v = c.b.insert_value(c.undef(k), I8(i), 0)
            place = place_in(k, i)
            if place is not None:
                inner = coerce(c, a, item).v
                v = c.b.insert_value(
                    v, _to_word(c, inner) if is_scalar(form(item)) else inner, place
                )
            return Val(k, v)
    raise Refusal(f"{a.kind} is not one of {k}")


def _as_row(c: Code, a: Val, k: Row) -> Val:
    assert isinstance(a.kind, Tup)
    t, n = form(k.item), len(a.kind.items)
    if a.known:
        return Val(k, c.program.constants.row(a.py, k.item), a.py)
    place = c.alloc_for(c64(n), t)
    for i, item in enumerate(a.kind.items):
        c.store(coerce(c, Val(item, c.part(a.v, i)), k.item).v, c.element(place, t, c64(i)))
    return Val(k, c.row(place, c64(n)))


def _widened_row(c: Code, a: Val, k: Row) -> Val:
    assert isinstance(a.kind, Row)
    place, n = span(c, a)
    s, t = form(a.kind.item), form(k.item)
    made = c.alloc_for(n, t)
    with c.counting(n) as i:
        x = Val(a.kind.item, c.load(c.element(place, s, i), s))
        c.store(coerce(c, x, k.item).v, c.element(made, t, i))
    return Val(k, c.row(made, n))


def span(c: Code, a: Val) -> tuple[Any, Any]:
    """Return the address and the number of the elements of a tuple or list in memory."""
    if isinstance(a.kind, Row):
        return c.part(a.v, 0), c.part(a.v, 1)
    return c.get(a.v, LIST, 0), c.get(a.v, LIST, 1)


def is_list(k: Kind) -> bool:
    return isinstance(k, Boxed) and k.name in ("list", "deque")


def is_table(k: Kind) -> bool:
    return isinstance(k, Boxed) and k.name not in UNIQUE


# Truth


def truth(c: Code, a: Val) -> Val:
    """Return `bool(a)`."""
    k = a.kind
    if k is NEVER or k is BOOL:
        return a
    if a.known and not isinstance(k, Boxed):
        return boolean(bool(a.py))
    match k:
        case Either():
            return spread(c, a, lambda x: truth(c, x))
        case Scalar():
            return truth(c, Val(k.plain, a.v))
        case Array():
            raise Refusal("the truth of an array is not compiled; write len(…) > 0, or a loop")
        case Tup():
            return boolean(bool(k.items))
        case Static():
            return boolean(bool(k.value))
        case Row():
            return Val(BOOL, c.b.icmp_signed("!=", c.part(a.v, 1), ZERO))
        case Closure() | Method() | Generator() | Lazy():
            return boolean(True)
        case Record():
            from strategies.rules import specials

            return specials.true(c, a) or boolean(
                bool(k.names) if issubclass(k.of, tuple) else True
            )
        case Member():
            return Val(BOOL, c.program.constants.of_members(c, a, lambda m: bool(m)).v)
        case Boxed() if is_list(k):
            return Val(BOOL, c.b.icmp_signed("!=", c.get(a.v, LIST, 1), ZERO))
        case Boxed():
            from strategies.rules import tables

            return Val(BOOL, c.b.icmp_signed("!=", tables.length(c, a), ZERO))
    if k is INT or k is WORD:
        return Val(BOOL, c.b.icmp_signed("!=", a.v, ZERO))
    if k is FLOAT:
        return Val(BOOL, c.b.fcmp_unordered("!=", a.v, F64(0.0)))
    if k is NONE:
        return boolean(False)
    if k is RANGE:
        return Val(BOOL, c.b.icmp_signed(">", range_length(c, a), ZERO))
    if k is STR:
        return Val(BOOL, c.b.icmp_signed("!=", a.v, c64(c.program.text_number(""))))
    raise Refusal(f"the truth of {k} is not compiled")


def range_length(c: Code, a: Val) -> Any:
    """Return the number of elements of a range."""
    if not c.emitting:
        return NOTHING
    b = c.b
    start, stop, step = (c.part(a.v, i) for i in range(3))
    up = b.icmp_signed(">", step, ZERO)
    low, high = b.select(up, start, stop), b.select(up, stop, start)
    size = b.select(up, step, b.neg(step))
    some = b.icmp_signed("<", low, high)
    # Unsigned, because the gap may need 64 bits.
    n = b.add(b.udiv(b.sub(b.sub(high, low), ONE), size), ONE)
    return b.select(some, n, ZERO)


# Equality


def equal(c: Code, a: Val, b: Val) -> Val:
    """Return `a == b`. Numbers in containers are compared by value, also NaN."""
    ka, kb = a.kind, b.kind
    if ka is NEVER or kb is NEVER:
        return Val(NEVER, c.undef(NEVER))
    if a.known and b.known:
        return boolean(bool(a.py == b.py))
    if isinstance(ka, Either):
        return spread(c, a, lambda x: equal(c, x, b))
    if isinstance(kb, Either):
        return spread(c, b, lambda x: equal(c, a, x))
    ka_number, kb_number = number(c, a), number(c, b)
    if ka_number is not None and kb_number is not None:
        from strategies.rules import numbers

        return numbers.compare(c, "==", ka_number, kb_number)
    if isinstance(ka, Static) != isinstance(kb, Static):
        from strategies.rules import wide

        met = wide.compare(c, "==", ka_number or a, kb_number or b)
        if met is not None:
            return met
    if isinstance(ka, Member) or isinstance(kb, Member):
        if isinstance(ka, Member) and isinstance(kb, Member) and ka.of is kb.of:
            return Val(BOOL, c.b.icmp_signed("==", a.v, b.v))
        return boolean(False)
    if isinstance(ka, Static) and isinstance(kb, Static):
        return boolean(bool(ka.value == kb.value))
    if ka is STR and kb is STR:
        return Val(BOOL, c.b.icmp_signed("==", a.v, b.v))
    if ka is NONE and kb is NONE:
        return boolean(True)
    if isinstance(ka, Record) or isinstance(kb, Record):
        from strategies.rules import records

        return records.equal_records(c, a, b)
    if isinstance(ka, Tup | Row) and isinstance(kb, Tup | Row):
        return _equal_rows(c, a, b)
    if isinstance(ka, Boxed) and isinstance(kb, Boxed):
        if endless(ka) or endless(kb):
            from strategies.rules.builtins.comparing import compared

            met = compared(c, a, b) if ka.name == kb.name else boolean(False)
            if met is None:
                raise Refusal(
                    "comparing these containers, that contain themselves, is not compiled"
                )
            return met
        return _equal_boxed(c, a, b)
    if isinstance(ka, Closure | Method | Generator | Lazy) or isinstance(
        kb, Closure | Method | Generator | Lazy
    ):
        raise Refusal(f"comparing {ka} with {kb} is not compiled")
    if ka is RANGE and kb is RANGE:
        raise Refusal("comparing ranges is not compiled; compare lists")
    return boolean(False)


def number(c: Code, a: Val) -> Val | None:
    """Return a value as a number, if it is one; a member of an `IntEnum` is."""
    if a.kind in NUMBERS:
        return a
    if isinstance(a.kind, Scalar | Array):
        from strategies.rules import arrays

        arrays.refuse(a.kind)
    if isinstance(a.kind, Member) and issubclass(a.kind.of, int):
        return Val(INT, c.program.constants.of_members(c, a, int).v)
    return None


def _all_equal(c: Code, pairs: list[tuple[Val, Val]]) -> Val:
    """Whether all pairs are equal; parts in memory are read only while all before are."""
    out, after = c.temp(I1), c.block("compared")
    c.store(c1(False), out)
    for x, y in pairs:
        one = equal(c, x, y)
        if one.known and one.py is False:
            c.goto(after)
            c.at(after)
            return boolean(False)
        if not one.known:
            more = c.block("more")
            c.branch(one.v, more, after)
            c.at(more)
    c.store(c1(True), out)
    c.goto(after)
    c.at(after)
    return Val(BOOL, c.load(out, I1)) if pairs else boolean(True)


def equal_parts(c: Code, a: Val, b: Val, kinds: list[tuple[int, Kind, Kind]]) -> Val:
    """Whether parts of two structs are equal."""
    return _all_equal(c, [(Val(x, c.part(a.v, i)), Val(y, c.part(b.v, i))) for i, x, y in kinds])


def _equal_rows(c: Code, a: Val, b: Val) -> Val:
    ka, kb = a.kind, b.kind
    if isinstance(ka, Tup) and isinstance(kb, Tup):
        if len(ka.items) != len(kb.items):
            return boolean(False)
        pairs = zip(ka.items, kb.items, strict=True)
        return equal_parts(c, a, b, [(i, x, y) for i, (x, y) in enumerate(pairs)])
    if isinstance(ka, Tup):
        return _equal_rows(c, b, a)

    def build(r: Code, args: Any) -> Any:
        x, y = Val(ka, args[0]), Val(kb, args[1])
        p, n = span(r, x)
        item = x.kind.item  # type: ignore[attr-defined]
        t = form(item)
        if isinstance(kb, Tup):
            with r.when(r.b.icmp_signed("!=", n, c64(len(kb.items)))):
                r.b.ret(c1(False))
            for i, k in enumerate(kb.items):
                one = equal(
                    r, Val(item, r.load(r.element(p, t, c64(i)), t)), Val(k, r.part(y.v, i))
                )
                with r.when(r.b.not_(one.v)):
                    r.b.ret(c1(False))
            return c1(True)
        _compare_spans(r, x, y)
        return c1(True)

    return Val(BOOL, c.helper(f"jam.equal.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


def _compare_spans(r: Code, x: Val, y: Val) -> None:
    """Return false from a helper if two sequences in memory differ."""
    (p, n), (q, m) = span(r, x), span(r, y)
    with r.when(r.b.icmp_signed("!=", n, m)):
        r.b.ret(c1(False))
    k, j = x.kind.item, y.kind.item  # type: ignore[attr-defined]
    if NEVER in (k, j):  # one has no elements
        return
    with r.counting(n) as i:
        u = Val(k, r.load(r.element(p, form(k), i), form(k)))
        v = Val(j, r.load(r.element(q, form(j), i), form(j)))
        with r.when(r.b.not_(equal(r, u, v).v)):
            r.b.ret(c1(False))


def _equal_boxed(c: Code, a: Val, b: Val) -> Val:
    ka, kb = a.kind, b.kind
    assert isinstance(ka, Boxed)
    assert isinstance(kb, Boxed)
    if is_list(ka) != is_list(kb):
        return boolean(False)
    if is_table(ka):
        from strategies.rules import tables

        return tables.equal_tables(c, a, b)
    if ka.name != kb.name:
        return boolean(False)

    def build(r: Code, args: Any) -> Any:
        _compare_spans(r, Val(ka, args[0]), Val(kb, args[1]))
        return c1(True)

    return Val(BOOL, c.helper(f"jam.equal.{key(ka)}.{key(kb)}", I1, [a.v, b.v], build))


# Hashes

GOLDEN = 0x9E3779B97F4A7C15


def unhashable(k: Kind) -> bool:
    """Whether Python's `hash` of such a value is a TypeError."""
    if isinstance(k, Boxed):
        return k.name != "frozenset"
    if isinstance(k, Record):
        from strategies.rules import records

        return k.of.__hash__ is None or any(unhashable(k.kinds[i]) for i in records.compared(k))
    return isinstance(k, Tup | Row) and any(
        map(unhashable, k.items if isinstance(k, Tup) else [k.item])
    )


def hashed(c: Code, a: Val) -> Any:
    """Return a word that is equal for equal values.

    Requires: the kind is not `unhashable`.
    """
    return absorb(c, c64(GOLDEN), a) if c.emitting else NOTHING


def mixed(c: Code, w: Any) -> Any:
    b = c.b
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        w = b.mul(b.xor(w, b.lshr(w, c64(shift))), c64(factor))
    return b.xor(w, b.lshr(w, c64(31)))


def absorb(c: Code, w: Any, a: Val) -> Any:
    """Mix a value into a word."""
    k, b = a.kind, c.b
    as_number = number(c, a)
    if as_number is not None:
        v = as_number.v
        if as_number.kind is BOOL:
            v = b.zext(v, I64)
        if as_number.kind is FLOAT:
            v = _word_of_float(c, v)
        return b.add(mixed(c, b.xor(w, v)), c64(GOLDEN))
    if k is STR or isinstance(k, Member):
        return b.add(mixed(c, b.xor(w, b.xor(a.v, c64(0x5DEECE66D)))), c64(GOLDEN))
    match k:
        case Atom():
            return mixed(c, w)
        case Static():
            return mixed(c, w)
        case Tup():
            for i, item in enumerate(k.items):
                w = absorb(c, w, Val(item, c.part(a.v, i)))
            return mixed(c, b.xor(w, c64(len(k.items))))
        case Record():
            from strategies.rules import records

            for i in records.compared(k):
                w = absorb(c, w, Val(k.kinds[i], c.part(a.v, i)))
            return mixed(c, b.xor(w, c64(len(k.kinds)))) if issubclass(k.of, tuple) else w
        case Either():
            return spread(c, a, lambda x: Val(INT, absorb(c, w, x))).v
        case Row():

            def build(r: Code, args: Any) -> Any:
                out = r.temp(I64)
                r.store(args[0], out)
                p, n = span(r, Val(k, args[1]))
                t = form(k.item)
                with r.counting(n) as i:
                    r.store(
                        absorb(r, r.load(out, I64), Val(k.item, r.load(r.element(p, t, i), t))), out
                    )
                return mixed(r, r.b.xor(r.load(out, I64), n))

            return c.helper(f"jam.hash.{key(k)}", I64, [w, a.v], build)
        case Boxed() if k.name == "frozenset":
            from strategies.rules import tables

            return b.add(mixed(c, b.xor(w, tables.hash_of_set(c, a))), c64(GOLDEN))
    raise Refusal(f"{k} as a key is not compiled")


def _word_of_float(c: Code, v: Any) -> Any:
    """Return the word of the int or U64 that a float equals, or else its bits."""
    b = c.b
    signed = b.and_(b.fcmp_ordered(">=", v, F64(-(2.0**63))), b.fcmp_ordered("<", v, F64(2.0**63)))
    wide = b.and_(b.fcmp_ordered(">=", v, F64(2.0**63)), b.fcmp_ordered("<", v, F64(2.0**64)))
    whole = b.fptosi(b.select(signed, v, F64(0.0)), I64)
    large = b.fptoui(b.select(wide, v, F64(0.0)), I64)
    is_whole = b.and_(signed, b.fcmp_ordered("==", b.sitofp(whole, F64), v))
    return b.select(is_whole, whole, b.select(wide, large, b.bitcast(v, I64)))
