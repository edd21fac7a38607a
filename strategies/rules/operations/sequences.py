"""Sequences: tuples, lists and deques, made, joined, repeated, extended and copied.

Changes of slices of a list are written in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from strategies.rules.code.coercion import (
    as_tuple,
    coerce,
    copy_items,
    fail,
    in_row,
    number,
    parts_of,
    put_item,
    spread,
    tuple_of,
)
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import is_list, item_kind, span
from strategies.rules.code.val import LIST, NULL, ONE, ZERO, New, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import deques
from strategies.rules.containers.deques import DEQUE, MAXLEN
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.forms import APART, form, size
from strategies.rules.kinds.joining import join, join_all
from strategies.rules.kinds.kind import BOOL, I64, INT, NEVER, Boxed, Either, Row, Tup, is_text
from strategies.rules.kinds.parts import named, same
from strategies.rules.language.messages import Refusal
from strategies.rules.values import texts
from strategies.rules.values.numbers import as_int

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


def new_sequence(w: Walk, k: Boxed | Row, many: Any) -> tuple[Val, Any]:
    """Return a new list or tuple of so many elements, and the address where they are to be put."""
    if isinstance(k, Boxed):
        made = New(k, new_list(w, k, many))
        return made, w.get(made.v, LIST, 0)
    place = w.alloc_for(many, form(k.item))
    return Val(k, w.row(place, many)), place


def list_of(w: Walk, node: ast.AST, parts: Sequence[Val]) -> Val:
    """Return a new list of these values."""
    k = w.site(node, "list")
    for p in parts:
        w.widen(k, 0, p.kind)
    if any(p.kind is NEVER for p in parts):
        return w.never
    if not parts:
        return New(k, new_list(w, k))
    made, place = new_sequence(w, k, c64(len(parts)))
    for i, p in enumerate(parts):
        put_item(w, k.item, place, c64(i), p)
    return made


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
        w.put(header, DEQUE, MAXLEN, w.get(a.v, DEQUE, MAXLEN))
    if item is NEVER or source is NEVER:
        return New(k, header)
    made = w.get(header, LIST, 0)
    if same(source, item):
        w.copy(made, place, n, form(item))
    else:
        copy_items(w, source, place, n, made, item)
    return New(k, header)


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
    made = New(k, new_list(w, k))
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


def remove_at(w: Walk, a: Val, at: Any) -> None:
    """Remove the element at a place of a list, which is within."""
    k = a.boxed
    place, n = span(w, a)
    last = w.b.sub(n, ONE)
    if k.item is not NEVER:
        t = form(k.item)
        rest = w.b.sub(last, at)
        w.shift(w.element(place, t, at), w.element(place, t, w.b.add(at, ONE)), rest, t)
    w.put(a.v, LIST, 1, last)
    if k.name == "deque":
        deques.changed(w, a)


# Operators

LONGEST_FOLDED = 1000  # letters of a text that is made while rules are compiled


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a + b` or `a * n` of sequences; None if this is none."""
    a, b = as_tuple(a), as_tuple(b)
    if is_text(a.kind) or is_text(b.kind):
        return _of_texts(w, op, a, b, node)
    if op is ast.Add:
        if isinstance(a.kind, Tup | Row) and isinstance(b.kind, Tup | Row):
            return joined_tuples(w, [a, b])
        if is_list(a.kind) and is_list(b.kind) and a.boxed.name == b.boxed.name:
            made = list_from(w, node, a, a.boxed.name)
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
            if not named(a.kind, ("deque",)):
                return _repeated(w, a, n, node)
            made = list_from(w, node, a, "deque")
            deques.clear(w, made)  # what is left of it is its greatest length
            extend(w, node, made, _repeated(w, list_from(w, node, a), n, node))
            return made
    return None


def _of_texts(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a + b` of texts, or `a * n` of a text; None if this is neither."""
    if op is ast.Add and is_text(a.kind) and is_text(b.kind):
        if a.known and b.known:
            return w.constant(a.py + b.py)
        return texts.made(w, joined_tuples(w, [texts.codes(w, a), texts.codes(w, b)]))
    if op is not ast.Mult:
        return None
    if is_text(b.kind):
        a, b = b, a
    n = number(w, b)
    if n is None or n.kind not in (INT, BOOL):
        return None
    if a.known and n.known and len(a.py) * n.py <= LONGEST_FOLDED:
        return w.constant(a.py * n.py)
    return texts.made(w, _repeated(w, texts.codes(w, a), n, node))


def _repeated(w: Walk, a: Val, times: Val, node: ast.AST) -> Val:
    n = as_int(w, times)
    if times.kind is not BOOL:
        n = w.b.select(w.b.icmp_signed("<", n, ZERO), ZERO, n)
    if isinstance(a.kind, Tup) and times.known and 0 <= int(times.py) * len(a.kind.items) <= APART:
        return tuple_of(w, parts_of(w, a) * int(times.py))
    source = in_row(w, a)
    item = item_kind(source.kind)
    k: Boxed | Row = w.site(node, a.boxed.name) if is_list(a.kind) else Row(item)
    if isinstance(k, Boxed):
        w.widen(k, 0, item)
    if k.item is NEVER:
        return New(k, new_list(w, k)) if isinstance(k, Boxed) else Val(k, w.row(NULL, ZERO))
    place, m = span(w, source)
    w.check_memory(w.b.icmp_unsigned(">", n, c64(1 << 40)))
    made, room = new_sequence(w, k, w.b.mul(n, m))
    with w.counting(n) as i, w.counting(m) as j:
        put_item(w, k.item, room, w.b.add(w.b.mul(i, m), j), w.item(item, place, j))
    return made


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a list or deque by `+=` or `*=`."""
    if op is ast.Add:
        if isinstance(b.kind, Either) and a.boxed.name == "list":
            return spread(w, b, lambda x: in_place(w, op, a, x, node) or a)
        extend(w, node, a, b)
        return a
    if op is ast.Mult:
        if named(a.kind, ("deque",)):
            raise Refusal("`*=` of a deque is not compiled; write `=` and `*`, or a loop")
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


# Changes of slices, written in Python


def put_slice(self: Any, first: int, step: int, many: int, values: Any) -> None:
    """Do `self[slice] = values`, where the slice has many elements from the first on."""
    new = list(values)
    if step == 1:
        last, n = first + many, len(self)  # making the list may have changed this one
        kept = self[: min(first, n)] + new + self[max(first, last) :]
        self.clear()
        self.extend(kept)
        return
    if len(new) != many:
        raise ValueError("a slice with a step takes as many values as it has elements")
    for i in range(many):
        self[first + i * step] = new[i]


def delete_slice(self: Any, first: int, step: int, many: int) -> None:
    """Do `del self[slice]`, where the slice has many elements from the first on."""
    if many == 0:
        return
    gone = range(first, first + step * (many - 1) + (1 if step > 0 else -1), step)
    kept = [self[i] for i in range(len(self)) if i not in gone]
    self.clear()
    self.extend(kept)
