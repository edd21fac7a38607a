"""Operators of tuples, lists and deques: joined, repeated and extended."""

from __future__ import annotations

import ast

from strategies.rules.code.coercion import (
    as_tuple,
    fail,
    in_row,
    number,
    parts_of,
    put_item,
    spread,
    tuple_of,
)
from strategies.rules.code.storage import is_list, item_kind, span
from strategies.rules.code.val import LIST, NULL, ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import deques
from strategies.rules.kinds.forms import APART, form
from strategies.rules.kinds.joining import join
from strategies.rules.kinds.kind import BOOL, INT, NEVER, Either, Row, Tup, is_text
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal
from strategies.rules.operations.sequences import extend, joined_tuples, list_from, new_list
from strategies.rules.values import texts
from strategies.rules.values.numbers import as_int

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
            return w.program.constants.value(a.py + b.py)
        return texts.made(w, joined_tuples(w, [texts.codes(w, a), texts.codes(w, b)]))
    if op is not ast.Mult:
        return None
    if is_text(b.kind):
        a, b = b, a
    n = number(w, b)
    if n is None or n.kind not in (INT, BOOL):
        return None
    if a.known and n.known and len(a.py) * n.py <= LONGEST_FOLDED:
        return w.program.constants.value(a.py * n.py)
    return texts.made(w, _repeated(w, texts.codes(w, a), n, node))


def _repeated(w: Walk, a: Val, times: Val, node: ast.AST) -> Val:
    n = as_int(w, times)
    if times.kind is not BOOL:
        n = w.b.select(w.b.icmp_signed("<", n, ZERO), ZERO, n)
    if isinstance(a.kind, Tup) and times.known and 0 <= int(times.py) * len(a.kind.items) <= APART:
        return tuple_of(w, parts_of(w, a) * int(times.py))
    source = in_row(w, a)
    item = item_kind(source.kind)
    if is_list(a.kind):
        k = w.site(node, a.boxed.name)
        w.widen(k, 0, item)
        item = k.item
    if item is NEVER:
        return Val(k, new_list(w, k)) if is_list(a.kind) else Val(Row(NEVER), w.row(NULL, ZERO))
    place, m = span(w, source)
    w.check_memory(w.b.icmp_unsigned(">", n, c64(1 << 40)))
    many = w.b.mul(n, m)
    if is_list(a.kind):
        header = new_list(w, k, many)
        made = w.get(header, LIST, 0)
    else:
        made = w.alloc_for(many, form(item))
    with w.counting(n) as i, w.counting(m) as j:
        x = w.item(item_kind(source.kind), place, j)
        put_item(w, item, made, w.b.add(w.b.mul(i, m), j), x)
    return Val(k, header) if is_list(a.kind) else Val(Row(item), w.row(made, many))


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
