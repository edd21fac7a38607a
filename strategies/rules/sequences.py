"""Sequences: tuples and lists, made, joined, repeated and copied."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from strategies.rules.code import LIST, NULL, ONE, ZERO, Code, Val, c64
from strategies.rules.constants import LONGEST
from strategies.rules.kinds import (
    BOOL,
    I64,
    INT,
    NEVER,
    Boxed,
    Either,
    Kind,
    Record,
    Row,
    Static,
    Tup,
    form,
    join,
    join_all,
    same,
    size,
)
from strategies.rules.values import coerce, fail, is_list, number, span, spread
from strategies.rules.walk import Walk

# Tuples


def tuple_of(w: Walk, parts: Sequence[Val]) -> Val:
    """Return the tuple of these values."""
    if any(p.kind is NEVER for p in parts):
        return Val(NEVER, w.undef(NEVER))
    k = Tup(p.kind for p in parts)
    known: Any = tuple(p.py for p in parts)
    if not all(p.known for p in parts):
        known = Val(NEVER).py
    if len(parts) > LONGEST and not any(isinstance(p.kind, Static) for p in parts):
        return coerce(
            w,
            Val(k, w.pack(form(k), [p.v for p in parts]) if w.emitting else None, known),
            Row(join_all(k.items)),
        )
    return Val(k, w.pack(form(k), [p.v for p in parts]), known)


def item_kind(k: Kind) -> Kind:
    """Return the kind of the elements of a sequence."""
    if isinstance(k, Tup):
        return join_all(k.items)
    return k.item  # type: ignore[attr-defined, no-any-return]


def in_row(c: Code, a: Val) -> Val:
    """Return a tuple as one in memory."""
    return coerce(c, a, Row(join_all(a.kind.items))) if isinstance(a.kind, Tup) else a


# Lists


def new_list(w: Walk, k: Boxed, room: Any = ZERO) -> Any:
    """Return the address of a new list with room for elements, which it has."""
    if k.name == "deque":
        from strategies.rules import deques

        header = deques.new_header(w)
    else:
        header = w.alloc(c64(size(LIST)))
    elements = NULL if room is ZERO else w.alloc_for(room, form(k.item))
    for i, v in enumerate((elements, room, room)):
        w.put(header, LIST, i, v)
    return header


def list_of(w: Walk, node: ast.AST, parts: Sequence[Val], name: str = "list") -> Val:
    """Return a new list of these values."""
    k = w.site(node, name)
    for p in parts:
        w.widen(k, 0, p.kind)
    if any(p.kind is NEVER for p in parts):
        return Val(NEVER, w.undef(NEVER))
    header = new_list(w, k, c64(len(parts)) if parts else ZERO)
    if k.item is not NEVER and parts:
        place = w.get(header, LIST, 0)
        for i, p in enumerate(parts):
            w.store(coerce(w, p, k.item).v, w.element(place, form(k.item), c64(i)))
    return Val(k, header)


def append(w: Walk, a: Val, x: Val) -> None:
    """Append to a list."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name == "deque":
        from strategies.rules import deques

        return deques.append(w, a, x)
    if x.kind is NEVER:
        return None
    w.change(a, 0, x.kind)
    item = k.item
    if item is NEVER:
        return None
    t = form(item)
    if not w.emitting:
        w.fail(None)
        return None
    v = coerce(w, x, item).v

    def build(r: Code, args: Any) -> Any:
        header, value = args
        n, capacity = r.get(header, LIST, 1), r.get(header, LIST, 2)
        with r.when(r.b.icmp_signed("==", n, capacity), rare=True):
            more = r.b.add(r.b.mul(capacity, c64(2)), c64(4))
            place = r.alloc_for(more, t)
            r.copy(place, r.get(header, LIST, 0), n, t)
            r.put(header, LIST, 0, place)
            r.put(header, LIST, 2, more)
        r.store(value, r.element(r.get(header, LIST, 0), t, n))
        r.put(header, LIST, 1, r.b.add(n, ONE))
        return n

    w.risky(f"jam.append.{t}", I64, [a.v, v], build)
    return None


def copied(w: Walk, a: Val, k: Boxed) -> Val:
    """Return a new list of the elements of a tuple or list in memory."""
    source, item = item_kind(a.kind), k.item
    place, n = span(w, a)
    header = new_list(w, k, n)
    if item is NEVER or source is NEVER:
        return Val(k, header)
    made, s, t = w.get(header, LIST, 0), form(source), form(item)
    if same(source, item):
        w.copy(made, place, n, t)
    elif w.emitting:
        with w.counting(n) as i:
            x = Val(source, w.load(w.element(place, s, i), s))
            w.store(coerce(w, x, item).v, w.element(made, t, i))
    return Val(k, header)


def list_from(w: Walk, node: ast.AST, a: Val, name: str = "list") -> Val:
    """Return a new list of the elements of an iterable."""
    from strategies.rules.iteration import each

    if a.kind is NEVER:
        return a
    k = w.site(node, name)
    if isinstance(a.kind, Tup):
        a = in_row(w, a)
    if isinstance(a.kind, Row) or is_list(a.kind):
        w.widen(k, 0, item_kind(a.kind))
        return copied(w, a, k)
    made = Val(k, new_list(w, k))
    each(w, node, a, lambda x: append(w, made, x))
    return made if w.env is not None else Val(NEVER, w.undef(NEVER))


