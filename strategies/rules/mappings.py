"""Dicts and defaultdicts: updates, operators, and how they are made."""

from __future__ import annotations

import ast

from strategies.rules import storage, tables
from strategies.rules.code import Val
from strategies.rules.kinds import NEVER, Boxed, Either, Tup
from strategies.rules.messages import Refusal
from strategies.rules.tables import MAPPINGS, factory, named, over, put, set_factory, value_kind
from strategies.rules.unpacking import elements
from strategies.rules.walk import Walk


def update(w: Walk, node: ast.AST, a: Val, b: Val, what: str) -> None:
    """Put the items of a mapping, or of pairs, into a dict."""
    from strategies.rules.iteration import each

    if isinstance(b.kind, Either):
        raise Refusal(f"an update by {b.kind} is not compiled; make it one kind before")
    if named(b.kind, MAPPINGS):
        assert isinstance(b.kind, Boxed)
        pairs = Val(Boxed("items", *b.kind.cells[:2]), b.v)
        if value_kind(b.kind) is NEVER:
            w.change(a, 0, NEVER)
            return None

        def use(x: Val) -> None:
            if isinstance(x.kind, Tup):
                first, second = (Val(k, _part(w, x, i)) for i, k in enumerate(x.kind.items))
                put(w, a, first, second)

        return over(w, node, pairs, use, what)

    def pair(x: Val) -> None:
        first, second = elements(w, node, x, 2, None)
        put(w, a, first, second)

    if named(b.kind, ("set", "frozenset")):
        tables.steps(w, node, b, False, what)
    each(w, node, b, pair, what)
    return None


def _part(w: Walk, a: Val, i: int) -> object:
    return w.part(a.v, i) if w.emitting else None


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a | b` of dicts."""
    if op is not ast.BitOr:
        return None
    if named(a.kind, ("dict",)) and named(b.kind, ("dict",)):
        made = tables.copied(w, node, a, "dict", "left")
        update(w, node, made, b, "right")
        return made
    if named(a.kind, MAPPINGS) and named(b.kind, MAPPINGS):
        raise Refusal("`|` with a defaultdict is not compiled; write a copy and update()")
    return None


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a dict by `|=`."""
    if op is not ast.BitOr:
        return None
    update(w, node, a, b, "right")
    return a


def copy(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return a copy of a dict, defaultdict or Counter."""
    assert isinstance(a.kind, Boxed)
    made = tables.copied(w, node, a, a.kind.name)
    if a.kind.name == "defaultdict":
        set_factory(w, made, factory(w, a))
    return made


def without(w: Walk, a: Val, i: Val) -> tuple[object, Val]:
    """Return where the entry of a key is, and the key as it is looked for."""
    assert isinstance(a.kind, Boxed)
    i = tables.hashable(w, i)
    return storage.find(w, a.kind, a.v, i), i
