"""Sequences: tuples and lists, made, joined, repeated and copied."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from strategies.rules.code.coercion import (
    as_tuple,
    coerce,
    copy_items,
    in_row,
    parts_of,
    put_item,
    spread,
    tuple_of,
)
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import is_list, item_kind, span
from strategies.rules.code.val import LIST, NULL, ONE, ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import deques
from strategies.rules.containers.deques import DEQUE, LONGEST
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import I64, NEVER, Boxed, Either, Row, Tup
from strategies.rules.kinds.parts import named, same
from strategies.rules.language.messages import Refusal

# Tuples


def joined_tuples(w: Walk, parts: Sequence[Val]) -> Val:
    """Return a tuple of the elements of several: one after the other, each copied once."""
    if all(isinstance(a.kind, Tup) for a in parts):
        return tuple_of(w, [x for a in parts for x in parts_of(w, a)])
    item = join_all([item_kind(a.kind) for a in parts])
    if item is NEVER:
        return Val(Row(NEVER), w.row(NULL, ZERO))
    t = form(item)
    spans = [span(w, coerce(w, a, Row(item))) for a in parts]
    many = spans[0][1]
    for _, n in spans[1:]:
        many = w.b.add(many, n)
    place = at = w.alloc_for(many, t)
    for start, n in spans:
        w.copy(at, start, n, t)
        at = w.element(at, t, n)
    return Val(Row(item), w.row(place, many))


# Lists


def new_list(w: Walk, k: Boxed, room: Any = ZERO) -> Any:
    """Return the address of a new list with room for elements, which it has."""
    header = deques.new_header(w) if k.name == "deque" else w.alloc(c64(size(LIST)))
    elements = NULL if room is ZERO else w.alloc_for(room, form(k.item))
    for i, v in enumerate((elements, room, room)):
        w.put(header, LIST, i, v)
    return header


def list_of(w: Walk, node: ast.AST, parts: Sequence[Val]) -> Val:
    """Return a new list of these values."""
    k = w.site(node, "list")
    for p in parts:
        w.widen(k, 0, p.kind)
    if any(p.kind is NEVER for p in parts):
        return w.never
    header = new_list(w, k, c64(len(parts)) if parts else ZERO)
    if k.item is not NEVER and parts:
        place = w.get(header, LIST, 0)
        for i, p in enumerate(parts):
            put_item(w, k.item, place, c64(i), p)
    return Val(k, header)


def append(w: Walk, a: Val, x: Val) -> None:
    """Append to a list."""
    if a.boxed.name == "deque":
        return deques.append(w, a, x)
    v = w.one_more(a, x)
    if v is None:
        return None
    t = v.type

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
    """Return a new list of the elements of a tuple or list in memory, or a copy of a deque."""
    source, item = item_kind(a.kind), k.item
    place, n = span(w, a)
    header = new_list(w, k, n)
    if k.name == "deque":
        w.put(header, DEQUE, LONGEST, w.get(a.v, DEQUE, LONGEST))
    if item is NEVER or source is NEVER:
        return Val(k, header)
    made = w.get(header, LIST, 0)
    if same(source, item):
        w.copy(made, place, n, form(item))
    else:
        copy_items(w, source, place, n, made, item)
    return Val(k, header)


def list_from(w: Walk, node: ast.AST, a: Val, name: str = "list") -> Val:
    """Return a new list of the elements of an iterable."""
    if a.kind is NEVER:
        return a
    k = w.site(node, name)
    if isinstance(a.kind, Tup):
        a = in_row(w, a)
    if isinstance(a.kind, Row) or is_list(a.kind):
        w.widen(k, 0, item_kind(a.kind))
        return copied(w, a, k)
    made = Val(k, new_list(w, k))
    for_each(w, node, a, lambda x: append(w, made, x))
    return w.reached(made)


def tuple_from(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuple of the elements of an iterable."""
    a = as_tuple(a)
    if isinstance(a.kind, Tup | Row) or a.kind is NEVER:
        return a
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: tuple_from(w, node, x))
    made = list_from(w, node, a)  # the copy is the tuple's own memory
    if made.kind is NEVER:
        return made
    return Val(Row(item_kind(made.kind)), w.row(*span(w, made)))


Put = Callable[[Walk, Val, Val], None]


def extend(w: Walk, node: ast.AST, a: Val, b: Val, put: Put = append) -> None:
    """Append the elements of an iterable to a list or deque."""
    if a.boxed.name == "deque" and isinstance(b.kind, Either):
        raise Refusal(f"an extension by {b.kind} is not compiled; make it one kind before")
    if a.boxed.name == "deque" and named(b.kind, ("deque",)):
        # A deque that is extended by itself is copied before, and another is not told from it.
        b = list_from(w, node, b)
    if is_list(b.kind) or isinstance(b.kind, Row):
        # The number of elements is taken first, because a list may be extended by itself.
        _, n = span(w, b)
        item = item_kind(b.kind)
        w.change(a, 0, item)
        if item is NEVER:
            return
        with w.counting(n) as i:
            place, _ = span(w, b)
            put(w, a, w.item(item, place, i))
        return
    for_each(w, node, b, lambda x: put(w, a, x))