def tuple_from(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuple of the elements of an iterable."""
    if isinstance(a.kind, Tup | Row) or a.kind is NEVER:
        return a
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: tuple_from(w, node, x))
    if isinstance(a.kind, Record):
        from strategies.rules import records

        as_tuple = records.as_tuple(w, a)
        if as_tuple is not None:
            return as_tuple
    made = list_from(w, node, a)  # the copy is the tuple's own memory
    if made.kind is NEVER:
        return made
    return Val(Row(item_kind(made.kind)), w.row(*span(w, made)))


# Operators


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a + b` or `a * n` of sequences; None if this is none."""
    a, b = _plain(w, a), _plain(w, b)
    if isinstance(a.kind, Boxed) and a.kind.name == "deque":
        from strategies.rules import deques

        return deques.binary(w, op, a, b, node)
    if op is ast.Add:
        if isinstance(a.kind, Tup | Row) and isinstance(b.kind, Tup | Row):
            return _joined(w, a, b)
        if is_list(a.kind) and is_list(b.kind) and a.kind.name == b.kind.name:  # type: ignore[attr-defined]
            made = list_from(w, node, a, a.kind.name)  # type: ignore[attr-defined]
            extend(w, node, made, b)
            return made
    if op is ast.Mult:
        if number(w, a) is not None:
            a, b = b, a
        n = number(w, b)
        if (
            n is not None
            and n.kind in (INT, BOOL)
            and (isinstance(a.kind, Tup | Row) or is_list(a.kind))
        ):
            return _repeated(w, a, n, node)
    return None


def _plain(w: Walk, a: Val) -> Val:
    if isinstance(a.kind, Record):
        from strategies.rules import records

        return records.as_tuple(w, a) or a
    return a


def _joined(w: Walk, a: Val, b: Val) -> Val:
    ka, kb = a.kind, b.kind
    if isinstance(ka, Tup) and isinstance(kb, Tup):
        parts = [Val(k, w.part(x.v, i)) for x in (a, b) for i, k in enumerate(x.kind.items)]  # type: ignore[attr-defined]
        if a.known and b.known:
            parts = [w.program.constants.value(x) for x in (*a.py, *b.py)]
        return tuple_of(w, parts)
    item = join_all([item_kind(ka), item_kind(kb)])
    if item is NEVER:
        return Val(Row(NEVER), w.row(NULL, ZERO))
    t = form(item)
    (p, n), (q, m) = (span(w, coerce(w, x, Row(item))) for x in (a, b))
    many = w.b.add(n, m)
    place = w.alloc_for(many, t)
    w.copy(place, p, n, t)
    w.copy(w.element(place, t, n), q, m, t)
    return Val(Row(item), w.row(place, many))


def _repeated(w: Walk, a: Val, times: Val, node: ast.AST) -> Val:
    from strategies.rules.numbers import as_int

    n = as_int(w, times)
    if times.kind is not BOOL:
        n = w.b.select(w.b.icmp_signed("<", n, ZERO), ZERO, n)
    if (
        isinstance(a.kind, Tup)
        and times.known
        and 0 <= int(times.py) * len(a.kind.items) <= LONGEST
    ):
        parts = [Val(k, w.part(a.v, i)) for i, k in enumerate(a.kind.items)]
        return tuple_of(w, parts * int(times.py))
    source = in_row(w, a)
    item = item_kind(source.kind)
    if is_list(a.kind):
        k = w.site(node, a.kind.name)  # type: ignore[attr-defined]
        w.widen(k, 0, item)
        item = k.item
    if item is NEVER:
        return Val(k, new_list(w, k)) if is_list(a.kind) else Val(Row(NEVER), w.row(NULL, ZERO))
    place, m = span(w, source)
    w.check(w.b.icmp_unsigned(">", n, c64(1 << 40)), MemoryError, "more memory than rules may take")
    many = w.b.mul(n, m)
    own, t = form(item_kind(source.kind)), form(item)
    if is_list(a.kind):
        header = new_list(w, k, many)
        made = w.get(header, LIST, 0)
    else:
        made = w.alloc_for(many, t)
    if w.emitting:
        with w.counting(n) as i, w.counting(m) as j:
            x = coerce(w, Val(item_kind(source.kind), w.load(w.element(place, own, j), own)), item)
            w.store(x.v, w.element(made, t, w.b.add(w.b.mul(i, m), j)))
    return Val(k, header) if is_list(a.kind) else Val(Row(item), w.row(made, many))


def extend(w: Walk, node: ast.AST, a: Val, b: Val) -> None:
    """Append the elements of an iterable."""
    from strategies.rules.iteration import each

    if is_list(b.kind) or isinstance(b.kind, Row):
        # The number of elements is taken first, because a list may be extended by itself.
        _, n = span(w, b)
        item = item_kind(b.kind)
        w.change(a, 0, item)
        if item is NEVER:
            return
        t = form(item)
        if not w.emitting:
            append(w, a, Val(item))
            return
        with w.counting(n) as i:
            place, _ = span(w, b)
            append(w, a, Val(item, w.load(w.element(place, t, i), t)))
        return
    each(w, node, b, lambda x: append(w, a, x))


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a list by `+=` or `*=`."""
    if isinstance(a.kind, Boxed) and a.kind.name == "deque":
        from strategies.rules import deques

        return deques.in_place(w, op, a, b, node)
    if op is ast.Add:
        if isinstance(b.kind, Either):
            return spread(w, b, lambda x: in_place(w, op, a, x, node) or a)
        extend(w, node, a, b)
        return a
    if op is ast.Mult:
        n = number(w, b)
        if n is None or n.kind not in (INT, BOOL):
            return fail(w, TypeError, "a list is repeated by an int")
        w.change(a, 0, NEVER)
        made = _repeated(w, a, n, node)
        for i in range(3):
            w.put(a.v, LIST, i, w.get(made.v, LIST, i))
        join(a.kind, made.kind)  # they share the kind of their elements
        return a
    return None
